//! The file format of a part, which programs can use in place.
//!
//! A file consists of `MARQUEE1`, the number of sections, their directory, and the sections. Each section
//! starts at a multiple of eight bytes, has a name, and contains either fixed-size rows or texts. All numbers
//! are little-endian.

mod ascending;
mod directory;
mod map;
mod packed;
mod rows;
mod runs;
mod section_file;
mod texts;
mod writer;

pub(crate) use ascending::Ascending;
pub(crate) use packed::{bits_for, pack, unpack};
pub(crate) use rows::Rows;
pub(crate) use runs::Runs;
pub(crate) use section_file::{SectionFile, subsection};
pub(crate) use texts::Texts;
pub(crate) use writer::FileWriter;

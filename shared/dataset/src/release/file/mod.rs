//! The file format of a part. Files are used in place, without parsing.
//!
//! A file consists of the string `MARQUEE1`, the number of sections, a directory, and the sections. Each
//! section has a name, starts at a multiple of eight bytes, and contains either fixed-size rows or arbitrary
//! bytes, such as strings. All numbers are little-endian.

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

//! How is a file laid out, so that it is used where it lies?
//!
//! A file is `MARQUEE1`, the number of sections, their directory, then the sections, each on a multiple of
//! eight bytes. A section has a name and holds fixed rows, or texts. All numbers are little-endian.

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

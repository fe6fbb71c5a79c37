//! Checks whether a release contains a display, place, or cohort.
//!
//! The ids take four bytes each, so a function that only warns about unknown ids doesn't have to open the
//! parts that the ids come from. The parts themselves are needed to find the object with an id.

mod table;

pub(crate) use table::to_file;
pub use table::{IdKind, KnownIds, write};

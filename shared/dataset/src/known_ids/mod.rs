//! The IDs of a release, for checking whether it contains a display, place, or cohort.
//!
//! Each ID takes four bytes. A function that only warns about unknown IDs therefore doesn't have to open the
//! parts with the displays, places, and cohorts themselves.

mod table;

pub(crate) use table::to_file;
pub use table::{IdKind, KnownIds, write};

//! The IDs of all displays, places, and cohorts in a release, for checking whether an ID exists.
//!
//! Each ID takes four bytes. A function that only warns about unknown IDs doesn't have to open the parts that
//! contain the displays, places, and cohorts themselves.

mod table;

pub(crate) use table::to_file;
pub use table::{IdKind, KnownIds, write};

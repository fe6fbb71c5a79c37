//! Does a release have this display, place or cohort?
//!
//! Four bytes an id answer that without the tables that the ids are of: a function that only warns of unknown
//! ids opens nothing else. It is not for finding what an id stands for.

mod table;

pub(crate) use table::to_file;
pub use table::{IdKind, KnownIds, write};

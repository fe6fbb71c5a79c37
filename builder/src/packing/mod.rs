//! Assembles releases: writes them to folders atomically, derives parts from other parts, and reuses
//! unchanged parts from older releases.

mod derived;
mod error;
mod extend;
mod new_folder;

pub use derived::DERIVED_PARTS;
pub(crate) use derived::write_derived;
pub use error::PackError;
pub(crate) use extend::{entries, extended, share};
pub use new_folder::LATEST;
pub(crate) use new_folder::{NewFolder, remove};

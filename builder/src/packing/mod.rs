//! How a release is put into its folder: all or nothing, with the parts that follow from others, and from an
//! older one where only some parts differ.

mod derived;
mod error;
mod extend;
mod folder;

pub use derived::DERIVED_PARTS;
pub(crate) use derived::write_derived;
pub use error::PackError;
pub(crate) use extend::{entries, extended};
pub use folder::write_folder;

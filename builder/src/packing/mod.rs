//! How a release is put into its folder: all or nothing, and from an older one where only some parts differ.

mod error;
mod extend;
mod folder;

pub use error::PackError;
pub(crate) use extend::extended;
pub use folder::write_folder;

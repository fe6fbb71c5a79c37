//! Which files make a release, and are they what its manifest describes?
//!
//! A release is an immutable folder: `manifest.json`, and one file for each [`Part`], which is used in place
//! through a memory map. What the sections of a file mean is known to the folders beside this one.
//!
//! Decided in `docs/decisions/0010-memory-mapped-releases.md`.

mod error;
pub(crate) mod file;
mod folder;
mod manifest;
mod progress;

pub use error::{Fault, ReleaseError, WriteError};
pub use folder::Folder;
pub use manifest::{FORMAT, Figures, FileEntry, MANIFEST, Manifest, Part, RowCounts, Source, sha256_of_file};
pub use progress::Progress;

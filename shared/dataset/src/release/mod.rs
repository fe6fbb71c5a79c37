//! The files of a release, and their verification against the manifest.
//!
//! A release is an immutable folder that contains `manifest.json` and one file per [`Part`]. Programs
//! memory-map the files and use them in place. The module for each part defines the sections of its file.
//!
//! See `docs/decisions/0010-memory-mapped-releases.md`.

mod error;
pub(crate) mod file;
mod folder;
mod manifest;
mod progress;

pub use error::{Fault, ReleaseError, WriteError};
pub use folder::Folder;
pub use manifest::{FORMAT, Figures, FileEntry, MANIFEST, Manifest, Part, RowCounts, Source, sha256_of_file};
pub use progress::Progress;

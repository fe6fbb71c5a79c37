//! The files of a release, and their verification against the manifest.
//!
//! A release is an immutable folder with `manifest.json` and one file for each [`Part`]. Programs use the
//! files in place through a memory map. The module of each part defines the sections of its file.
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

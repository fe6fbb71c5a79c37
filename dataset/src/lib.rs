//! A data release: geographies, cohorts and population, places and their measures.
//!
//! A release is an immutable folder: `manifest.json`, and one file for each [`Part`], used in place through a memory
//! map. This crate knows no network, no cloud and no async runtime.

mod error;
mod file;
mod folder;
mod geographies;
mod geography_id;
pub mod import;
mod manifest;
mod progress;

pub use error::ReleaseError;
pub use folder::Folder;
pub use geographies::Geographies;
pub use geography_id::{GeographyId, GeographyType, ParseGeographyIdError};
pub use manifest::{FORMAT, Figures, FileEntry, MANIFEST, Manifest, Maturity, Part, Provenance, Source};
pub use progress::Progress;

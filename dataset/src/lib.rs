//! A data release: geographies, cohorts and population, places and their measures.
//!
//! A release is an immutable folder: `manifest.json`, and one file for each [`Part`], used in place through a memory
//! map. This crate knows no network, no cloud and no async runtime.

pub mod build;
mod error;
mod file;
mod folder;
mod geographies;
mod geography_id;
mod geography_index;
mod manifest;
mod places;
mod progress;

pub use error::ReleaseError;
pub use folder::Folder;
pub use geographies::Geographies;
pub use geography_id::{GeographyId, GeographyType, ParseGeographyIdError};
pub use geography_index::GeographyIndex;
pub use manifest::{FORMAT, Figures, FileEntry, MANIFEST, Manifest, Maturity, Part, Provenance, Source};
pub use places::{
    Found, ParsePlaceIdError, Place, PlaceId, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortField, Places, fold,
};
pub use progress::Progress;

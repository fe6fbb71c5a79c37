//! A data release: geographies, cohorts and population, places and their measures, and the inventory.
//!
//! A release is an immutable folder: `manifest.json`, and one file for each [`Part`], used in place through a memory
//! map. This crate knows no network, no cloud and no async runtime.

mod check;
pub mod cohorts;
mod error;
pub mod file;
pub mod folder;
pub mod geographies;
mod geography_id;
pub mod globe;
pub mod inventory;
pub mod manifest;
pub mod measures;
mod morton;
pub mod places;
pub mod population;
mod progress;
pub mod tiles;
mod top;
mod vocabulary;

pub use check::check;
pub use error::ReleaseError;
pub use folder::{Folder, write_folder};
pub use geographies::{Geographies, Geography, GeographyIndex, Position};
pub use geography_id::{GeographyId, GeographyType, ParseGeographyIdError};
pub use manifest::{FORMAT, Figures, FileEntry, MANIFEST, Manifest, Maturity, Part, Provenance, Source};
pub use measures::{Area, Day, History, Measure, Measures, Parents, Report, SegmentShare, Week, Year};
pub use places::{
    Found, ParsePlaceIdError, Place, PlaceId, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortField, Places, fold,
};
pub use population::{Population, Segment, SegmentIndex};
pub use progress::Progress;

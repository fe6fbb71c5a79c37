//! A data release, as functions run it: opened, searched, reported on, and drawn.
//!
//! It knows the format of a release's files, and so their writers too. It knows no network, no cloud, no
//! async runtime and no clock; it does not know how a release comes to where it is, and not how one is made
//! of sources.

mod check;
pub mod cohorts;
mod derived_id;
pub mod geographies;
mod index;
pub mod inventory;
pub mod known_ids;
pub mod measures;
pub mod places;
pub mod population;
pub mod position;
mod record_sources;
mod release;
pub mod tiles;

pub use check::check;
pub use derived_id::derived_id;
pub use geographies::{
    Geographies, Geography, GeographyId, GeographyIndex, GeographyType, ParseGeographyIdError, state_forms,
};
pub use index::{Circle, Rectangle, fold};
pub use known_ids::{IdKind, KnownIds};
pub use measures::{
    DayOfWeek, Glance, History, Measure, Measures, Origin, Parents, Report, SegmentShare, Week, Year,
};
pub use places::{
    Found, ParsePlaceIdError, Place, PlaceId, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortField,
    PlaceSortKey, PlaceType, Places, VisitsByPlace,
};
pub use population::{
    CohortShares, NationalPopulation, Population, Segment, SegmentIndex, provenance_of_cohorts,
};
pub use position::{Distance, Position};
pub use provenance::{Maturity, Provenance, RecordSource};
pub use release::{
    FORMAT, Fault, Figures, FileEntry, Folder, MANIFEST, Manifest, Part, Progress, ReleaseError, RowCounts,
    Source, WriteError, sha256_of_file,
};

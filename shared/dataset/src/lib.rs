//! Reads data releases for the Lambda functions: opens and searches them, draws map tiles, and computes
//! reports.
//!
//! The crate defines the format of a release's files, so it also contains their writers. It doesn't use the
//! network, the cloud, an async runtime, or a clock. The builder creates releases from data sources, and
//! other crates copy the files to the local disk.

pub mod base_map;
mod check;
pub mod cohorts;
mod derived_id;
pub mod exposures;
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

pub use base_map::BaseMap;
pub use check::check;
pub use derived_id::derived_id;
pub use exposures::{DisplayExposure, Environment, Exposures, Impressions, Persons, ShareOfVoice};
pub use geographies::{
    AreaKind, AreaNames, Geographies, Geography, GeographyId, GeographyIndex, GeographyType,
    ParseGeographyIdError, state_forms,
};
pub use index::{Circle, Rectangle, normalize, same_word, split_words};
pub use known_ids::{IdKind, KnownIds};
pub use measures::{
    DayOfWeek, Glance, History, Measure, Measures, Origin, Parents, Report, SegmentShare, Week, Year,
    index_of, rounded_index, share_by_homes,
};
pub use places::{
    Brand, Found, ParsePlaceIdError, Place, PlaceId, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortField,
    PlaceSortKey, PlaceType, Places, VisitsByPlace,
};
pub use population::{
    CohortShares, ComposeError, ComposedCohort, MAX_COMPONENTS, NationalPopulation, PersonsByArea,
    Population, Segment, SegmentIndex, provenance_of_cohorts,
};
pub use position::{Distance, Position};
pub use provenance::{Maturity, Provenance, RecordSource, Resolution};
pub use release::{
    FORMAT, Fault, Figures, FileEntry, Folder, MANIFEST, Manifest, Part, Progress, ReleaseError, RowCounts,
    Source, WriteError, sha256_of_file,
};

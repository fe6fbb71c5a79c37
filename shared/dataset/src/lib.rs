//! Opens and searches data releases, renders map tiles, and computes reports for the Lambda functions.
//!
//! The crate defines the file formats of a release, so it also contains the writers for them. It doesn't
//! access the network or the clock, and it doesn't need an async runtime. The builder creates releases from
//! data sources, and other crates copy release files to local disk.

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

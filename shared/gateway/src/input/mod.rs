//! Parses requests.
//!
//! A request body is a struct that derives [`deserr::Deserr`] with [`Violations`] as its error type, so that
//! all invalid, missing, and unknown members are reported together. `docs/decisions/0021-bodies-by-derive.md`
//! lists the kinds of input that separate code checks.

mod cursor;
mod geo;
mod page;
mod patch;
mod query;
mod value;
mod violations;

pub use cursor::{read_cursor, write_cursor};
pub use geo::{
    DISTANCE, GeoBoundingBox, GeoDistance, GeoPoint, Kilometers, distances_without_circle, requests_for,
};
pub use page::{Page, PagePosition, SearchPage};
pub use patch::{Patch, Replace};
pub use query::QueryParameters;
pub use value::{Bounded, Identifier, Items, MAX_SEARCH_TEXT, Named, Parsed, SearchText, SortOrder};
pub use violations::{InvalidValue, Violation, Violations, one_of, quoted, unknown_name};

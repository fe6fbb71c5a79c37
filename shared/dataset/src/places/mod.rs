//! The places in a release, and searches for places.
//!
//! Places are stored in the default order of search results: by normalized name, then by ID. Visits are in
//! [`measures`](crate::measures), and text matching is in the `index` module.

mod areas;
mod id;
mod place;
mod place_types;
mod query;
mod row;
mod search;
mod table;
mod visits;
mod writer;

pub use id::{ParsePlaceIdError, PlaceId};
pub use place::{NewPlace, Place, PlaceIndex};
pub use place_types::{Brand, PlaceType};
pub use query::{Found, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey};
pub use table::Places;
pub(crate) use visits::visits_to_file;
pub use visits::{VisitsByPlace, write_visits};
pub use writer::{PlacesWriteError, write};

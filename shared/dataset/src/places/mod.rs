//! The places of a release, and the search over them.
//!
//! Places are stored in the default order of a search, by normalized name and then by ID. Visits to places
//! are in [`measures`](crate::measures), and the module `index` matches strings.

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

//! Which places are there, and which of them are asked for?
//!
//! Places lie in the order in which a search gives them when it asks for no other: by folded name, then by
//! id. Who comes to a place is known to [`measures`](crate::measures), and how texts are found to the
//! `index`.

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
pub use place_types::PlaceType;
pub use query::{Found, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey};
pub use table::Places;
pub use visits::VisitsByPlace;
pub use writer::{PlacesWriteError, write};

//! The parts of search filters that several functions accept: the filter of a place search, IDs of places,
//! and areas.

mod area;
mod id;
mod place_filter;

pub use area::{circle, rectangle};
pub use id::{RequestedPlace, RequestedPlaceType};
pub use place_filter::{PlaceFilter, SearchedPlaces};

//! The parts of requests that several functions accept: the filter of a place search, IDs of places, place
//! types, and cohorts, and circles and rectangles.

mod area;
mod cohort;
mod id;
mod place_filter;

pub use area::{circle, rectangle};
pub use cohort::not_a_cohort;
pub use id::{RequestedPlace, RequestedPlaceType};
pub use place_filter::{PlaceFilter, SearchedPlaces};

//! The parts of requests that several functions accept: place filters; place, place type, and cohort IDs; and
//! circles and rectangles.

mod area;
mod cohort;
mod id;
mod place_filter;

pub use area::{circle, rectangle};
pub use cohort::not_a_cohort;
pub use id::{RequestedPlace, RequestedPlaceType};
pub use place_filter::{PlaceFilter, SearchedPlaces};

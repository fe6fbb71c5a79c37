//! Estimates the visits and visitors of events.

mod estimable;
mod estimate;
mod hours;
mod places;
mod reply;
mod visits;

pub(crate) use reply::PLACES;
pub(crate) use visits::Visits;

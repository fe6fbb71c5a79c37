//! Events: the visits during an event.

mod estimable;
mod estimate;
mod hours;
mod places;
mod reply;
mod visits;

pub(crate) use reply::PLACES;
pub(crate) use visits::Visits;

//! `POST /v2/measures/events/estimate`: the visits during an event.

mod estimate;
mod handler;
mod hours;
mod places;
mod reply;
mod visits;

pub(crate) use handler::{estimate, estimated};
pub(crate) use reply::PLACES;
pub(crate) use visits::Visits;

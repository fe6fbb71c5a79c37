//! Estimates the delivery of campaigns.

mod estimable;
mod estimate;
mod plan;
mod reply;
mod schedule;

pub(crate) use reply::DISPLAYS;
pub(crate) use schedule::DAYS_PER_WEEK;

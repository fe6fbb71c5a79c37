//! `POST /v2/measures/campaigns/estimate`: the delivery of a campaign.

mod estimate;
mod handler;
mod plan;
mod reply;
mod schedule;

pub(crate) use handler::{estimate, estimated};
pub(crate) use reply::DISPLAYS;
pub(crate) use schedule::DAYS_PER_WEEK;

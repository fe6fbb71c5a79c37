//! The estimates function: impressions, reach, and frequency of campaigns, computed with the contact model.
//! The measurements that this service sells contain the same figures, in reports that are stored.
//!
//! docs/explanation/estimates.md explains the figures.

mod audience;
mod estimate;
mod handler;
mod plan;
mod release;
mod reply;
mod reports;
mod request;
mod schedule;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;
pub use reports::{OwnMeasurement, Queue, Sweep, SweptPage};

use handler::{Estimates, estimate};

/// Returns the routes of the estimates function.
pub fn routes(app: &App) -> Routes<Estimates> {
    let terms = Terms::of(Product::CampaignEstimate).with_table(&reply::DISPLAYS).with_free_errors();
    Routes::new(app)
        .post("/v2/measures/campaigns/estimate", terms, estimate)
        .post("/v2/measures/campaigns/{asset_id}", Product::Measurements, reports::purchase)
        .get("/v2/measures/campaigns/{asset_id}", Product::Measurements, reports::status)
}

/// Returns the router. `own_measurement` is `None` if this service doesn't measure campaigns itself.
pub fn router(app: &App, release: Arc<Release>, own_measurement: Option<OwnMeasurement>) -> Router {
    routes(app).into_router(Estimates::new(app, release, own_measurement))
}

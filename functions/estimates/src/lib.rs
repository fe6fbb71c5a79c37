//! The estimates function: impressions, reach, and frequency of campaigns, computed with the contact model.
//!
//! docs/explanation/estimates.md explains the figures.

mod audience;
mod estimate;
mod handler;
mod plan;
mod release;
mod reply;
mod request;
mod schedule;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;

use handler::{Estimates, estimate};

/// Returns the routes of the estimates function.
pub fn routes(app: &App) -> Routes<Estimates> {
    let terms = Terms::of(Product::CampaignEstimate).with_table(&reply::DISPLAYS).with_free_errors();
    Routes::new(app).post("/v2/measures/campaigns/estimate", terms, estimate)
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(Estimates::new(app, release))
}

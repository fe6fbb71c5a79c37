//! The estimates function: impressions, reach, and frequency of campaigns, and visits and visitors of events,
//! computed with the contact model.
//!
//! docs/explanation/estimates.md explains the figures.

mod audience;
mod campaign;
mod estimates;
mod event;
mod members;
mod provenance;
mod release;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;

use estimates::Estimates;

/// Returns the routes of the estimates function.
pub fn routes(app: &App) -> Routes<Estimates> {
    let campaigns = Terms::of(Product::CampaignEstimate).with_table(&campaign::DISPLAYS).with_free_errors();
    let events = Terms::of(Product::EventEstimate).with_table(&event::PLACES).with_free_errors();
    Routes::new(app).post("/v2/measures/campaigns/estimate", campaigns, campaign::estimate).post(
        "/v2/measures/events/estimate",
        events,
        event::estimate,
    )
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(Estimates::new(app, release))
}

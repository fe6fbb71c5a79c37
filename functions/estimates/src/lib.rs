//! The estimates function: estimates the impressions, reach, and frequency of campaigns, and the visits and
//! visitors of events, with the contact model. It also sells measurements, which are stored reports with the
//! same figures.
//!
//! docs/explanation/estimates.md explains the figures.

mod audience;
mod campaign;
mod estimates;
mod event;
mod members;
mod provenance;
mod release;
mod reports;
mod span;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};
use scenario_bodies::{Campaign, Event};

pub use release::Release;
pub use reports::{OwnMeasurement, Queue, Sweep, SweptPage, SweptPages};

use estimates::{Estimates, estimate};

/// Returns the function's routes, which don't depend on a release. [`router`] adds the release.
pub fn routes(app: &App) -> Routes<Estimates> {
    let campaigns = Terms::of(Product::CampaignEstimate).with_table(&campaign::DISPLAYS).with_free_errors();
    let events = Terms::of(Product::EventEstimate).with_table(&event::PLACES).with_free_errors();
    let [campaign, event] = ["/v2/measures/campaigns/{asset_id}", "/v2/measures/events/{asset_id}"];
    Routes::new(app)
        .post("/v2/measures/campaigns/estimate", campaigns, estimate::<Campaign>)
        .post("/v2/measures/events/estimate", events, estimate::<Event>)
        .post(campaign, Product::Measurements, reports::purchase::<Campaign>)
        .get(campaign, Product::Measurements, reports::status::<Campaign>)
        .post(event, Product::Measurements, reports::purchase::<Event>)
        .get(event, Product::Measurements, reports::status::<Event>)
}

/// Returns the function's router. `own_measurement` is `None` if this service doesn't sell measurements
/// itself.
pub fn router(app: &App, release: Arc<Release>, own_measurement: Option<OwnMeasurement>) -> Router {
    routes(app).into_router(Estimates::new(app, release, own_measurement))
}

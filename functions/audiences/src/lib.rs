//! The audiences function: cohort search, population at home, and markets.

mod area_type;
mod cohorts;
mod composed_search;
mod market_list;
mod market_query;
mod markets;
mod population;
mod population_query;
mod release;
mod state;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;

/// Returns the function's routes, which don't depend on a release. [`router`] adds the release.
pub fn routes(app: &App) -> Routes<Arc<Release>> {
    Routes::new(app)
        .post("/v2/cohorts/search", Product::CohortSearch, cohorts::search)
        .post(
            "/v2/measures/population/at_home",
            Terms::of(Product::PopulationAtHome).with_table(&population::TABLE),
            population::at_home,
        )
        .get("/v2/markets", Terms::of(Product::Markets).with_table(&markets::TABLE), markets::list)
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(release)
}

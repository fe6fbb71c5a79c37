//! The places function: place search, place matching, place types, brands, place profiles, and place audience
//! reports.

mod body;
mod brands;
mod by_place;
mod fields;
mod matching;
mod performance;
mod place_types;
mod profile;
mod release;
mod report;
mod search;
mod table;
mod visitors;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;

/// Returns the function's routes, which don't depend on a release. [`router`] adds the release.
pub fn routes(app: &App) -> Routes<Arc<Release>> {
    let search = Terms::of(Product::PlaceSearch).with_table(&table::TABLE);
    Routes::new(app)
        .post("/v2/msearch", search, search::search)
        .post("/msearch", search.with_search_key(), search::search)
        .elsewhere(
            "/v2/msearch/inventory",
            "inventory search is on the search gateway; send POST /msearch/inventory to that gateway's host, \
             with the API key in the `apikey` header",
        )
        .post("/v2/places/match", Product::PlaceMatch, matching::match_places)
        .get("/v2/place/types", Product::PlaceTypes, place_types::list)
        .get("/v2/place/brands", Product::PlaceBrands, brands::list)
        .get("/v2/place/profiles/{place_id}", Product::PlaceProfile, profile::read)
        .post("/v2/measures/place/report", Product::PlaceReport, report::report)
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(release)
}

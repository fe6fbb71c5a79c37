//! The inventory function: inventory search on the search gateway, and display lookup.

mod body;
mod errors;
mod filter;
mod index;
mod lookup;
mod near_places;
mod release;
mod search;
mod table;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;

/// Returns the routes of the inventory function.
pub fn routes(app: &App) -> Routes<Arc<Release>> {
    let search = Terms::of(Product::InventorySearch).with_table(&table::TABLE);
    Routes::new(app).post("/msearch/inventory", search.with_errors(errors::shape), search::search).post(
        "/v2/displays/lookup",
        Product::DisplayLookup,
        lookup::look_up,
    )
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(release)
}

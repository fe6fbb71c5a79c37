//! The inventory function: inventory search on the search gateway, display lookup, and the campaigns that
//! client links show.

mod body;
mod client_view;
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
use axum::extract::FromRef;
use gateway::{App, Routes, Terms};

pub use release::Release;

use client_view::ViewedLinks;

/// The state that the handlers share.
#[derive(Clone)]
pub struct Shown {
    release: Arc<Release>,
    links: ViewedLinks,
}

impl FromRef<Shown> for Arc<Release> {
    fn from_ref(shown: &Shown) -> Self {
        shown.release.clone()
    }
}

/// Returns the function's routes, which don't depend on a release. [`router`] adds the release.
pub fn routes(app: &App) -> Routes<Shown> {
    let search = Terms::of(Product::InventorySearch).with_table(&table::TABLE);
    Routes::new(app)
        .post("/msearch/inventory", search.with_errors(errors::shape), search::search)
        .post("/v2/displays/lookup", Product::DisplayLookup, lookup::look_up)
        .get("/v2/client-links/campaign", Product::ClientView, client_view::view)
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(Shown { release, links: ViewedLinks::new(app) })
}

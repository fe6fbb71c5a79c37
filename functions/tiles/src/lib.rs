//! The tiles function: vector tiles of displays and places, the grants that give pages access to them, and
//! the base map.
//!
//! See `docs/decisions/0018-tile-capabilities.md`.

mod base_map;
mod cursor;
mod grant_state;
mod grants;
mod origin;
mod page_origin;
mod release;
mod tile;
mod tilejson;
mod tileset;
mod token;

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;
pub use tileset::Tileset;

/// Returns the function's routes, which don't depend on a release. [`router`] adds the release.
pub fn routes(app: &App) -> Routes<Tileset> {
    Routes::new(app)
        .post("/v2/{product}/tiles/grants", Product::TileGrants, grants::create)
        .get("/v2/{product}/tiles/grants", Product::TileGrants, grants::list)
        .get("/v2/{product}/tiles/grants/{grant_id}", Product::TileGrants, grants::read)
        .delete("/v2/{product}/tiles/grants/{grant_id}", Product::TileGrants, grants::revoke)
        .get(
            "/v2/{product}/tiles/grants/{grant_id}/tilejson",
            Terms::of(Product::Tilejson).for_pages(),
            tilejson::read,
        )
        .get("/v2/{product}/tiles/{layer}/{z}/{x}/{y}", Terms::of(Product::Tile).for_pages(), tile::read)
        .get("/v2/basemap/tiles/{z}/{x}/{y}", Product::BaseMap, base_map::read_tile)
        .get("/v2/basemap/gazetteer/{initial}", Product::BaseMap, base_map::read_names)
}

pub fn router(app: &App, release: Arc<Release>) -> Router {
    routes(app).into_router(Tileset::new(app, release))
}

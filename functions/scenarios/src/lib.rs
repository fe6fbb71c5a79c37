//! The campaigns function and the events function. Both are libraries of scenarios and share one
//! implementation.

mod asset;
mod batch;
mod changes;
mod client_links;
mod cursor;
mod fields;
mod handlers;
mod library;
mod precondition;
mod query;
mod read_only;
mod release;
mod tables;

use accounting::Product;
use axum::Router;
use gateway::{App, Routes, Terms};

pub use release::Release;

use handlers::{Library, create, delete, edit, list, put, read, summarize};
use library::{Listed, Paths};
use store::Family;

// The handlers are compiled in this crate, because generic functions would be compiled in each program that
// calls them.

/// The campaigns function.
pub mod campaigns {
    use scenario_bodies::Campaign;

    use super::{App, Family, Library, Release, Router, Routes, with_client_links};

    /// Returns the routes, which don't depend on a release. [`router`] adds the release.
    pub fn routes(app: &App) -> Routes<Library> {
        with_client_links(super::routes::<Campaign>(app))
    }

    /// Returns the router, with the release that requests are checked against.
    pub fn router(app: &App, release: Release) -> Router {
        routes(app).into_router(Library::new(app, Family::Campaign, release))
    }
}

/// The events function.
pub mod events {
    use scenario_bodies::Event;

    use super::{App, Family, Library, Release, Router, Routes};

    /// Returns the routes, which don't depend on a release. [`router`] adds the release.
    pub fn routes(app: &App) -> Routes<Library> {
        super::routes::<Event>(app)
    }

    /// Returns the router, with the release that requests are checked against.
    pub fn router(app: &App, release: Release) -> Router {
        routes(app).into_router(Library::new(app, Family::Event, release))
    }
}

fn routes<S: Listed>(app: &App) -> Routes<Library> {
    let Paths { library, summary, batch, asset, by_customer_scenario } = S::PATHS;
    Routes::new(app)
        .post(library, Terms::of(S::PRODUCT).creating(S::FAMILY), create::<S>)
        .get(library, Terms::of(S::PRODUCT).with_table(S::TABLE), list::<S>)
        .get(summary, S::PRODUCT, summarize)
        .post(batch, Terms::of(S::PRODUCT).batching(S::FAMILY), batch::run::<S>)
        .get(asset, S::PRODUCT, read)
        .put(by_customer_scenario, S::PRODUCT, put::<S>)
        .patch(asset, S::PRODUCT, edit::<S>)
        .delete(asset, S::PRODUCT, delete)
}

/// Adds the operations on the client links of a campaign.
fn with_client_links(routes: Routes<Library>) -> Routes<Library> {
    const LINKS: &str = "/v2/scenarios/campaigns/{asset_id}/links";
    const LINK: &str = "/v2/scenarios/campaigns/{asset_id}/links/{link_id}";
    routes
        .post(LINKS, Product::ClientLinks, client_links::create)
        .get(LINKS, Product::ClientLinks, client_links::list)
        .delete(LINK, Product::ClientLinks, client_links::revoke)
}

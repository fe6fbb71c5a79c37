//! The two libraries of scenario assets: campaigns and events, through one implementation.

mod asset;
mod campaign;
mod cursor;
mod event;
mod fields;
mod geographies;
mod handlers;
mod precondition;
mod query;
mod scenario;
mod value;

use axum::Router;
use dataset::{Geographies, Part};
use shared::App;
use shared::http::Routes;

pub use campaign::Campaign;
pub use event::Event;
pub use scenario::{Paths, Scenario};

use handlers::{Library, create, delete, edit, list, read, summarize};

/// Lists the six operations of one family's library.
pub fn routes<S: Scenario>(app: &App) -> Routes<Library<S>> {
    let Paths { library, summary, asset } = S::PATHS;
    Routes::new(app)
        .post(library, S::PRODUCT, create::<S>)
        .get(library, S::PRODUCT, list::<S>)
        .get(summary, S::PRODUCT, summarize::<S>)
        .get(asset, S::PRODUCT, read::<S>)
        .patch(asset, S::PRODUCT, edit::<S>)
        .delete(asset, S::PRODUCT, delete::<S>)
}

/// The part of a release that the libraries read.
pub const PARTS: [Part; 1] = [Part::Geographies];

/// Makes the router of one family's library.
pub fn router<S: Scenario>(app: &App, geographies: Geographies) -> Router {
    routes::<S>(app).into_router(Library::new(app, geographies))
}

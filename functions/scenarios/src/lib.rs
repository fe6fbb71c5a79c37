//! The two libraries of scenario assets, campaigns and events, which share one implementation.

mod asset;
mod campaign;
mod cursor;
mod event;
mod fields;
mod geographies;
mod handlers;
mod joins;
mod precondition;
mod query;
mod read_only;
mod release;
mod scenario;
mod tables;
mod unknown_ids;
mod value;

use axum::Router;
use gateway::{App, Routes, Terms};

pub use campaign::Campaign;
pub use event::Event;
pub use release::Release;
pub use scenario::{Paths, Scenario};
pub use unknown_ids::ReferencedId;

use handlers::{Library, create, delete, edit, list, read, summarize};

/// Returns the six operations of a family's library.
pub fn routes<S: Scenario>(app: &App) -> Routes<Library> {
    let Paths { library, summary, asset } = S::PATHS;
    Routes::new(app)
        .post(library, Terms::of(S::PRODUCT).creating(S::FAMILY), create::<S>)
        .get(library, Terms::of(S::PRODUCT).with_table(S::TABLE), list::<S>)
        .get(summary, S::PRODUCT, summarize)
        .get(asset, S::PRODUCT, read)
        .patch(asset, S::PRODUCT, edit::<S>)
        .delete(asset, S::PRODUCT, delete)
}

/// Creates the router of a family's library.
pub fn router<S: Scenario>(app: &App, release: Release) -> Router {
    routes::<S>(app).into_router(Library::new(app, S::FAMILY, release))
}

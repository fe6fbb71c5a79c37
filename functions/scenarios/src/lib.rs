//! The campaigns function and the events function. Both are libraries of scenarios and share one
//! implementation.

mod asset;
mod cursor;
mod fields;
mod handlers;
mod library;
mod precondition;
mod query;
mod read_only;
mod release;
mod tables;

use axum::Router;
use gateway::{App, Routes, Terms};

pub use library::{Listed, Paths};
pub use release::Release;

use handlers::{Library, create, delete, edit, list, read, summarize};

/// Returns the routes of one family's library.
pub fn routes<S: Listed>(app: &App) -> Routes<Library> {
    let Paths { library, summary, asset } = S::PATHS;
    Routes::new(app)
        .post(library, Terms::of(S::PRODUCT).creating(S::FAMILY), create::<S>)
        .get(library, Terms::of(S::PRODUCT).with_table(S::TABLE), list::<S>)
        .get(summary, S::PRODUCT, summarize)
        .get(asset, S::PRODUCT, read)
        .patch(asset, S::PRODUCT, edit::<S>)
        .delete(asset, S::PRODUCT, delete)
}

/// Returns the router of one family's library.
pub fn router<S: Listed>(app: &App, release: Release) -> Router {
    routes::<S>(app).into_router(Library::new(app, S::FAMILY, release))
}

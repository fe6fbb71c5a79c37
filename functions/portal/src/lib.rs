//! The portal: pages for people, which call the public interface only.
//!
//! It serves everyone the same and knows no caller: a shell, which names the files and says where to sign in;
//! the files, whose addresses contain a digest of all of them; and the documents, which need no script.
//!
//! Decided in `docs/decisions/0043-portal.md`.

mod answers;
mod documents;
mod file;
mod pages;
mod settings;
mod shell;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

pub use documents::{DOCUMENTS, Document};
pub use pages::{Pages, PagesError};
pub use settings::Settings;

/// Where the pages lie on an origin.
pub const PATH: &str = "/portal";

/// What the handlers share.
#[derive(Clone, Debug)]
struct PortalState {
    pages: Arc<Pages>,
    settings: Arc<Settings>,
}

/// Makes the router of the shell, at every path of a page, of the documents and of the files.
pub fn router(pages: Pages, settings: Settings) -> Router {
    let state = PortalState { pages: Arc::new(pages), settings: Arc::new(settings) };
    Router::new()
        .route("/", get(answers::front_door))
        .route("/portal", get(answers::shell))
        .route("/portal/", get(answers::shell))
        .route("/portal/{*page}", get(answers::shell))
        .route("/portal/docs/reference", get(answers::shell))
        .route("/portal/docs/{*name}", get(answers::document))
        .route("/portal/files/{digest}/{*path}", get(answers::file))
        .with_state(state)
}

//! The portal: a web application that uses only the public API.
//!
//! This function serves the same content to everyone, without authentication. The shell contains the sign-in
//! settings and the addresses of the files. The addresses of the files contain a digest of all files. The
//! documents work without scripts.
//!
//! See `docs/decisions/0043-portal.md`.

mod answers;
mod base_map;
mod documents;
mod file;
mod pages;
mod settings;
mod shell;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use gateway::with_security_headers;

pub use base_map::{BaseMap, InvalidMapOrigin, InvalidStyleUrl, MapOrigin, StyleUrl};
pub use documents::{DOCUMENTS, Document};
pub use pages::{Pages, PagesError};
pub use settings::{Settings, SettingsError};

/// The path prefix of all portal pages.
pub const PATH: &str = "/portal";

/// The state shared by the handlers.
#[derive(Clone, Debug)]
struct PortalState {
    pages: Arc<Pages>,
    settings: Arc<Settings>,
}

/// Returns the portal's router. Every page's path serves the shell.
pub fn router(pages: Pages, settings: Settings) -> Router {
    let state = PortalState { pages: Arc::new(pages), settings: Arc::new(settings) };
    let router = Router::new()
        .route("/", get(answers::redirect_to_portal))
        .route("/llms.txt", get(answers::llms_txt))
        .route("/openapi.json", get(answers::description))
        .route("/portal", get(answers::shell))
        .route("/portal/", get(answers::shell))
        .route("/portal/{*page}", get(answers::shell))
        .route("/portal/docs/reference", get(answers::shell))
        .route("/portal/docs/{*name}", get(answers::document))
        .route("/portal/files/{digest}/{*path}", get(answers::file))
        .with_state(state);
    with_security_headers(router)
}

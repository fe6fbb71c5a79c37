//! An OpenID provider for this machine: the portal signs in locally as it does with the customers' Cognito.
//!
//! It speaks Cognito's dialect of OpenID Connect: authorization code with PKCE, and a logout of its own.
//! There are no passwords. Whoever can reach it may be anybody, so it answers this machine alone.

mod access;
mod authorization_request;
mod authorize;
mod chooser;
mod cookie;
mod discovery;
mod endpoints;
mod error;
mod issuer;
mod keys;
mod login;
mod logout;
mod page;
mod parameters;
mod people;
mod pkce;
mod sign_ins;
mod state;
mod token;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use shared::App;

use endpoints::{AUTHORIZE_PATH, LOGIN_PATH, LOGOUT_PATH, STYLE_PATH, TOKEN_PATH};
use people::People;
use sign_ins::SignIns;
use state::Provider;

pub use error::IssuerError;
pub use issuer::LocalIssuer;
pub(super) use issuer::TOKEN_SECONDS;

/// The largest form that is read, in bytes.
const MAX_FORM_BYTES: usize = 16 * 1024;

/// Makes the router of all endpoints, whose tokens live for some seconds.
pub(super) fn router(issuer: LocalIssuer, app: &App, token_seconds: u32) -> Router {
    let keys = issuer.router();
    let provider = Provider {
        people: People::of(&issuer),
        sign_ins: SignIns::new(app.random.clone()),
        clock: app.clock.clone(),
        issuer,
        token_seconds,
    };
    Router::new()
        .route(discovery::PATH, get(discovery::discover))
        .route(AUTHORIZE_PATH, get(authorize::authorize))
        .route(LOGIN_PATH, get(authorize::authorize).post(login::log_in))
        .route(TOKEN_PATH, post(token::give))
        .route(LOGOUT_PATH, get(logout::log_out))
        .route(STYLE_PATH, get(page::style))
        .route_layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .route_layer(from_fn(access::admit))
        .with_state(Arc::new(provider))
        .merge(keys)
}

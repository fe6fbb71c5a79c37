//! A local OpenID provider, which the portal uses for signing in, like Cognito in the cloud.
//!
//! It supports only the features that the portal needs: the authorization code flow with PKCE, refresh
//! tokens, and sign-out. It doesn't check passwords, so it accepts only loopback host names.
//!
//! See `docs/decisions/0044-local-sign-in.md`.

mod authorize;
mod issuer;
mod page;
mod sign_ins;
mod token;

use std::sync::Arc;

use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Json, Router};
use gateway::App;
use serde_json::{Value, json};

use crate::host_guard::{self, AllowedHosts};
use sign_ins::Provider;

pub use issuer::LocalIssuer;
pub(super) use issuer::TOKEN_SECONDS;

const AUTHORIZE_PATH: &str = "/oauth2/authorize";
const TOKEN_PATH: &str = "/oauth2/token";

/// Returns a router with the provider's endpoints.
pub(super) fn router(issuer: LocalIssuer, app: &App, token_seconds: u32) -> Router {
    let keys = issuer.router();
    Router::new()
        .route("/.well-known/openid-configuration", get(discover))
        .route(AUTHORIZE_PATH, get(authorize::ask).post(authorize::sign_in))
        .route(TOKEN_PATH, post(token::issue))
        .route("/logout", get(authorize::sign_out))
        .with_state(Arc::new(Provider::new(issuer, app, token_seconds)))
        .merge(keys)
        .layer(from_fn_with_state(AllowedHosts::default(), host_guard::admit))
}

/// Returns the provider's metadata (OpenID Connect Discovery 1.0, section 4).
async fn discover(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let origin = provider.issuer.origin();
    Json(json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}{AUTHORIZE_PATH}"),
        "token_endpoint": format!("{origin}{TOKEN_PATH}"),
        "jwks_uri": provider.issuer.issuer().jwks_url,
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    }))
}

//! What a client library asks first: which endpoints there are, and what they take.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::authorization_request::SCOPES;
use super::endpoints::{AUTHORIZE_PATH, LOGOUT_PATH, TOKEN_PATH};
use super::state::Provider;

/// The path of the document (OpenID Connect Discovery 1.0, section 4).
pub(super) const PATH: &str = "/.well-known/openid-configuration";

pub(super) async fn discover(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let origin = provider.origin();
    Json(json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}{AUTHORIZE_PATH}"),
        "token_endpoint": format!("{origin}{TOKEN_PATH}"),
        "jwks_uri": provider.issuer.issuer().jwks_url,
        "end_session_endpoint": format!("{origin}{LOGOUT_PATH}"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "scopes_supported": SCOPES,
        "claims_supported":
            ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "email", "email_verified"],
        "prompt_values_supported": ["none", "login"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
    }))
}

//! The token endpoint, which exchanges authorization codes and refresh tokens for ID tokens and access tokens
//! ([RFC 6749, 5](https://www.rfc-editor.org/rfc/rfc6749#section-5)).

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use serde::Deserialize;
use serde_json::json;

use super::sign_ins::Provider;

#[derive(Deserialize)]
#[serde(tag = "grant_type", rename_all = "snake_case")]
pub(super) enum TokenRequest {
    AuthorizationCode { code: String, code_verifier: String },
    RefreshToken { refresh_token: String },
}

/// Returns tokens. Returns a 400 if the code is unknown or already used, the verifier doesn't match it, or
/// the session is unknown or has ended.
pub(super) async fn issue(
    State(provider): State<Arc<Provider>>,
    Form(request): Form<TokenRequest>,
) -> Response {
    let granted = match request {
        TokenRequest::AuthorizationCode { code, code_verifier } => {
            provider.exchange(&code, &code_verifier).map(|grant| (grant.session, grant.nonce, true))
        }
        TokenRequest::RefreshToken { refresh_token } => Some((refresh_token, None, false)),
    };
    let session = granted.as_ref().and_then(|(id, ..)| provider.session(id));
    let (Some((id, nonce, is_new)), Some(session)) = (granted, session) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
    };
    let (issuer, now, seconds) = (&provider.issuer, provider.clock.now(), provider.token_seconds);
    let mut tokens = json!({
        "id_token": issuer.id_token(&session, nonce.as_deref(), now, seconds),
        "access_token": issuer.access_token(&session, now, seconds),
        "token_type": "Bearer",
        "expires_in": seconds,
    });
    // Refreshing keeps the refresh token, so it's returned only once.
    if is_new {
        tokens["refresh_token"] = json!(id);
    }
    ([(CACHE_CONTROL, "no-store")], Json(tokens)).into_response()
}

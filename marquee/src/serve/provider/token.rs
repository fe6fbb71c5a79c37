//! Gives tokens for codes and for refresh tokens
//! ([RFC 6749, 5](https://www.rfc-editor.org/rfc/rfc6749#section-5)).

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::issuer::{IssuerError, Times};
use super::state::Provider;

#[derive(Deserialize)]
#[serde(tag = "grant_type", rename_all = "snake_case")]
pub(super) enum TokenRequest {
    AuthorizationCode { code: String, code_verifier: String },
    RefreshToken { refresh_token: String },
}

#[derive(Serialize)]
struct Tokens {
    id_token: String,
    access_token: String,
    /// For a code only: a refresh token stays valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    token_type: &'static str,
    /// The lifetime of the ID token and the access token, in seconds.
    expires_in: u32,
}

pub(super) async fn issue(
    State(provider): State<Arc<Provider>>,
    Form(request): Form<TokenRequest>,
) -> Result<Response, IssuerError> {
    let Provider { issuer, sign_ins, clock, token_seconds } = &*provider;
    let (id, nonce, is_new) = match request {
        TokenRequest::AuthorizationCode { code, code_verifier } => {
            match sign_ins.exchange(&code, &code_verifier) {
                Some((id, nonce)) => (id, nonce, true),
                None => return Ok(invalid_grant()),
            }
        }
        TokenRequest::RefreshToken { refresh_token } => (refresh_token, None, false),
    };
    let Some(session) = sign_ins.session(&id) else { return Ok(invalid_grant()) };
    let expires_in = *token_seconds;
    let times = Times { signed_in: Some(session.began_at), now: clock.now(), seconds: expires_in };
    let tokens = Tokens {
        id_token: issuer.id_token(&session.person, nonce.as_deref(), &times)?,
        access_token: issuer.access_token(&session.person, &times)?,
        refresh_token: is_new.then_some(id),
        token_type: "Bearer",
        expires_in,
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(tokens)).into_response())
}

/// Refuses a code or a refresh token that is unknown, used or revoked, or a verifier of another challenge.
fn invalid_grant() -> Response {
    (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response()
}

impl IntoResponse for IssuerError {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, self.to_string()).into_response()
    }
}

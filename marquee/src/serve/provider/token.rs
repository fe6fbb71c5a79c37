//! Gives tokens for codes and for refresh tokens
//! ([RFC 6749, 5](https://www.rfc-editor.org/rfc/rfc6749#section-5)).

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde::Serialize;

use super::endpoints::CLIENT_ID;
use super::error::IssuerError;
use super::issuer::{Authentication, Lifetime};
use super::parameters::{Parameters, Repeated};
use super::sign_ins::{Exchanged, GrantError, Session};
use super::state::Provider;

const FORM: &str = "application/x-www-form-urlencoded";

#[derive(Serialize)]
pub(super) struct Tokens {
    id_token: String,
    access_token: String,
    /// For a code alone: a refresh token stays as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    token_type: &'static str,
    /// The lifetime of the first two, in seconds.
    expires_in: u32,
}

/// Why no tokens are given.
#[derive(Debug, thiserror::Error)]
pub(super) enum TokenError {
    #[error("the body must be of the type {FORM}")]
    ContentType,
    #[error(transparent)]
    Repeated(#[from] Repeated),
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("client_id must be {CLIENT_ID}")]
    Client,
    #[error("grant_type must be authorization_code or refresh_token")]
    GrantType,
    #[error("redirect_uri must be the one that the code was sent to, {expected}")]
    RedirectUri { expected: String },
    #[error(transparent)]
    Grant(#[from] GrantError),
    #[error(transparent)]
    Issuer(#[from] IssuerError),
}

#[derive(Serialize)]
struct ErrorBody {
    error: &'static str,
    error_description: String,
}

pub(super) async fn give(
    State(provider): State<Arc<Provider>>,
    headers: HeaderMap,
    form: Bytes,
) -> Result<Json<Tokens>, TokenError> {
    if !is_form(&headers) {
        return Err(TokenError::ContentType);
    }
    let parameters = Parameters::read(&form);
    parameters.each_once()?;
    if required(&parameters, "client_id")? != CLIENT_ID {
        return Err(TokenError::Client);
    }
    let tokens = match required(&parameters, "grant_type")? {
        "authorization_code" => for_code(&provider, &parameters)?,
        "refresh_token" => for_refresh_token(&provider, &parameters)?,
        _ => return Err(TokenError::GrantType),
    };
    Ok(Json(tokens))
}

/// A code needs no client of its own: there is one client, and one address that codes are sent to.
fn for_code(provider: &Provider, parameters: &Parameters) -> Result<Tokens, TokenError> {
    let code = required(parameters, "code")?;
    let verifier = required(parameters, "code_verifier")?;
    let expected = provider.redirect_uri();
    if required(parameters, "redirect_uri")? != expected {
        return Err(TokenError::RedirectUri { expected });
    }
    let exchanged = provider.sign_ins.exchange(code, verifier, provider.clock.now())?;
    let Exchanged { session, nonce, refresh_token } = exchanged;
    tokens(provider, &session, nonce.as_deref(), Some(refresh_token))
}

fn for_refresh_token(provider: &Provider, parameters: &Parameters) -> Result<Tokens, TokenError> {
    let token = required(parameters, "refresh_token")?;
    let session = provider.sign_ins.refresh(token, provider.clock.now())?;
    tokens(provider, &session, None, None)
}

fn tokens(
    provider: &Provider,
    session: &Session,
    nonce: Option<&str>,
    refresh_token: Option<String>,
) -> Result<Tokens, TokenError> {
    let Provider { issuer, clock, token_seconds, .. } = provider;
    let lifetime = Lifetime { starts: clock.now(), seconds: *token_seconds };
    let authentication = Authentication { time: session.began_at, nonce };
    Ok(Tokens {
        id_token: issuer.id_token(&session.person, Some(&authentication), lifetime)?,
        access_token: issuer.access_token(&session.person, &authentication, lifetime)?,
        refresh_token,
        token_type: "Bearer",
        expires_in: *token_seconds,
    })
}

fn required<'a>(parameters: &'a Parameters, name: &'static str) -> Result<&'a str, TokenError> {
    parameters.get(name).ok_or(TokenError::Missing(name))
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case(FORM)
}

impl TokenError {
    fn code(&self) -> &'static str {
        match self {
            Self::ContentType | Self::Repeated(_) | Self::Missing(_) => "invalid_request",
            Self::Client => "invalid_client",
            Self::GrantType => "unsupported_grant_type",
            Self::RedirectUri { .. } | Self::Grant(_) => "invalid_grant",
            Self::Issuer(_) => "server_error",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Issuer(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

impl IntoResponse for TokenError {
    fn into_response(self) -> Response {
        let body = ErrorBody { error: self.code(), error_description: self.to_string() };
        (self.status(), Json(body)).into_response()
    }
}

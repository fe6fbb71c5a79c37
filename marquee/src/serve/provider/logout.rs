//! Signs out in Cognito's dialect, which names the client and where to go then.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};

use super::endpoints::CLIENT_ID;
use super::parameters::Parameters;
use super::state::Provider;
use super::{cookie, page};

/// Why nobody is signed out.
#[derive(Debug, thiserror::Error)]
pub(super) enum LogoutError {
    #[error("client_id must be {CLIENT_ID}")]
    Client,
    #[error("logout_uri must be {expected}")]
    LogoutUri { expected: String },
}

pub(super) async fn log_out(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, LogoutError> {
    let parameters = Parameters::read(query.unwrap_or_default().as_bytes());
    if parameters.get("client_id") != Some(CLIENT_ID) {
        return Err(LogoutError::Client);
    }
    let logout_uri = provider.logout_uri();
    if parameters.get("logout_uri") != Some(&logout_uri) {
        return Err(LogoutError::LogoutUri { expected: logout_uri });
    }
    if let Some(id) = cookie::read(provider.origin(), &headers) {
        provider.sign_ins.end(id);
    }
    Ok(([(SET_COOKIE, cookie::clear(provider.origin()))], Redirect::to(&logout_uri)).into_response())
}

impl IntoResponse for LogoutError {
    fn into_response(self) -> Response {
        page::message(StatusCode::BAD_REQUEST, "You are not signed out", &self)
    }
}

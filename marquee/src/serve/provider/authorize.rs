//! Sends whoever is signed in back with a code, and asks everybody else who they are.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;

use super::authorization_request::{AuthorizationError, AuthorizationRequest, Prompt, Refusal};
use super::chooser::{self, Asked};
use super::state::Provider;

pub(super) async fn authorize(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let query = query.unwrap_or_default();
    let request = AuthorizationRequest::read(&query, provider.redirect_uri())?;
    match (provider.session(&headers), request.prompt) {
        (Some(session), None | Some(Prompt::None)) => Ok(provider.send_back(&request, &session)),
        (None, Some(Prompt::None)) => Err(request.refused(&AuthorizationError::LoginRequired)),
        (_, None | Some(Prompt::Login)) => Ok(chooser::page(&provider, &query, &Asked::default())),
    }
}

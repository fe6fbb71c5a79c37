//! Takes what was chosen on the page: who signs in.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use http::header::SET_COOKIE;
use shared::types::Person;

use super::authorization_request::{AuthorizationRequest, Refusal};
use super::chooser::{self, Asked, ChoiceError};
use super::cookie;
use super::parameters::Parameters;
use super::state::Provider;

/// Signs the chosen person in and sends them back with a code. The query is that of the authorization
/// request.
pub(super) async fn log_in(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    form: Bytes,
) -> Result<Response, Refusal> {
    let query = query.unwrap_or_default();
    let request = AuthorizationRequest::read(&query, provider.redirect_uri())?;
    let form = Parameters::read(&form);
    let person = match chosen(&provider, &form) {
        Ok(person) => person,
        Err(error) => {
            let asked =
                Asked { email: form.get("email"), is_verified: is_verified(&form), error: Some(error) };
            return Ok(chooser::page(&provider, &query, &asked));
        }
    };
    // A browser has one session, and nothing of the one before may outlive its sign-out.
    if let Some(earlier) = cookie::read(provider.origin(), &headers) {
        provider.sign_ins.end(earlier);
    }
    let session = provider.sign_ins.begin(person, provider.clock.now());
    let mut response = provider.send_back(&request, &session);
    response.headers_mut().insert(SET_COOKIE, cookie::set(provider.origin(), &session.id));
    Ok(response)
}

fn chosen(provider: &Provider, form: &Parameters) -> Result<Person, ChoiceError> {
    if let Some(subject) = form.get("person") {
        return provider.people.find(subject).ok_or(ChoiceError::Forgotten);
    }
    let email = form.get("email").unwrap_or_default().trim().parse()?;
    Ok(provider.people.make_up(email, is_verified(form)))
}

fn is_verified(form: &Parameters) -> bool {
    form.get("verified").is_some()
}

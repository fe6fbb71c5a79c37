//! The endpoints for signing in and out. Signing in redirects a person to the portal with an authorization
//! code.

use std::sync::Arc;

use accounting::InvalidId;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use store::Email;

use super::issuer::{CLIENT_ID, SCOPE};
use super::page;
use super::sign_ins::{CodeGrant, Provider};

/// The status and text for a request that the portal wouldn't send.
type Refusal = (StatusCode, String);

/// The query parameters of an authorization request ([RFC 6749,
/// 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1)) with a PKCE challenge ([RFC
/// 7636](https://www.rfc-editor.org/rfc/rfc7636)).
#[derive(Deserialize)]
pub(super) struct AuthorizationRequest {
    client_id: String,
    redirect_uri: String,
    response_type: String,
    scope: String,
    code_challenge: String,
    code_challenge_method: String,
    state: Option<String>,
    nonce: Option<String>,
    prompt: Option<String>,
}

/// The fields of the sign-in form.
#[derive(Deserialize)]
pub(super) struct Choice {
    email: String,
    /// Present if the checkbox is selected.
    verified: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct LogoutRequest {
    client_id: String,
    logout_uri: String,
}

/// Redirects a signed-in person to the portal with a code. Shows the sign-in page if they aren't signed in,
/// or if the request has a `prompt`.
pub(super) async fn ask(
    State(provider): State<Arc<Provider>>,
    Query(request): Query<AuthorizationRequest>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    request.check(&provider)?;
    match provider.session_of(&headers) {
        Some(session) if request.prompt.is_none() => Ok(request.grant(&provider, session).into_response()),
        _ => Ok(page::choose().into_response()),
    }
}

/// Signs in the selected person and redirects them to the portal with a code.
pub(super) async fn sign_in(
    State(provider): State<Arc<Provider>>,
    Query(request): Query<AuthorizationRequest>,
    Form(choice): Form<Choice>,
) -> Result<Response, Refusal> {
    request.check(&provider)?;
    let email: Email = choice.email.parse().map_err(|error: InvalidId| {
        (StatusCode::BAD_REQUEST, format!("email: {:?} {error}\n", choice.email))
    })?;
    let person = provider.issuer.person_at(email, choice.verified.is_some());
    let session = provider.begin(person);
    let cookie = provider.cookie(&session);
    Ok(([(SET_COOKIE, cookie)], request.grant(&provider, session)).into_response())
}

/// Signs the person out. As in Cognito, the parameters are the client ID and the page to return to.
pub(super) async fn sign_out(
    State(provider): State<Arc<Provider>>,
    Query(request): Query<LogoutRequest>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let LogoutRequest { client_id, logout_uri } = request;
    let expected = format!("{}/portal/signed-out", provider.issuer.origin());
    expect(&[("client_id", &client_id, CLIENT_ID), ("logout_uri", &logout_uri, &expected)])?;
    let cookie = provider.end(&headers);
    Ok(([(SET_COOKIE, cookie)], Redirect::to(&expected)).into_response())
}

impl AuthorizationRequest {
    fn check(&self, provider: &Provider) -> Result<(), Refusal> {
        let redirect_uri = format!("{}/portal/signed-in", provider.issuer.origin());
        expect(&[
            ("client_id", &self.client_id, CLIENT_ID),
            ("redirect_uri", &self.redirect_uri, &redirect_uri),
            ("response_type", &self.response_type, "code"),
            ("scope", &self.scope, SCOPE),
            ("code_challenge_method", &self.code_challenge_method, "S256"),
        ])
    }

    /// Creates a code for the session with the given ID and returns a redirect to the portal.
    fn grant(self, provider: &Provider, session: String) -> Redirect {
        let Self { redirect_uri, code_challenge, state, nonce, .. } = self;
        let code = provider.code(CodeGrant { session, code_challenge, nonce });
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("code", &code).extend_pairs(state.map(|state| ("state", state)));
        Redirect::to(&format!("{redirect_uri}?{}", query.finish()))
    }
}

/// Returns a 400 for the first parameter that differs from what the portal sends. Each item contains a name,
/// the actual value, and the expected value.
fn expect(parameters: &[(&str, &str, &str)]) -> Result<(), Refusal> {
    match parameters.iter().find(|(_, given, expected)| given != expected) {
        Some((name, _, expected)) => Err((StatusCode::BAD_REQUEST, format!("{name} must be {expected}\n"))),
        None => Ok(()),
    }
}

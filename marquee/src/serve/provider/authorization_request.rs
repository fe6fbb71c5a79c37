//! What the portal asks when somebody should sign in, and why it is refused.

use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;

use super::endpoints::CLIENT_ID;
use super::page;
use super::parameters::{Parameters, Repeated, query};
use super::pkce::CodeChallenge;

/// The scopes that there are; `email` says nothing more than `openid`, as with Cognito.
pub(super) const SCOPES: [&str; 2] = ["openid", "email"];

/// A request whose answer is a code.
pub(super) struct AuthorizationRequest {
    reply_to: ReplyTo,
    pub(super) nonce: Option<String>,
    pub(super) code_challenge: CodeChallenge,
    pub(super) prompt: Option<Prompt>,
}

/// Whether a person must, or must not, be asked who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    None,
    Login,
}

/// Where the answer goes, and what it repeats.
pub(super) struct ReplyTo {
    redirect_uri: String,
    state: Option<String>,
}

/// A request that is not granted.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// Nobody is redirected on the word of a client that is not known.
    #[error(transparent)]
    Untrusted(#[from] UntrustedRequest),
    #[error("redirected to {location}")]
    Redirected { location: String },
}

#[derive(Debug, thiserror::Error)]
pub(super) enum UntrustedRequest {
    #[error("client_id must be {CLIENT_ID}")]
    Client,
    #[error("redirect_uri must be {expected}")]
    RedirectUri { expected: String },
}

/// What a client is told of its request
/// ([RFC 6749, 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1), and
/// [OpenID Connect, 3.1.2.6](https://openid.net/specs/openid-connect-core-1_0.html#AuthError)).
#[derive(Debug, thiserror::Error)]
pub(super) enum AuthorizationError {
    #[error(transparent)]
    Repeated(#[from] Repeated),
    #[error("response_type is missing; it must be code")]
    NoResponseType,
    #[error("response_type must be code")]
    ResponseType,
    #[error("response_mode must be query")]
    ResponseMode,
    #[error("scope must have openid, and may have email")]
    Scope,
    #[error("code_challenge_method must be S256")]
    ChallengeMethod,
    #[error("code_challenge must be the SHA-256 of a verifier in 43 characters of base64url")]
    Challenge,
    #[error("prompt must be none or login")]
    Prompt,
    #[error("the parameter request is not supported")]
    RequestObject,
    #[error("the parameter request_uri is not supported")]
    RequestUri,
    #[error("nobody is signed in")]
    LoginRequired,
}

impl AuthorizationRequest {
    /// Reads the query of a request whose answer may go to one address alone.
    pub(super) fn read(query: &str, redirect_uri: String) -> Result<Self, Refusal> {
        let parameters = Parameters::read(query.as_bytes());
        if parameters.get("client_id") != Some(CLIENT_ID) {
            return Err(UntrustedRequest::Client.into());
        }
        if parameters.get("redirect_uri") != Some(&redirect_uri) {
            return Err(UntrustedRequest::RedirectUri { expected: redirect_uri }.into());
        }
        let reply_to = ReplyTo { redirect_uri, state: parameters.get("state").map(str::to_owned) };
        match checked(&parameters) {
            Ok((code_challenge, prompt)) => {
                let nonce = parameters.get("nonce").map(str::to_owned);
                Ok(Self { reply_to, nonce, code_challenge, prompt })
            }
            Err(error) => Err(reply_to.refusal(&error)),
        }
    }

    /// Sends the person back with a code.
    pub(super) fn granted(&self, code: &str) -> Response {
        Redirect::to(&self.reply_to.location(&[("code", Some(code))])).into_response()
    }

    /// Sends the person back with an error.
    pub(super) fn refused(&self, error: &AuthorizationError) -> Refusal {
        self.reply_to.refusal(error)
    }
}

fn checked(parameters: &Parameters) -> Result<(CodeChallenge, Option<Prompt>), AuthorizationError> {
    parameters.each_once()?;
    if parameters.get("request").is_some() {
        return Err(AuthorizationError::RequestObject);
    }
    if parameters.get("request_uri").is_some() {
        return Err(AuthorizationError::RequestUri);
    }
    match parameters.get("response_type") {
        Some("code") => {}
        Some(_) => return Err(AuthorizationError::ResponseType),
        None => return Err(AuthorizationError::NoResponseType),
    }
    if parameters.get("response_mode").is_some_and(|mode| mode != "query") {
        return Err(AuthorizationError::ResponseMode);
    }
    let scopes: Vec<_> = parameters.get("scope").unwrap_or_default().split(' ').collect();
    if !scopes.contains(&"openid") || !scopes.iter().all(|scope| SCOPES.contains(scope)) {
        return Err(AuthorizationError::Scope);
    }
    if parameters.get("code_challenge_method") != Some("S256") {
        return Err(AuthorizationError::ChallengeMethod);
    }
    let challenge = parameters.get("code_challenge").and_then(CodeChallenge::parse);
    let prompt = match parameters.get("prompt") {
        None => None,
        Some("none") => Some(Prompt::None),
        Some("login") => Some(Prompt::Login),
        Some(_) => return Err(AuthorizationError::Prompt),
    };
    Ok((challenge.ok_or(AuthorizationError::Challenge)?, prompt))
}

impl AuthorizationError {
    fn code(&self) -> &'static str {
        match self {
            Self::ResponseType => "unsupported_response_type",
            Self::Scope => "invalid_scope",
            Self::RequestObject => "request_not_supported",
            Self::RequestUri => "request_uri_not_supported",
            Self::LoginRequired => "login_required",
            Self::Repeated(_)
            | Self::NoResponseType
            | Self::ResponseMode
            | Self::ChallengeMethod
            | Self::Challenge
            | Self::Prompt => "invalid_request",
        }
    }
}

impl ReplyTo {
    fn location(&self, answer: &[(&str, Option<&str>)]) -> String {
        let answer = query(&[answer, &[("state", self.state.as_deref())]].concat());
        format!("{}?{answer}", self.redirect_uri)
    }

    fn refusal(&self, error: &AuthorizationError) -> Refusal {
        let description = error.to_string();
        let answer = [("error", Some(error.code())), ("error_description", Some(description.as_str()))];
        Refusal::Redirected { location: self.location(&answer) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Untrusted(untrusted) => {
                page::message(StatusCode::BAD_REQUEST, "Nobody can sign in by this address", &untrusted)
            }
            Self::Redirected { location } => Redirect::to(&location).into_response(),
        }
    }
}

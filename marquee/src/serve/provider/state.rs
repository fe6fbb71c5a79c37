//! What the endpoints share.

use axum::response::Response;
use http::HeaderMap;
use shared::runtime::Clock;

use super::authorization_request::AuthorizationRequest;
use super::cookie;
use super::issuer::LocalIssuer;
use super::people::People;
use super::sign_ins::{CodeGrant, Session, SignIns};

/// The provider of this process, with everybody who is signed in.
pub(super) struct Provider {
    pub(super) issuer: LocalIssuer,
    pub(super) people: People,
    pub(super) sign_ins: SignIns,
    pub(super) clock: Clock,
    /// The lifetime of the tokens that a sign-in gives, in seconds.
    pub(super) token_seconds: u32,
}

impl Provider {
    /// Returns the address of this process, such as `http://127.0.0.1:3000`.
    pub(super) fn origin(&self) -> &str {
        &self.issuer.issuer().issuer
    }

    /// Returns the only address that codes are sent to.
    pub(super) fn redirect_uri(&self) -> String {
        format!("{}/portal/signed-in", self.origin())
    }

    /// Returns the only address that people are sent to when they have signed out.
    pub(super) fn logout_uri(&self) -> String {
        format!("{}/portal/signed-out", self.origin())
    }

    /// Returns the session that a request's cookie names, while it lasts.
    pub(super) fn session(&self, headers: &HeaderMap) -> Option<Session> {
        self.sign_ins.session(cookie::read(self.origin(), headers)?)
    }

    /// Sends somebody who is signed in back to the client with a code.
    pub(super) fn send_back(&self, request: &AuthorizationRequest, session: &Session) -> Response {
        let grant = CodeGrant { challenge: request.code_challenge.clone(), nonce: request.nonce.clone() };
        request.granted(&self.sign_ins.code(session, grant, self.clock.now()))
    }
}

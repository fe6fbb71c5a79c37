//! The local provider's browser sessions and authorization codes, which exist only in memory.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use accounting::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gateway::App;
use http::HeaderMap;
use http::header::COOKIE;
use ring::digest::{SHA256, digest};
use runtime::{Clock, Random};
use store::Person;

use super::issuer::LocalIssuer;

/// The state that all of the provider's endpoints share.
pub(super) struct Provider {
    pub(super) issuer: LocalIssuer,
    pub(super) clock: Clock,
    random: Random,
    /// The lifetime of tokens, in seconds.
    pub(super) token_seconds: u32,
    /// The cookie's name and `=`. The name contains the port, because browsers send a cookie to all ports of
    /// a host.
    cookie_start: String,
    state: Mutex<SignInState>,
}

/// A signed-in person's browser session.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) person: Person,
    pub(super) began_at: Timestamp,
}

/// The data behind an authorization code.
pub(super) struct CodeGrant {
    /// The ID of the session for which the code was created.
    pub(super) session: String,
    pub(super) code_challenge: String,
    pub(super) nonce: Option<String>,
}

#[derive(Default)]
struct SignInState {
    /// The sessions by ID. A session's ID is the value of the browser's cookie and also the refresh token.
    sessions: HashMap<String, Session>,
    codes: HashMap<String, CodeGrant>,
}

impl Provider {
    pub(super) fn new(issuer: LocalIssuer, app: &App, token_seconds: u32) -> Self {
        let port = issuer.origin().rsplit(':').next().unwrap_or_default();
        let cookie_start = format!("marquee_session_{port}=");
        let (clock, random) = (app.clock.clone(), app.random.clone());
        Self { issuer, clock, random, token_seconds, cookie_start, state: Mutex::default() }
    }

    /// Starts a session and returns its ID.
    pub(super) fn begin(&self, person: Person) -> String {
        let id = self.secret();
        self.state().sessions.insert(id.clone(), Session { person, began_at: self.clock.now() });
        id
    }

    /// Returns the session ID from the request's cookie, or `None` if there isn't one or the session has
    /// ended.
    pub(super) fn session_of(&self, headers: &HeaderMap) -> Option<String> {
        let mut cookies = headers.get(COOKIE)?.to_str().ok()?.split("; ");
        let id = cookies.find_map(|cookie| cookie.strip_prefix(&self.cookie_start))?;
        self.state().sessions.contains_key(id).then(|| id.to_owned())
    }

    /// Returns the session with the given ID, or `None` if it's unknown or has ended.
    pub(super) fn session(&self, id: &str) -> Option<Session> {
        self.state().sessions.get(id).cloned()
    }

    /// Returns a cookie with a session ID. Browsers delete it when they close.
    pub(super) fn cookie(&self, id: &str) -> String {
        format!("{}{id}; Path=/; HttpOnly; SameSite=Lax", self.cookie_start)
    }

    /// Ends the session in the request's cookie, if any. Returns a cookie that deletes the browser's cookie.
    pub(super) fn end(&self, headers: &HeaderMap) -> String {
        if let Some(id) = self.session_of(headers) {
            self.state().sessions.remove(&id);
        }
        self.cookie("; Max-Age=0")
    }

    pub(super) fn code(&self, grant: CodeGrant) -> String {
        let code = self.secret();
        self.state().codes.insert(code.clone(), grant);
        code
    }

    /// Exchanges a code for its grant. Each code works only once. Returns `None` if the code is unknown, or
    /// if the verifier's SHA-256 digest doesn't match the code's challenge.
    pub(super) fn exchange(&self, code: &str, verifier: &str) -> Option<CodeGrant> {
        let grant = self.state().codes.remove(code)?;
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
        (challenge == grant.code_challenge).then_some(grant)
    }

    fn state(&self) -> MutexGuard<'_, SignInState> {
        self.state.lock().expect("the lock isn't poisoned")
    }

    fn secret(&self) -> String {
        hex::encode(self.random.bytes::<32>())
    }
}

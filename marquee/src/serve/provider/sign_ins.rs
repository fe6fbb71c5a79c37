//! The sessions and authorization codes of this process, kept in memory.

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

/// The state that the endpoints share.
pub(super) struct Provider {
    pub(super) issuer: LocalIssuer,
    pub(super) clock: Clock,
    random: Random,
    /// The lifetime of the tokens, in seconds.
    pub(super) token_seconds: u32,
    /// The start of the cookie, `name=`. The name contains the port, because browsers send a cookie to all
    /// ports of a host.
    cookie_start: String,
    held: Mutex<Held>,
}

/// A browser session of a person who is signed in.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) person: Person,
    pub(super) began_at: Timestamp,
}

/// The data of an authorization code: its session, and the challenge for the exchange.
pub(super) struct CodeGrant {
    /// The session's ID.
    pub(super) session: String,
    pub(super) code_challenge: String,
    pub(super) nonce: Option<String>,
}

#[derive(Default)]
struct Held {
    /// Sessions by ID. The ID is both the value of the browser's cookie and the refresh token.
    sessions: HashMap<String, Session>,
    codes: HashMap<String, CodeGrant>,
}

impl Provider {
    pub(super) fn new(issuer: LocalIssuer, app: &App, token_seconds: u32) -> Self {
        let port = issuer.origin().rsplit(':').next().unwrap_or_default();
        let cookie_start = format!("marquee_session_{port}=");
        let (clock, random) = (app.clock.clone(), app.random.clone());
        Self { issuer, clock, random, token_seconds, cookie_start, held: Mutex::default() }
    }

    /// Starts a session for a person, and returns its ID.
    pub(super) fn begin(&self, person: Person) -> String {
        let id = self.secret();
        self.held().sessions.insert(id.clone(), Session { person, began_at: self.clock.now() });
        id
    }

    /// Returns the ID of the session that a request's cookie names, while it lasts.
    pub(super) fn session_of(&self, headers: &HeaderMap) -> Option<String> {
        let mut cookies = headers.get(COOKIE)?.to_str().ok()?.split("; ");
        let id = cookies.find_map(|cookie| cookie.strip_prefix(&self.cookie_start))?;
        self.held().sessions.contains_key(id).then(|| id.to_owned())
    }

    /// Returns the session with an ID.
    pub(super) fn session(&self, id: &str) -> Option<Session> {
        self.held().sessions.get(id).cloned()
    }

    /// Returns a cookie with a session's ID, which the browser keeps until it closes.
    pub(super) fn cookie(&self, id: &str) -> String {
        format!("{}{id}; Path=/; HttpOnly; SameSite=Lax", self.cookie_start)
    }

    /// Ends the session in a request's cookie, and returns a cookie that deletes it.
    pub(super) fn end(&self, headers: &HeaderMap) -> String {
        if let Some(id) = self.session_of(headers) {
            self.held().sessions.remove(&id);
        }
        self.cookie("; Max-Age=0")
    }

    /// Creates an authorization code.
    pub(super) fn code(&self, grant: CodeGrant) -> String {
        let code = self.secret();
        self.held().codes.insert(code.clone(), grant);
        code
    }

    /// Exchanges a code, which works once. The SHA-256 hash of the verifier must match the code's challenge.
    pub(super) fn exchange(&self, code: &str, verifier: &str) -> Option<CodeGrant> {
        let grant = self.held().codes.remove(code)?;
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
        (challenge == grant.code_challenge).then_some(grant)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("the lock isn't poisoned")
    }

    fn secret(&self) -> String {
        hex::encode(self.random.bytes::<32>())
    }
}

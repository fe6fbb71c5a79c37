//! The sessions and codes of this process. Nothing of them outlives it.

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

/// What the endpoints share.
pub(super) struct Provider {
    pub(super) issuer: LocalIssuer,
    pub(super) clock: Clock,
    random: Random,
    /// The lifetime of the tokens that a sign-in gives, in seconds.
    pub(super) token_seconds: u32,
    /// The start of the cookie, `name=`. Browsers send a cookie to all ports of a host, so the name has the
    /// port.
    cookie_start: String,
    held: Mutex<Held>,
}

/// A person who has signed in with a browser.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) person: Person,
    pub(super) began_at: Timestamp,
}

/// What a code is exchanged for, and the challenge that the exchange has to meet.
pub(super) struct CodeGrant {
    /// The session's id.
    pub(super) session: String,
    pub(super) code_challenge: String,
    pub(super) nonce: Option<String>,
}

#[derive(Default)]
struct Held {
    /// By their ids: the browser's cookie holds the id, and it is also the refresh token.
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

    /// Signs a person in, and returns the session's id.
    pub(super) fn begin(&self, person: Person) -> String {
        let id = self.secret();
        self.held().sessions.insert(id.clone(), Session { person, began_at: self.clock.now() });
        id
    }

    /// Returns the id of the session that a request's cookie names, while it lasts.
    pub(super) fn session_of(&self, headers: &HeaderMap) -> Option<String> {
        let mut cookies = headers.get(COOKIE)?.to_str().ok()?.split("; ");
        let id = cookies.find_map(|cookie| cookie.strip_prefix(&self.cookie_start))?;
        self.held().sessions.contains_key(id).then(|| id.to_owned())
    }

    /// Finds a session by its id.
    pub(super) fn session(&self, id: &str) -> Option<Session> {
        self.held().sessions.get(id).cloned()
    }

    /// Returns the cookie that holds a session's id until the browser ends.
    pub(super) fn cookie(&self, id: &str) -> String {
        format!("{}{id}; Path=/; HttpOnly; SameSite=Lax", self.cookie_start)
    }

    /// Ends the session that a request's cookie names, and returns the cookie that replaces it.
    pub(super) fn end(&self, headers: &HeaderMap) -> String {
        if let Some(id) = self.session_of(headers) {
            self.held().sessions.remove(&id);
        }
        self.cookie("; Max-Age=0")
    }

    /// Makes a code.
    pub(super) fn code(&self, grant: CodeGrant) -> String {
        let code = self.secret();
        self.held().codes.insert(code.clone(), grant);
        code
    }

    /// Exchanges a code, once. The SHA-256 of the verifier must be the code's challenge.
    pub(super) fn exchange(&self, code: &str, verifier: &str) -> Option<CodeGrant> {
        let grant = self.held().codes.remove(code)?;
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
        (challenge == grant.code_challenge).then_some(grant)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no holder of the lock panics")
    }

    fn secret(&self) -> String {
        hex::encode(self.random.bytes::<32>())
    }
}

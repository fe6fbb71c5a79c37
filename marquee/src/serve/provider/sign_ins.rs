//! Who is signed in, and what has been handed out on their behalf. Nothing of it outlives the process.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use shared::runtime::Random;
use shared::types::{Person, Timestamp};

use super::pkce::CodeChallenge;

/// How many of each are kept; the oldest make room.
const KEPT: NonZeroUsize = NonZeroUsize::new(1_000).expect("not 0");

/// The lifetime of a code, in seconds.
const CODE_SECONDS: i64 = 60;

/// The lifetime of a refresh token, in seconds.
const REFRESH_SECONDS: i64 = 24 * 60 * 60;

pub(super) struct SignIns {
    random: Random,
    held: Mutex<Held>,
}

/// Somebody who has signed in with a browser.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// What the browser's cookie holds.
    pub(super) id: String,
    pub(super) person: Person,
    /// When they said who they are.
    pub(super) began_at: Timestamp,
}

/// What a code is good for.
#[derive(Clone, Debug)]
pub(super) struct CodeGrant {
    pub(super) challenge: CodeChallenge,
    pub(super) nonce: Option<String>,
}

/// What a code was exchanged for.
#[derive(Debug)]
pub(super) struct Exchanged {
    pub(super) session: Session,
    pub(super) nonce: Option<String>,
    pub(super) refresh_token: String,
}

/// Why a code or a refresh token is not taken.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum GrantError {
    #[error("the code is not known, or has expired; a code lives for {CODE_SECONDS} seconds")]
    UnknownCode,
    #[error("the code was used before; what it gave is revoked")]
    UsedCode,
    #[error("code_verifier is not the one of the code's code_challenge")]
    Verifier,
    #[error("the refresh token is not known, has expired or was revoked; sign in again")]
    RefreshToken,
}

/// All by their secrets. Nothing is moved when it is read, so the oldest is what makes room.
struct Held {
    sessions: LruCache<String, Session>,
    codes: LruCache<String, Code>,
    refresh_tokens: LruCache<String, RefreshToken>,
}

struct Code {
    session: Session,
    grant: CodeGrant,
    expires_at: Timestamp,
    is_used: bool,
}

struct RefreshToken {
    session: Session,
    /// The code that gave it.
    code: String,
    expires_at: Timestamp,
}

impl SignIns {
    pub(super) fn new(random: Random) -> Self {
        let held = Held {
            sessions: LruCache::new(KEPT),
            codes: LruCache::new(KEPT),
            refresh_tokens: LruCache::new(KEPT),
        };
        Self { random, held: Mutex::new(held) }
    }

    /// Signs somebody in.
    pub(super) fn begin(&self, person: Person, now: Timestamp) -> Session {
        let session = Session { id: self.secret(), person, began_at: now };
        self.held().sessions.put(session.id.clone(), session.clone());
        session
    }

    pub(super) fn session(&self, id: &str) -> Option<Session> {
        self.held().sessions.peek(id).cloned()
    }

    /// Signs somebody out: the session's codes and refresh tokens go with it.
    pub(super) fn end(&self, id: &str) {
        let mut held = self.held();
        held.sessions.pop(id);
        held.codes.retain(|_, code| code.session.id != id);
        held.refresh_tokens.retain(|_, token| token.session.id != id);
    }

    /// Makes a code for somebody who is signed in.
    pub(super) fn code(&self, session: &Session, grant: CodeGrant, now: Timestamp) -> String {
        let code = self.secret();
        let expires_at = now.plus_seconds(CODE_SECONDS);
        let held = Code { session: session.clone(), grant, expires_at, is_used: false };
        self.held().codes.put(code.clone(), held);
        code
    }

    /// Exchanges a code, once. One that comes twice may have been stolen, so nobody keeps what it gave
    /// ([RFC 6749, 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2)).
    pub(super) fn exchange(
        &self,
        code: &str,
        verifier: &str,
        now: Timestamp,
    ) -> Result<Exchanged, GrantError> {
        let refresh_token = self.secret();
        let Held { codes, refresh_tokens, .. } = &mut *self.held();
        let held = codes.peek_mut(code).ok_or(GrantError::UnknownCode)?;
        if held.is_used {
            refresh_tokens.retain(|_, token| token.code != code);
            return Err(GrantError::UsedCode);
        }
        if held.expires_at <= now {
            return Err(GrantError::UnknownCode);
        }
        if !held.grant.challenge.is_of(verifier) {
            return Err(GrantError::Verifier);
        }
        held.is_used = true;
        let session = held.session.clone();
        let expires_at = now.plus_seconds(REFRESH_SECONDS);
        let token = RefreshToken { session: session.clone(), code: code.to_owned(), expires_at };
        refresh_tokens.put(refresh_token.clone(), token);
        Ok(Exchanged { session, nonce: held.grant.nonce.clone(), refresh_token })
    }

    /// Finds who a refresh token is of; it stays good until it expires, as Cognito's do.
    pub(super) fn refresh(&self, token: &str, now: Timestamp) -> Result<Session, GrantError> {
        let held = self.held();
        let found = held.refresh_tokens.peek(token).filter(|token| now < token.expires_at);
        found.map(|token| token.session.clone()).ok_or(GrantError::RefreshToken)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn secret(&self) -> String {
        hex::encode(self.random.bytes::<32>())
    }
}

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

#[cfg(test)]
mod tests {
    use shared::types::Subject;

    use super::*;

    const NOW_SECONDS: i64 = 1_800_000_000;

    /// The pair of RFC 7636, appendix B.
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    fn sign_in() -> (SignIns, Session) {
        let sign_ins = SignIns::new(Random::seeded(7));
        let subject = Subject::new("http://127.0.0.1:3000", "somebody");
        let session = sign_ins.begin(Person { subject, email: None, is_email_verified: false }, after(0));
        (sign_ins, session)
    }

    fn after(seconds: i64) -> Timestamp {
        Timestamp::from_unix_seconds(NOW_SECONDS + seconds)
    }

    fn grant() -> CodeGrant {
        CodeGrant { challenge: CodeChallenge::parse(CHALLENGE).expect("a challenge"), nonce: None }
    }

    #[test]
    fn a_code_lives_for_a_minute_and_a_refresh_token_for_a_day() {
        let (sign_ins, session) = sign_in();
        let (used, late) =
            (sign_ins.code(&session, grant(), after(0)), sign_ins.code(&session, grant(), after(0)));
        let exchanged = sign_ins.exchange(&used, VERIFIER, after(59)).expect("tokens");
        let refused = sign_ins.exchange(&late, VERIFIER, after(60));
        assert_eq!(refused.map(|_| ()), Err(GrantError::UnknownCode));
        for (seconds, is_taken) in [(59 + 86_399, true), (59 + 86_400, false)] {
            let renewed = sign_ins.refresh(&exchanged.refresh_token, after(seconds));
            assert_eq!(renewed.is_ok(), is_taken, "{seconds}");
        }
    }

    #[test]
    fn a_session_ends_with_its_codes_and_no_others() {
        let (sign_ins, session) = sign_in();
        let other = sign_ins.begin(session.person.clone(), after(0));
        let (code, others) =
            (sign_ins.code(&session, grant(), after(0)), sign_ins.code(&other, grant(), after(0)));
        sign_ins.end(&session.id);
        assert!(sign_ins.session(&session.id).is_none() && sign_ins.session(&other.id).is_some());
        assert!(sign_ins.exchange(&code, VERIFIER, after(0)).is_err());
        assert!(sign_ins.exchange(&others, VERIFIER, after(0)).is_ok());
    }

    #[test]
    fn a_thousand_of_each_are_kept_and_the_oldest_make_room() {
        let (sign_ins, first) = sign_in();
        let mut last = first.clone();
        for _ in 0..KEPT.get() {
            // Being read does not keep one.
            let _ = sign_ins.session(&first.id);
            last = sign_ins.begin(first.person.clone(), after(0));
        }
        assert!(sign_ins.session(&first.id).is_none() && sign_ins.session(&last.id).is_some());
        let codes: Vec<_> = (0..=KEPT.get()).map(|_| sign_ins.code(&last, grant(), after(0))).collect();
        assert_eq!(
            sign_ins.exchange(&codes[0], VERIFIER, after(0)).map(|_| ()),
            Err(GrantError::UnknownCode)
        );
        let mut tokens = Vec::new();
        for code in &codes[1..] {
            tokens.push(sign_ins.exchange(code, VERIFIER, after(0)).expect("tokens").refresh_token);
        }
        let more = sign_ins.code(&last, grant(), after(0));
        sign_ins.exchange(&more, VERIFIER, after(0)).expect("tokens");
        assert!(
            sign_ins.refresh(&tokens[0], after(0)).is_err() && sign_ins.refresh(&tokens[1], after(0)).is_ok()
        );
    }
}

use std::net::IpAddr;

use subtle::ConstantTimeEq;

use super::Admissions;
use super::identify::{Denied, Identity};
use super::open::{new_account, with_grant};
use crate::types::{AccountKey, Credits, GrantId, GrantKind, SessionId, Tier, hex, sha256_hex};

/// The credits of an anonymous session (Specification, Access tiers).
const SESSION_CREDITS: Credits = 100;

/// How long a session lasts from its first request, in seconds.
const SESSION_SECONDS: i64 = 24 * 60 * 60;

/// A session's token: where the session is, and the proof that it is the caller's.
struct Token {
    session: SessionId,
    secret: String,
}

impl Admissions {
    /// Finds the caller's session: the one that a valid token names, else the one of the client's address, which is
    /// opened unless it is open. Losing the token therefore never yields new credits.
    pub(super) async fn session(&self, token: Option<&str>, address: IpAddr) -> Result<Identity, Denied> {
        let now = self.clock.now();
        if let Some(token) = token.and_then(Token::parse) {
            let key = AccountKey::Session(token.session.clone());
            let open = self.accounts.read_session(&key, now).await.map_err(Denied::Store)?;
            if let Some((account, _)) = open.filter(|(_, digest)| token.proves(digest)) {
                self.copies.remember(key.clone(), account, now);
                return Ok(Identity::Session { key, token: None });
            }
        }
        let session = SessionId::of_address(address);
        let key = AccountKey::Session(session.clone());
        let token = Token { session, secret: hex(&self.random.bytes::<16>()) };
        let mut account = new_account(Tier::Anonymous, 0, now);
        let ends_at = now.plus_seconds(SESSION_SECONDS);
        account.ends_at = Some(ends_at);
        let grant = GrantId::from_random(self.random.bytes());
        let account = with_grant(account, grant, GrantKind::Promotional, SESSION_CREDITS, Some(ends_at));
        let opened = self.accounts.open_session(&key, &account, &token.digest(), now).await;
        let (account, digest) = opened.map_err(Denied::Store)?;
        self.copies.remember(key.clone(), account, now);
        let is_ours = token.proves(&digest);
        Ok(Identity::Session { key, token: is_ours.then(|| token.to_text()) })
    }
}

impl Token {
    fn parse(text: &str) -> Option<Self> {
        let (session, secret) = text.strip_prefix("mqs_")?.split_once('_')?;
        Some(Self { session: session.parse().ok()?, secret: secret.to_owned() })
    }

    fn to_text(&self) -> String {
        format!("mqs_{}_{}", self.session.as_str(), self.secret)
    }

    /// Only a digest of the secret is stored.
    fn digest(&self) -> String {
        sha256_hex(&[self.secret.as_bytes()])
    }

    fn proves(&self, digest: &str) -> bool {
        self.digest().as_bytes().ct_eq(digest.as_bytes()).into()
    }
}

//! Anonymous sessions: one for each token that is proved, else one for each address.

use std::net::IpAddr;

use subtle::ConstantTimeEq;

use super::admissions::Admissions;
use super::error::AdmissionError;
use super::grants::session_account;
use super::identity::Identity;
use crate::dynamo::OpenSession;
use crate::types::{AccountKey, GrantId, SessionId, sha256_hex};

/// A session's token: where the session is, and the proof that it is the caller's.
struct Token {
    session: SessionId,
    secret: String,
}

impl Admissions {
    /// Finds the caller's session: the one that a valid token names, else the one of the client's address,
    /// which is opened unless it is open. Losing the token therefore never yields new credits.
    pub(super) async fn session(
        &self,
        token: Option<&str>,
        address: IpAddr,
    ) -> Result<Identity, AdmissionError> {
        let now = self.clock.now();
        if let Some(token) = token.and_then(Token::parse) {
            let open = self.accounts.read_session(&token.session, now).await?;
            if let Some(OpenSession { account, .. }) = open.filter(|open| token.proves(&open.token_digest)) {
                self.cached_accounts.insert(AccountKey::Session(token.session.clone()), account, now);
                return Ok(Identity::Session { id: token.session, token: None });
            }
        }
        let id = SessionId::of_address(address);
        self.check_clock(&AccountKey::Session(id.clone())).await?;
        let token = Token { session: id.clone(), secret: hex::encode(self.random.bytes::<16>()) };
        let account = session_account(GrantId::from_random(self.random.bytes()), now);
        let opened = self.accounts.open_session(&id, &account, token.digest(), now).await?;
        self.cached_accounts.insert(AccountKey::Session(id.clone()), opened.account, now);
        let is_ours = token.proves(&opened.token_digest);
        Ok(Identity::Session { id, token: is_ours.then(|| token.to_text()) })
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

//! Anonymous sessions. A client with a valid token uses the token's session. Clients without one share a
//! session per IP address.

use std::net::IpAddr;

use accounting::{AccountKey, GrantId, Holder, SessionId, Timestamp, session_account, sha256_hex};
use store::OpenSession;
use subtle::ConstantTimeEq;

use super::admissions::Admissions;
use super::identity::Identity;
use super::not_admitted::NotAdmitted;

/// A session token, with the session's ID and a secret that proves ownership.
struct Token {
    session: SessionId,
    secret: String,
}

impl Admissions {
    /// Returns the caller's session. Without a valid token, returns the session for the client's IP address,
    /// and opens it if necessary, so a client can't get new credits by dropping its token.
    pub(super) async fn session(
        &self,
        token: Option<&str>,
        address: IpAddr,
    ) -> Result<Identity, NotAdmitted> {
        let now = self.clock.now();
        let token = token.and_then(Token::parse);
        let of_address = SessionId::of_address(address);
        if let Some(known) = self.known_session(token.as_ref(), &of_address, now) {
            return Ok(known);
        }
        if let Some(token) = token {
            let open = self.accounts.read_session(&token.session, now).await?;
            if let Some(OpenSession { account, .. }) = open.filter(|open| token.proves(&open.token_digest)) {
                self.sessions.insert(token.session.clone(), token.digest(), now);
                self.cached_accounts.insert(AccountKey::Session(token.session.clone()), account, now);
                return Ok(Identity::Session { id: token.session, token: None });
            }
        }
        let id = of_address;
        self.accounts.check_clock(&AccountKey::Session(id.clone())).await?;
        let token = Token { session: id.clone(), secret: hex::encode(self.random.bytes::<16>()) };
        let account = session_account(GrantId::from_random(self.random.bytes()), now);
        let opened = self.accounts.open_session(&id, &account, token.digest(), now).await?;
        self.cached_accounts.insert(AccountKey::Session(id.clone()), opened.account, now);
        let is_ours = token.proves(&opened.token_digest);
        self.sessions.insert(id.clone(), opened.token_digest, now);
        Ok(Identity::Session { id, token: is_ours.then(|| token.to_text()) })
    }

    /// Finds an open session in the cache by its token or, without a token, by IP address. This way, calls
    /// from a session without credits cause neither reads nor writes.
    fn known_session(
        &self,
        token: Option<&Token>,
        of_address: &SessionId,
        now: Timestamp,
    ) -> Option<Identity> {
        let id = token.map_or(of_address, |token| &token.session);
        let digest = self.sessions.get(id, now)?;
        if token.is_some_and(|token| !token.proves(&digest)) {
            return None;
        }
        let account = self.cached_accounts.get(&AccountKey::Session(id.clone()), now)?.account;
        let is_open = match account.holder {
            Holder::Session { ends_at } => ends_at > now,
            Holder::Organization(_) => false,
        };
        is_open.then(|| Identity::Session { id: id.clone(), token: None })
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

    /// Returns the secret's digest, which is stored in place of the secret.
    fn digest(&self) -> String {
        sha256_hex(&[self.secret.as_bytes()])
    }

    fn proves(&self, digest: &str) -> bool {
        self.digest().as_bytes().ct_eq(digest.as_bytes()).into()
    }
}

use std::net::IpAddr;

use super::bearer::BearerFailure;
use super::{Admissions, Refusal, Subject};
use crate::dynamo::{Key, StoreError};
use crate::types::{Account, AccountKey, ApiKey, Audience, KeyId, OrgId, Product, Scope};

/// How long a warm process remembers a key or a subject, in seconds: a revoked key is dead within that time.
const MEMORY_SECONDS: i64 = 30;

/// The credentials that a request presents, as they arrived.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presented<'a> {
    /// `X-API-Key`.
    pub api_key: Option<&'a str>,
    /// `apikey`.
    pub search_key: Option<&'a str>,
    /// `Authorization`.
    pub authorization: Option<&'a str>,
    /// `X-Session-Token`.
    pub session_token: Option<&'a str>,
    /// The client's address, as the gateway saw it.
    pub address: Option<IpAddr>,
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// An integration, by its API key.
    Key {
        /// Its organization.
        org: OrgId,
        /// The key's handle.
        id: KeyId,
    },
    /// A person, by a bearer token.
    Bearer {
        /// The organization that the person was mapped to.
        org: OrgId,
    },
    /// An anonymous session.
    Session {
        /// Its account.
        key: AccountKey,
        /// The token to hand out, when the session was opened by this request.
        token: Option<String>,
    },
    /// Anybody, on a public product.
    Public,
}

impl Identity {
    /// Returns the organization that calls.
    pub fn org(&self) -> Option<&OrgId> {
        match self {
            Self::Key { org, .. } | Self::Bearer { org } => Some(org),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the account that is charged.
    pub fn account(&self) -> Option<AccountKey> {
        match self {
            Self::Key { org, .. } | Self::Bearer { org } => Some(AccountKey::Org(org.clone())),
            Self::Session { key, .. } => Some(key.clone()),
            Self::Public => None,
        }
    }
}

/// Why a caller is not let in.
#[derive(Debug)]
pub enum Denied {
    /// Missing or invalid credentials: what to do about it.
    Unauthorized(&'static str),
    /// Two kinds of credentials at once.
    Ambiguous,
    /// Valid credentials that do not suffice: why.
    Forbidden(String),
    /// A key that was not minted for this.
    ScopeMissing {
        /// What it lacks.
        scope: Scope,
        /// Its organization.
        org: OrgId,
        /// The organization's account, for the headers; `None` when it could not be read.
        account: Option<Box<Account>>,
    },
    /// Too many calls or too few credits, and the account that says so.
    Refused(Refusal, Box<Account>),
    /// The issuer of bearer tokens cannot be reached.
    IssuerUnavailable,
    /// The database did not say in time whether the call is charged.
    Unanswered,
    /// Storage failed.
    Store(StoreError),
}

impl Admissions {
    /// Finds out who calls, and whether a product is for them at a door that takes an audience's credentials; `safe`
    /// calls only read.
    ///
    /// # Errors
    ///
    /// Why the caller is not let in. Nothing has been charged then.
    pub async fn identify(
        &self,
        product: Product,
        audience: Audience,
        safe: bool,
        presented: Presented<'_>,
    ) -> Result<Identity, Denied> {
        let (key, misplaced_key) = match audience {
            Audience::Open => return Ok(Identity::Public),
            Audience::SearchKey => (presented.search_key, presented.api_key),
            Audience::Public | Audience::Key | Audience::KeyOrBearer | Audience::Anyone => {
                (presented.api_key, presented.search_key)
            }
        };
        match (key, presented.authorization) {
            (Some(_), Some(_)) => Err(Denied::Ambiguous),
            (Some(key), None) => self.by_key(key, product.scope(safe)).await,
            (None, Some(authorization)) => self.by_bearer(authorization, audience).await,
            // It must not pass as nobody's: an integration would take itself for verified, or run out of a session.
            (None, None) if misplaced_key.is_some() => Err(Denied::Unauthorized(missing(audience, &presented))),
            (None, None) => match (audience, presented.address) {
                (Audience::Public, _) => Ok(Identity::Public),
                (Audience::Anyone, Some(address)) if !product.is_historical() => {
                    self.session(presented.session_token, address).await
                }
                _ => Err(Denied::Unauthorized(missing(audience, &presented))),
            },
        }
    }

    async fn by_key(&self, text: &str, scope: Option<Scope>) -> Result<Identity, Denied> {
        // The shape is checked first: nonsense must not cost a read.
        let Ok(key) = text.parse::<ApiKey>() else {
            return Err(Denied::Unauthorized("the API key is not one: a key is `mq_live_` and 64 hexadecimal digits"));
        };
        let digest = key.digest();
        let now = self.clock.now();
        let key = match self.keys.recall(&digest, now, MEMORY_SECONDS) {
            Some(key) => key,
            None => {
                let found = self.credentials.key(&digest).await.map_err(Denied::Store)?;
                let key = found.ok_or(Denied::Unauthorized("the API key is unknown"))?;
                self.keys.remember(digest, key.clone(), now);
                key
            }
        };
        let Key { org, id, scopes, revoked_at, .. } = key;
        if revoked_at.is_some() {
            return Err(Denied::Unauthorized("the API key was revoked; mint a new one"));
        }
        if let Some(scope) = scope.filter(|scope| !scopes.contains(*scope)) {
            let account = self.glance(&AccountKey::Org(org.clone())).await.map(Box::new);
            return Err(Denied::ScopeMissing { scope, org, account });
        }
        Ok(Identity::Key { org, id })
    }

    async fn by_bearer(&self, authorization: &str, audience: Audience) -> Result<Identity, Denied> {
        if authorization.split_whitespace().any(|word| word.starts_with("mq_live_")) {
            return Err(Denied::Unauthorized(match audience {
                Audience::SearchKey => "an API key goes into `apikey`, not into `Authorization`",
                Audience::Open | Audience::Public | Audience::Key | Audience::KeyOrBearer | Audience::Anyone => {
                    "an API key goes into `X-API-Key`, not into `Authorization`"
                }
            }));
        }
        let token = match authorization.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => {
                return Err(Denied::Unauthorized("`Authorization` must be `Bearer` and a token"));
            }
        };
        let bearer = self.bearer.as_ref().ok_or(Denied::Unauthorized("bearer tokens are not accepted here"))?;
        let now = self.clock.now();
        let subject = bearer.verify(token, now).await.map_err(|failure| match failure {
            BearerFailure::Invalid(why) => Denied::Unauthorized(why),
            BearerFailure::Unavailable => Denied::IssuerUnavailable,
        })?;
        match audience {
            Audience::Open | Audience::Public | Audience::KeyOrBearer | Audience::Anyone => {}
            Audience::Key => {
                return Err(Denied::Forbidden("call this with an API key in `X-API-Key`".to_owned()));
            }
            Audience::SearchKey => {
                return Err(Denied::Forbidden("call this with an API key in `apikey`".to_owned()));
            }
        }
        let org = self.org_of(subject).await?;
        Ok(Identity::Bearer { org })
    }

    async fn org_of(&self, subject: Subject) -> Result<OrgId, Denied> {
        let now = self.clock.now();
        if let Some(org) = self.subjects.recall(&subject, now, MEMORY_SECONDS) {
            return Ok(org);
        }
        let found = self.credentials.subject(&subject.issuer, &subject.subject).await.map_err(Denied::Store)?;
        let unmapped =
            || Denied::Forbidden("you belong to no organization yet; ask your operator to add you".to_owned());
        let org = found.ok_or_else(unmapped)?;
        self.subjects.remember(subject, org.clone(), now);
        Ok(org)
    }
}

fn missing(audience: Audience, presented: &Presented<'_>) -> &'static str {
    match audience {
        Audience::SearchKey if presented.api_key.is_some() => "the search gateway takes the API key in `apikey`",
        Audience::SearchKey => "send an API key in `apikey`",
        _ if presented.search_key.is_some() => "send the API key in `X-API-Key`; `apikey` is the search gateway's",
        Audience::Key => "send an API key in `X-API-Key`",
        Audience::Open | Audience::Public | Audience::KeyOrBearer | Audience::Anyone => {
            "send an API key in `X-API-Key` or a token in `Authorization: Bearer`"
        }
    }
}

//! Callers and their credentials.

use std::net::IpAddr;

use accounting::{AccountKey, KeyId, LimitedCaller, OrgId, RateWindow, SessionId};
use store::{Actor, MemberId, Membership, Person};

/// The credentials in a request, exactly as received. Each field is `None` if the request doesn't contain it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestCredentials<'a> {
    /// The API key from the main API's header.
    pub api_key: Option<&'a str>,
    /// The API key from the search gateway's header.
    pub search_key: Option<&'a str>,
    /// The `Authorization` header, including the scheme.
    pub authorization: Option<&'a str>,
    /// The token for an anonymous session.
    pub session_token: Option<&'a str>,
    /// The required audience of bearer tokens, from the stage variable. A configured audience takes
    /// precedence.
    pub token_audience: Option<&'a str>,
    /// The client's IP address, as the gateway sees it.
    pub address: Option<IpAddr>,
}

/// A caller's identity, determined from the request's credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A program with an API key.
    Key {
        org: OrgId,
        /// The key's public ID.
        id: KeyId,
        /// The member who created the key, or `None` if an administrator did.
        created_by: Option<MemberId>,
    },
    /// A person with a bearer token.
    Bearer {
        person: Box<Person>,
        /// The person's organization. `None` is possible only for products that don't require an
        /// organization.
        membership: Option<Membership>,
    },
    /// A client in an anonymous session.
    Session {
        id: SessionId,
        /// The token to send to the client, if this request opened the session.
        token: Option<String>,
    },
    /// An unidentified caller of an open product, or of a public product without credentials.
    Public,
}

/// An identified caller and their number of account API calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identified {
    pub identity: Identity,
    /// The caller's number of account API calls in the current minute, including this one. `None` if the
    /// limit doesn't apply to this call.
    pub account_api_calls: Option<RateWindow>,
}

impl Identity {
    /// Returns the caller's organization, if any.
    pub fn org(&self) -> Option<&OrgId> {
        match self {
            Self::Key { org, .. } | Self::Bearer { membership: Some(Membership { org, .. }), .. } => {
                Some(org)
            }
            Self::Bearer { membership: None, .. } | Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the member or API key that makes the call. `None` for anonymous callers.
    pub fn actor(&self) -> Option<Actor> {
        match self {
            Self::Key { id, .. } => Some(Actor::Key(id.clone())),
            Self::Bearer { person, .. } => Some(Actor::Member(person.subject.member_id())),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the caller that a product's own rate limit applies to: the API key or all people in the
    /// organization combined. `None` for anonymous callers.
    pub fn limited_caller(&self) -> Option<LimitedCaller> {
        match self {
            Self::Key { id, .. } => Some(LimitedCaller::Key(id.clone())),
            Self::Bearer { .. } => Some(LimitedCaller::People),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the member who makes the call, or who created the API key that makes it. `None` for anonymous
    /// callers, or if an administrator created the key.
    pub fn responsible(&self) -> Option<MemberId> {
        match self {
            Self::Key { created_by, .. } => created_by.clone(),
            Self::Bearer { person, .. } => Some(person.subject.member_id()),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the key of the account to charge, if there is one.
    pub fn account(&self) -> Option<AccountKey> {
        match self {
            Self::Session { id, .. } => Some(AccountKey::Session(id.clone())),
            Self::Key { .. } | Self::Bearer { .. } | Self::Public => {
                self.org().map(|org| AccountKey::Org(org.clone()))
            }
        }
    }
}

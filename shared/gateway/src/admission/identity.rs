//! Who calls, and with which credentials.

use std::net::IpAddr;

use accounting::{AccountKey, KeyId, OrgId, RateWindow, SessionId};
use store::{Actor, Membership, Person};

/// The credentials of a request, as they arrived; each is absent when the request has none of its kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestCredentials<'a> {
    /// An API key in the main surface's place.
    pub api_key: Option<&'a str>,
    /// An API key in the search gateway's place.
    pub search_key: Option<&'a str>,
    /// A scheme and a bearer token.
    pub authorization: Option<&'a str>,
    /// The token of an anonymous session.
    pub session_token: Option<&'a str>,
    /// Whom bearer tokens are for, as the gateway's stage says; the configured audience wins.
    pub token_audience: Option<&'a str>,
    /// The client's address, as the gateway saw it.
    pub address: Option<IpAddr>,
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// An integration, by its API key.
    Key {
        org: OrgId,
        /// The key's handle.
        id: KeyId,
    },
    /// A person, by a bearer token.
    Bearer {
        person: Box<Person>,
        /// The person's organization; `None` only where a product takes people without one.
        membership: Option<Membership>,
    },
    /// An anonymous session.
    Session {
        id: SessionId,
        /// The token to hand out, when the session was opened by this request.
        token: Option<String>,
    },
    /// Anybody, on a public product.
    Public,
}

/// An identified call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identified {
    pub identity: Identity,
    /// The caller's minute with this call, where it counts as one of the portal's.
    pub portal_calls: Option<RateWindow>,
}

impl Identity {
    /// Returns the organization that calls.
    pub fn org(&self) -> Option<&OrgId> {
        match self {
            Self::Key { org, .. } | Self::Bearer { membership: Some(Membership { org, .. }), .. } => {
                Some(org)
            }
            Self::Bearer { membership: None, .. } | Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the member or the key that calls.
    pub fn actor(&self) -> Option<Actor> {
        match self {
            Self::Key { id, .. } => Some(Actor::Key(id.clone())),
            Self::Bearer { person, .. } => Some(Actor::Member(person.subject.member_id())),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the account that is charged.
    pub fn account(&self) -> Option<AccountKey> {
        match self {
            Self::Session { id, .. } => Some(AccountKey::Session(id.clone())),
            Self::Key { .. } | Self::Bearer { .. } | Self::Public => {
                self.org().map(|org| AccountKey::Org(org.clone()))
            }
        }
    }
}

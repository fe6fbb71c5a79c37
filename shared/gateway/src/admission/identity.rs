//! Callers and their credentials.

use std::net::IpAddr;

use accounting::{AccountKey, KeyId, OrgId, RateWindow, SessionId};
use store::{Actor, MemberId, Membership, Person};

/// The credentials of a request, exactly as received. A kind of credential that the request lacks is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestCredentials<'a> {
    /// The API key from the main API's header.
    pub api_key: Option<&'a str>,
    /// The API key from the search gateway's header.
    pub search_key: Option<&'a str>,
    /// The authorization scheme and bearer token.
    pub authorization: Option<&'a str>,
    /// The token of an anonymous session.
    pub session_token: Option<&'a str>,
    /// The audience of bearer tokens according to the gateway's stage. A configured audience takes
    /// precedence.
    pub token_audience: Option<&'a str>,
    /// The client's address, as seen by the gateway.
    pub address: Option<IpAddr>,
}

/// The identified caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// An integration with an API key.
    Key {
        org: OrgId,
        /// The key's public id.
        id: KeyId,
        /// The member who created the key, or `None` for an administrator.
        created_by: Option<MemberId>,
    },
    /// A person with a bearer token.
    Bearer {
        person: Box<Person>,
        /// The person's organization. It is `None` only for products that accept people without an
        /// organization.
        membership: Option<Membership>,
    },
    /// An anonymous session.
    Session {
        id: SessionId,
        /// The token to return, if this request opened the session.
        token: Option<String>,
    },
    /// An unidentified caller of a public product.
    Public,
}

/// An identified caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identified {
    pub identity: Identity,
    /// The caller's account API window including this call, if the call counts toward the account API limit.
    pub account_api_calls: Option<RateWindow>,
}

impl Identity {
    /// Returns the caller's organization.
    pub fn org(&self) -> Option<&OrgId> {
        match self {
            Self::Key { org, .. } | Self::Bearer { membership: Some(Membership { org, .. }), .. } => {
                Some(org)
            }
            Self::Bearer { membership: None, .. } | Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the member or API key that makes the call.
    pub fn actor(&self) -> Option<Actor> {
        match self {
            Self::Key { id, .. } => Some(Actor::Key(id.clone())),
            Self::Bearer { person, .. } => Some(Actor::Member(person.subject.member_id())),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the member who makes the call, or who created the API key that makes it.
    pub fn responsible(&self) -> Option<MemberId> {
        match self {
            Self::Key { created_by, .. } => created_by.clone(),
            Self::Bearer { person, .. } => Some(person.subject.member_id()),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the account that is charged for the call.
    pub fn account(&self) -> Option<AccountKey> {
        match self {
            Self::Session { id, .. } => Some(AccountKey::Session(id.clone())),
            Self::Key { .. } | Self::Bearer { .. } | Self::Public => {
                self.org().map(|org| AccountKey::Org(org.clone()))
            }
        }
    }
}

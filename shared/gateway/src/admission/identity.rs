//! Callers and their credentials.

use std::net::IpAddr;

use accounting::{AccountKey, KeyId, LimitedCaller, OrgId, RateWindow, SessionId};
use store::{Actor, MemberId, Membership, Person};

/// The credentials of a request, exactly as received. Each field is `None` if the request doesn't contain
/// that kind of credential.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestCredentials<'a> {
    /// The API key in the main API's header.
    pub api_key: Option<&'a str>,
    /// The API key in the search gateway's header.
    pub search_key: Option<&'a str>,
    /// The `Authorization` header: the scheme and the token.
    pub authorization: Option<&'a str>,
    /// The token of an anonymous session.
    pub session_token: Option<&'a str>,
    /// The audience of bearer tokens that the gateway's stage names. A configured audience takes precedence.
    pub token_audience: Option<&'a str>,
    /// The client's IP address, as the gateway sees it.
    pub address: Option<IpAddr>,
}

/// The identity of a caller, determined from the request's credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A program that uses an API key.
    Key {
        org: OrgId,
        /// The key's public ID.
        id: KeyId,
        /// The member who created the key, or `None` for an administrator.
        created_by: Option<MemberId>,
    },
    /// A person with a bearer token.
    Bearer {
        person: Box<Person>,
        /// The person's organization. It's `None` only for products that don't require an organization.
        membership: Option<Membership>,
    },
    /// A client without an account, in an anonymous session.
    Session {
        id: SessionId,
        /// The token to return to the client, if this request opened the session.
        token: Option<String>,
    },
    /// An unidentified caller: anyone who calls an open product, or who calls a public product without
    /// credentials.
    Public,
}

/// An identified caller, and their number of account API calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identified {
    pub identity: Identity,
    /// The number of account API calls that the caller has made in the current minute, including this one.
    /// `None` if the limit doesn't apply to this call.
    pub account_api_calls: Option<RateWindow>,
}

impl Identity {
    /// Returns the organization that the caller belongs to, if any.
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

    /// Returns the caller whose calls count toward a product's own rate limit. `None` if such limits don't
    /// apply.
    pub fn limited_caller(&self) -> Option<LimitedCaller> {
        match self {
            Self::Key { id, .. } => Some(LimitedCaller::Key(id.clone())),
            Self::Bearer { .. } => Some(LimitedCaller::People),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the member who makes the call, or who created the API key that makes it. `None` for anonymous
    /// callers, and if an administrator created the key.
    pub fn responsible(&self) -> Option<MemberId> {
        match self {
            Self::Key { created_by, .. } => created_by.clone(),
            Self::Bearer { person, .. } => Some(person.subject.member_id()),
            Self::Session { .. } | Self::Public => None,
        }
    }

    /// Returns the key of the account that is charged for the call, if any.
    pub fn account(&self) -> Option<AccountKey> {
        match self {
            Self::Session { id, .. } => Some(AccountKey::Session(id.clone())),
            Self::Key { .. } | Self::Bearer { .. } | Self::Public => {
                self.org().map(|org| AccountKey::Org(org.clone()))
            }
        }
    }
}

//! What the administrator is told when a use case fails.

use accounting::{GrantId, KeyId, MAX_LIVE_KEYS, OrgId};
use store::{StoreError, Subject};

/// Why a use case of the administrator failed; the text says what the administrator can do about it.
#[derive(Debug, thiserror::Error)]
pub enum AdministratorError {
    #[error("there is no organization {0}")]
    UnknownOrg(OrgId),
    #[error("{org} has no live grant {grant}; `marquee credits show {org}` lists those that it has")]
    UnknownGrant { org: OrgId, grant: GrantId },
    #[error("metered credits come with the month; set another cap with `marquee org tier`")]
    MeteredGrant,
    #[error("{org} has {live} live grants, the most there can be")]
    TooManyGrants { org: OrgId, live: usize },
    #[error("{0} has {MAX_LIVE_KEYS} live keys, the most there can be; revoke one")]
    TooManyKeys(OrgId),
    #[error("{org} has no live key {key}")]
    UnknownKey { org: OrgId, key: KeyId },
    #[error("the subject {} of {} is not mapped to {org}", .subject.subject, .subject.issuer)]
    UnknownSubject { org: OrgId, subject: Subject },
    /// Whether the account was changed is unknown.
    #[error("the database did not answer; look at the account before you try again: {0}")]
    Unanswered(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

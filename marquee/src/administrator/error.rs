//! The errors that an administrator's operations return.

use accounting::{GrantId, KeyId, MAX_LIVE_KEYS, OrgId};
use store::{StoreError, Subject};

/// The reason that an administrator's operation failed. The message includes a remedy, if there is one.
#[derive(Debug, thiserror::Error)]
pub enum AdministratorError {
    #[error("organization {0} not found")]
    UnknownOrg(OrgId),
    #[error("{org} has no active grant {grant}; `marquee credits show {org}` lists its active grants")]
    UnknownGrant { org: OrgId, grant: GrantId },
    #[error("metered credits cannot be revoked; to change the monthly cap, run `marquee org tier`")]
    MeteredGrant,
    #[error("{org} already has {live} active grants, the maximum; revoke one with `marquee credits revoke`")]
    TooManyGrants { org: OrgId, live: usize },
    #[error("{0} already has {MAX_LIVE_KEYS} active keys, the maximum; revoke one with `marquee key revoke`")]
    TooManyKeys(OrgId),
    #[error("{org} has no active key {key}; `marquee key list {org}` lists its keys")]
    UnknownKey { org: OrgId, key: KeyId },
    #[error(
        "subject {:?} of issuer {:?} is not a member of {org}; `marquee org members {org}` lists its members",
        .subject.subject, .subject.issuer
    )]
    UnknownSubject { org: OrgId, subject: Subject },
    /// It's unknown whether the change was made.
    #[error("the database did not respond ({0}); check whether the account has changed before you try again")]
    Unanswered(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

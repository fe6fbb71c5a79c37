//! What admission works with: the accounts, the credentials, and what a warm process knows of both.
use accounting::{Account, AccountKey, RateWindow, SessionId, Timestamp};
use runtime::{Clock, Random, TtlCache};
use store::{
    Accounts, Credentials, Dynamo, Key, Membership, PortalCaller, SecretDigest, StoredAccount, Subject,
};

use super::bearer::Bearer;
use crate::Issuer;

/// How long a key or a membership is cached, in seconds: a revoked key is dead within that time, and so is
/// the token of a member who was removed.
const CREDENTIAL_TTL_SECONDS: i64 = 30;

/// How old what is known of a membership may be where a call changes something, in seconds: who leaves one
/// organization for another must not write into the first. A flood costs one read in that time.
pub(super) const MEMBERSHIP_SECONDS_OF_CHANGES: i64 = 2;

/// How long it is cached that a person belongs to no organization, in seconds: as long at most, their calls
/// are refused after they have come to one.
const STRANGER_TTL_SECONDS: i64 = 5;

/// How long an organization's suspension is cached, in seconds: calls are admitted again within that time of
/// its end.
const SUSPENSION_TTL_SECONDS: i64 = 30;

/// How long an account is cached to try with, in seconds. What has changed since costs a second try.
const ACCOUNT_TTL_SECONDS: i64 = 600;

/// Admits callers: identifies them, charges their calls and refunds those that fail.
#[derive(Debug)]
pub struct Admissions {
    pub(super) accounts: Accounts,
    pub(super) credentials: Credentials,
    pub(super) bearer: Option<Bearer>,
    pub(super) keys: TtlCache<SecretDigest, Key>,
    /// Each with the moment at which it was read.
    pub(super) memberships: TtlCache<Subject, (Membership, Timestamp)>,
    /// People who were seen to belong to no organization: a flood of their calls costs next to nothing.
    pub(super) strangers: TtlCache<Subject, ()>,
    /// The minutes of those who call the portal.
    pub(super) portal_calls: TtlCache<PortalCaller, RateWindow>,
    pub(super) cached_accounts: TtlCache<AccountKey, StoredAccount>,
    /// The accounts of organizations that were seen to be suspended: a flood of their calls costs next to
    /// nothing.
    pub(super) suspended: TtlCache<AccountKey, Account>,
    /// The digests of the tokens of sessions that are open.
    pub(super) sessions: TtlCache<SessionId, String>,
    pub(super) clock: Clock,
    pub(super) random: Random,
}

impl Admissions {
    /// Makes the admissions of a database, with an issuer of bearer tokens or without.
    pub fn new(dynamo: &Dynamo, issuer: Option<Issuer>, clock: Clock, random: Random) -> Self {
        Self {
            accounts: Accounts::new(dynamo.clone()),
            credentials: Credentials::new(dynamo.clone()),
            bearer: issuer.map(Bearer::new),
            keys: TtlCache::new(CREDENTIAL_TTL_SECONDS),
            memberships: TtlCache::new(CREDENTIAL_TTL_SECONDS),
            strangers: TtlCache::new(STRANGER_TTL_SECONDS),
            portal_calls: TtlCache::new(ACCOUNT_TTL_SECONDS),
            cached_accounts: TtlCache::new(ACCOUNT_TTL_SECONDS),
            suspended: TtlCache::new(SUSPENSION_TTL_SECONDS),
            sessions: TtlCache::new(ACCOUNT_TTL_SECONDS),
            clock,
            random,
        }
    }

    /// Looks at an account that is not charged: as it is cached, else as it is; `None` when it cannot be
    /// read.
    pub(super) async fn seen_account(&self, key: &AccountKey) -> Option<Account> {
        let now = self.clock.now();
        if let Some(cached) = self.cached_accounts.get(key, now) {
            return Some(cached.account);
        }
        let read = self.accounts.read_once(key).await.ok().flatten()?;
        self.cached_accounts.insert(key.clone(), read.clone(), now);
        Some(read.account)
    }
}

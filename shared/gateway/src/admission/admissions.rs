//! The state that admission works with: the accounts, the credentials, and the caches that a warm process
//! keeps of both.
use accounting::{Account, AccountKey, RateWindow, SessionId, Timestamp};
use runtime::{Clock, Random, TtlCache};
use store::{
    AccountApiCaller, Accounts, Credentials, Dynamo, Key, Membership, SecretDigest, StoredAccount, Subject,
};

use super::bearer::Bearer;
use crate::Issuer;

/// How long an API key or a membership is cached, in seconds. A revoked key, and a removed member's token,
/// stop working within this time.
const CREDENTIAL_TTL_SECONDS: i64 = 30;

/// How old a cached membership may be for a call that changes something, in seconds. A person who moves from
/// one organization to another must not write to the first one. A flood of calls costs one read in this time.
pub(super) const MEMBERSHIP_SECONDS_OF_CHANGES: i64 = 2;

/// How long to cache that a person doesn't belong to an organization, in seconds. After they join one, their
/// calls can be refused for up to this long.
const STRANGER_TTL_SECONDS: i64 = 5;

/// How long an organization's suspension is cached, in seconds. Calls are admitted again within this time
/// after the suspension ends.
const SUSPENSION_TTL_SECONDS: i64 = 30;

/// How long an account is cached as a first guess, in seconds. A stale guess costs a second attempt.
const ACCOUNT_TTL_SECONDS: i64 = 600;

/// Admits calls: identifies the callers, charges the calls, and refunds the ones that fail.
#[derive(Debug)]
pub struct Admissions {
    pub(super) accounts: Accounts,
    pub(super) credentials: Credentials,
    pub(super) bearer: Option<Bearer>,
    pub(super) keys: TtlCache<SecretDigest, Key>,
    /// Each membership with the time at which it was read.
    pub(super) memberships: TtlCache<Subject, (Membership, Timestamp)>,
    /// People known not to belong to any organization, cached so that a flood of their calls costs almost
    /// nothing.
    pub(super) strangers: TtlCache<Subject, ()>,
    /// Each caller's window of the account API limit.
    pub(super) account_api_calls: TtlCache<AccountApiCaller, RateWindow>,
    pub(super) cached_accounts: TtlCache<AccountKey, StoredAccount>,
    /// The accounts of organizations known to be suspended, so that a flood of their calls costs almost
    /// nothing.
    pub(super) suspended: TtlCache<AccountKey, Account>,
    /// The token digests of open sessions.
    pub(super) sessions: TtlCache<SessionId, String>,
    pub(super) clock: Clock,
    pub(super) random: Random,
}

impl Admissions {
    /// Creates the admission state for a database, with or without an issuer of bearer tokens.
    pub fn new(dynamo: &Dynamo, issuer: Option<Issuer>, clock: Clock, random: Random) -> Self {
        Self {
            accounts: Accounts::new(dynamo.clone()),
            credentials: Credentials::new(dynamo.clone()),
            bearer: issuer.map(Bearer::new),
            keys: TtlCache::new(CREDENTIAL_TTL_SECONDS),
            memberships: TtlCache::new(CREDENTIAL_TTL_SECONDS),
            strangers: TtlCache::new(STRANGER_TTL_SECONDS),
            account_api_calls: TtlCache::new(ACCOUNT_TTL_SECONDS),
            cached_accounts: TtlCache::new(ACCOUNT_TTL_SECONDS),
            suspended: TtlCache::new(SUSPENSION_TTL_SECONDS),
            sessions: TtlCache::new(ACCOUNT_TTL_SECONDS),
            clock,
            random,
        }
    }

    /// Returns an account without charging it, from the cache if possible. Returns `None` if the account
    /// cannot be read.
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

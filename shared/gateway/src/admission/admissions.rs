//! Access to accounts and credentials, with the caches that a warm process keeps between calls.
use accounting::{Account, AccountKey, RateWindow, SessionId, Timestamp};
use runtime::{Clock, Random, TtlCache};
use store::{
    AccountApiCaller, Accounts, Credentials, Dynamo, Key, Membership, SecretDigest, StoredAccount, Subject,
};

use super::bearer::Bearer;
use crate::Issuer;

/// How long API keys and memberships are cached, in seconds. A revoked key or a removed member's token can
/// keep working for up to this long.
const CREDENTIAL_TTL_SECONDS: i64 = 30;

/// The maximum age of a cached membership for calls that change data, in seconds. It's short so that a person
/// who has moved to another organization can't keep changing their previous one. It also limits how often a
/// membership is read, no matter how many calls arrive.
pub(super) const MEMBERSHIP_SECONDS_OF_CHANGES: i64 = 2;

/// How long the absence of a membership is cached, in seconds. After a person joins an organization, their
/// calls can be rejected for up to this long.
const WITHOUT_ORGANIZATION_TTL_SECONDS: i64 = 5;

/// How long a suspension is cached, in seconds. After an organization is resumed, its calls can be rejected
/// for up to this long.
const SUSPENSION_TTL_SECONDS: i64 = 30;

/// How long accounts, sessions, and counts of account API calls are cached, in seconds. If a cached account
/// is out of date, charging requires a second attempt.
const ACCOUNT_TTL_SECONDS: i64 = 600;

/// Admits calls: identifies callers, charges calls, and refunds failed calls.
#[derive(Debug)]
pub struct Admissions {
    pub(super) accounts: Accounts,
    pub(super) credentials: Credentials,
    pub(super) bearer: Option<Bearer>,
    pub(super) keys: TtlCache<SecretDigest, Key>,
    /// Each person's membership and when it was read.
    pub(super) memberships: TtlCache<Subject, (Membership, Timestamp)>,
    /// People who don't belong to any organization, cached so that even many calls from them cost almost
    /// nothing.
    pub(super) without_organization: TtlCache<Subject, ()>,
    /// Each caller's number of account API calls in the current minute.
    pub(super) account_api_calls: TtlCache<AccountApiCaller, RateWindow>,
    pub(super) cached_accounts: TtlCache<AccountKey, StoredAccount>,
    /// The accounts of suspended organizations, cached so that even many calls from them cost almost nothing.
    pub(super) suspended: TtlCache<AccountKey, Account>,
    /// The digest of the secret in each session's token.
    pub(super) sessions: TtlCache<SessionId, String>,
    pub(super) clock: Clock,
    pub(super) random: Random,
}

impl Admissions {
    /// Creates the state with empty caches. Without an issuer, bearer tokens aren't accepted.
    pub fn new(dynamo: &Dynamo, issuer: Option<Issuer>, clock: Clock, random: Random) -> Self {
        Self {
            accounts: Accounts::new(dynamo.clone()),
            credentials: Credentials::new(dynamo.clone()),
            bearer: issuer.map(Bearer::new),
            keys: TtlCache::new(CREDENTIAL_TTL_SECONDS),
            memberships: TtlCache::new(CREDENTIAL_TTL_SECONDS),
            without_organization: TtlCache::new(WITHOUT_ORGANIZATION_TTL_SECONDS),
            account_api_calls: TtlCache::new(ACCOUNT_TTL_SECONDS),
            cached_accounts: TtlCache::new(ACCOUNT_TTL_SECONDS),
            suspended: TtlCache::new(SUSPENSION_TTL_SECONDS),
            sessions: TtlCache::new(ACCOUNT_TTL_SECONDS),
            clock,
            random,
        }
    }

    /// Returns an account, from the cache if possible, without charging it. Returns `None` if the account
    /// doesn't exist or can't be read.
    pub(super) async fn account_or_read(&self, key: &AccountKey) -> Option<Account> {
        let now = self.clock.now();
        if let Some(cached) = self.cached_accounts.get(key, now) {
            return Some(cached.account);
        }
        let read = self.accounts.read_once(key).await.ok().flatten()?;
        self.cached_accounts.insert(key.clone(), read.clone(), now);
        Some(read.account)
    }
}

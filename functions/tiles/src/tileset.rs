//! The state that the handlers of tiles and grants share.

use std::sync::Arc;

use accounting::{AccountKey, OrgId, Timestamp};
use gateway::App;
use runtime::{Clock, Random, TtlCache};
use store::{Accounts, SecretDigest, SignedTileGrant, StoreError, TileGrants};

use crate::Release;

/// How long a grant and its organization's suspension are cached, in seconds. Revocations and suspensions
/// take effect within this time.
const TTL_SECONDS: i64 = 30;

/// The state that the handlers share.
#[derive(Clone)]
pub struct Tileset {
    pub(crate) release: Arc<Release>,
    pub(crate) grants: TileGrants,
    accounts: Accounts,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    cached_grants: Arc<TtlCache<SecretDigest, SignedTileGrant>>,
    cached_suspensions: Arc<TtlCache<OrgId, bool>>,
}

/// A grant, with the suspension state of its organization.
pub(crate) struct KnownGrant {
    pub(crate) signed: SignedTileGrant,
    /// Whether the organization is suspended. Always false for a revoked or expired grant, because its
    /// organization isn't checked.
    pub(crate) is_suspended: bool,
}

impl Tileset {
    /// Creates the handlers' state from an app and a release.
    pub(crate) fn new(app: &App, release: Arc<Release>) -> Self {
        Self {
            release,
            grants: TileGrants::new(app.dynamo.clone()),
            accounts: Accounts::new(app.dynamo.clone()),
            clock: app.clock.clone(),
            random: app.random.clone(),
            cached_grants: Arc::new(TtlCache::new(TTL_SECONDS)),
            cached_suspensions: Arc::new(TtlCache::new(TTL_SECONDS)),
        }
    }

    /// Returns a grant and its organization's state, which are at most 30 s old. They are cached because a
    /// map requests dozens of tiles at once.
    pub(crate) async fn find_grant(&self, digest: &SecretDigest) -> Result<Option<KnownGrant>, StoreError> {
        let now = self.clock.now();
        let signed = match self.cached_grants.get(digest, now) {
            Some(known) => known,
            None => {
                let Some(found) = self.grants.find(digest).await? else {
                    // Unknown digests aren't cached. Otherwise, made-up digests could evict existing grants
                    // from the cache.
                    return Ok(None);
                };
                self.cached_grants.insert(digest.clone(), found.clone(), now);
                found
            }
        };
        let is_suspended = signed.grant.is_live(now) && self.is_suspended(&signed.grant.org, now).await?;
        Ok(Some(KnownGrant { signed, is_suspended }))
    }

    /// Returns whether an organization is suspended. The cached state applies to all of the organization's
    /// grants.
    async fn is_suspended(&self, org: &OrgId, now: Timestamp) -> Result<bool, StoreError> {
        if let Some(known) = self.cached_suspensions.get(org, now) {
            return Ok(known);
        }
        let account = self.accounts.read(&AccountKey::Org(org.clone())).await?;
        let is_suspended = account.ok_or(StoreError::Missing("account"))?.suspended_at.is_some();
        self.cached_suspensions.insert(org.clone(), is_suspended, now);
        Ok(is_suspended)
    }
}

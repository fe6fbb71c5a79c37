//! What the handlers of tiles and grants work with.

use std::sync::Arc;

use accounting::{AccountKey, OrgId, Timestamp};
use gateway::App;
use runtime::{Clock, Random, TtlCache};
use store::{Accounts, SecretDigest, SignedTileGrant, StoreError, TileGrants};

use crate::Release;

/// How long a grant is cached, and whether its organization is suspended, in seconds: no tile is shown after
/// that time.
const TTL_SECONDS: i64 = 30;

/// What the handlers work with.
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

/// A grant, and what its tiles depend on besides.
pub(crate) struct KnownGrant {
    pub(crate) signed: SignedTileGrant,
    /// Whether its organization is suspended; not looked up of a grant that has ended.
    pub(crate) is_suspended: bool,
}

impl Tileset {
    /// Opens the grants of an app's database beside a release.
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

    /// Finds a grant as it was at most 30 s ago, and whether its organization was suspended then: a map asks
    /// for dozens of tiles at once.
    pub(crate) async fn find_grant(&self, digest: &SecretDigest) -> Result<Option<KnownGrant>, StoreError> {
        let now = self.clock.now();
        let signed = match self.cached_grants.get(digest, now) {
            Some(known) => known,
            None => {
                let Some(found) = self.grants.find(digest).await? else {
                    // It is not cached: made-up digests must not push out the others.
                    return Ok(None);
                };
                self.cached_grants.insert(digest.clone(), found.clone(), now);
                found
            }
        };
        let is_suspended = signed.grant.is_live(now) && self.is_suspended(&signed.grant.org, now).await?;
        Ok(Some(KnownGrant { signed, is_suspended }))
    }

    /// Finds out whether an organization is suspended. All of its grants share what is learned.
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

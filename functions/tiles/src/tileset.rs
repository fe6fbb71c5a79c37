//! What the handlers of tiles and grants work with.

use std::sync::Arc;

use shared::App;
use shared::dynamo::{SignedTileGrant, StoreError, TileGrants};
use shared::runtime::{Clock, Random, TtlCache};
use shared::types::TileGrantDigest;

use crate::Release;

/// How long a grant is cached, in seconds: a revoked one shows no tile after that time.
const GRANT_TTL_SECONDS: i64 = 30;

/// What the handlers work with.
#[derive(Clone)]
pub struct Tileset {
    pub(crate) release: Arc<Release>,
    pub(crate) grants: TileGrants,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) public_url: Option<String>,
    cached_grants: Arc<TtlCache<TileGrantDigest, SignedTileGrant>>,
}

impl Tileset {
    /// Opens the grants of an app's database beside a release.
    pub(crate) fn new(app: &App, release: Arc<Release>) -> Self {
        Self {
            release,
            grants: TileGrants::new(app.dynamo.clone()),
            clock: app.clock.clone(),
            random: app.random.clone(),
            public_url: app.config.public_url.clone(),
            cached_grants: Arc::new(TtlCache::new(GRANT_TTL_SECONDS)),
        }
    }

    /// Finds a grant as it was at most 30 s ago: a map asks for dozens of tiles at once.
    pub(crate) async fn find_grant(
        &self,
        digest: &TileGrantDigest,
    ) -> Result<Option<SignedTileGrant>, StoreError> {
        let now = self.clock.now();
        if let Some(known) = self.cached_grants.get(digest, now) {
            return Ok(Some(known));
        }
        let found = self.grants.find(digest).await?;
        // One that is not there is not cached: made-up digests must not push out the others.
        if let Some(grant) = &found {
            self.cached_grants.insert(digest.clone(), grant.clone(), now);
        }
        Ok(found)
    }
}

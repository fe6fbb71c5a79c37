//! The link that opens the map: the page's address with a grant of each kind of tiles.

use shared::App;
use shared::dynamo::{StoreError, TileGrant, TileGrantFailure, TileGrants, TileSecret};
use shared::types::{InvalidId, MAX_LIVE_TILE_GRANTS, OrgId, TileGrantId, TileProduct, Timestamp};
use strum::IntoEnumIterator;
use tiles::PageOrigin;

use super::page::PATH;

/// The label of the grants that a start mints.
const LABEL: &str = "local map";

/// How long these grants are valid, in days.
const DAYS: i64 = 30;

/// The grants that are read at once.
const PAGE: usize = 100;

/// Why there is no link to the map.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("{origin}: {source}")]
    Origin { origin: String, source: InvalidId },
    #[error(
        "{0} has {MAX_LIVE_TILE_GRANTS} live tile grants, the most there can be; end them with `marquee org \
         revoke-tiles {0}`"
    )]
    TooManyGrants(OrgId),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the page's address with a new grant of each product; the grants of the last start are revoked.
pub(in crate::serve) async fn link(app: &App, org: &OrgId, origin: &str) -> Result<String, LinkError> {
    let grants = TileGrants::new(app.dynamo.clone());
    let page: PageOrigin =
        origin.parse().map_err(|source| LinkError::Origin { origin: origin.to_owned(), source })?;
    let mut query = Vec::new();
    for product in TileProduct::iter() {
        revoke_last(app, &grants, org, product).await?;
        let id = TileGrantId::from_random(app.random.bytes());
        let grant = grant(org, product, &page, app.clock.now());
        let secret = TileSecret::from_random(app.random.bytes());
        grants.mint(&id, &grant, &secret, None).await.map_err(|failure| match failure {
            TileGrantFailure::TooMany => LinkError::TooManyGrants(org.clone()),
            TileGrantFailure::NotAMember => unreachable!("the map's grants are no person's"),
            TileGrantFailure::Store(error) => error.into(),
        })?;
        query.push(format!("tilejson={origin}/v2/{product}/tiles/grants/{}/tilejson", id.reveal()));
    }
    Ok(format!("{origin}{PATH}?{}", query.join("&")))
}

/// Revokes the grants of earlier starts, whose links nobody has any more.
async fn revoke_last(
    app: &App,
    grants: &TileGrants,
    org: &OrgId,
    product: TileProduct,
) -> Result<(), StoreError> {
    let now = app.clock.now();
    let mut after = None;
    loop {
        let page = grants.list(org, product, after.as_ref(), PAGE).await?;
        for old in &page.grants {
            if old.grant.label.as_deref() == Some(LABEL) && old.grant.revoked_at.is_none() {
                grants.revoke(org, product, &old.id.digest(), None, now).await?;
            }
        }
        match page.grants.last() {
            Some(last) if page.has_more => after = Some(last.position()),
            _ => return Ok(()),
        }
    }
}

fn grant(org: &OrgId, product: TileProduct, page: &PageOrigin, now: Timestamp) -> TileGrant {
    TileGrant {
        org: org.clone(),
        product,
        allowed_origins: vec![page.to_string()],
        label: Some(LABEL.to_owned()),
        created_at: now,
        created_by: None,
        expires_at: now.plus_days(DAYS),
        revoked_at: None,
        revoked_by: None,
    }
}

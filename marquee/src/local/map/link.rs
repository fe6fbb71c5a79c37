use shared::App;
use shared::dynamo::{StoreError, TileGrant, TileGrants, TileSecret};
use shared::types::{InvalidId, OrgId, TileGrantId, TileProduct, Timestamp};
use strum::IntoEnumIterator;
use tiles::PageOrigin;

use super::PATH;

/// The label of the grants that a start mints.
const LABEL: &str = "local map";

/// How long they hold, in days.
const DAYS: i64 = 30;

/// How many grants are read at once.
const PAGE: usize = 100;

/// Mints a grant of each product for the page of an origin, in the place of the last start's, and returns the page's
/// address with them.
pub(in crate::local) async fn link(app: &App, org: &OrgId, origin: &str) -> Result<String, String> {
    let grants = TileGrants::new(app.dynamo.clone());
    let page: PageOrigin = origin.parse().map_err(|error: InvalidId| format!("{origin}: {error}"))?;
    let mut query = Vec::new();
    for product in TileProduct::iter() {
        revoke_last(app, &grants, org, product).await.map_err(text)?;
        let id = TileGrantId::from_random(app.random.bytes());
        let grant = grant(org, product, &page, app.clock.now());
        grants.mint(&id, &grant, &TileSecret::from_random(app.random.bytes())).await.map_err(text)?;
        query.push(format!("tilejson={origin}/v2/{product}/tiles/grants/{}/tilejson", id.reveal()));
    }
    Ok(format!("{origin}{PATH}?{}", query.join("&")))
}

/// Revokes the grants of earlier starts, whose links nobody will look for again.
async fn revoke_last(app: &App, grants: &TileGrants, org: &OrgId, product: TileProduct) -> Result<(), StoreError> {
    let now = app.clock.now();
    let mut after = None;
    loop {
        let page = grants.list(org, product, after.as_ref(), PAGE).await?;
        for old in &page.grants {
            if old.grant.label.as_deref() == Some(LABEL) && old.grant.revoked_at.is_none() {
                grants.revoke(org, product, &old.id.digest(), now).await?;
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
        expires_at: now.plus_days(DAYS),
        revoked_at: None,
    }
}

fn text(error: StoreError) -> String {
    error.to_string()
}

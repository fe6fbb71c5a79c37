//! The active API keys, tile grants, client links, and webhooks that a member created. They remain valid
//! after the member leaves. Tile grants and links that the member's keys created are included, even if those
//! keys have expired or were revoked, because revoking a key doesn't revoke the resources that were created
//! with it.

use accounting::{OrgId, Timestamp};
use gateway::{ApiError, App, AuthorizedMember, QueryParameters, Violations, one_of};
use serde::Serialize;
use store::{
    Actor, ClientLink, ClientLinks, Credentials, Key, ListedTileGrant, MemberId, Revocation, StoreError,
    Subject, TileGrant, TileGrantId, TileGrants, TileProduct, Webhook, WebhookFailure, Webhooks,
};

/// Keys, tile grants, client links, and webhooks that one member created: either the live ones, newest first,
/// or those that a call has revoked or deleted.
#[derive(Default, Serialize)]
pub(super) struct Made {
    /// The API keys. See `MadeKey` in openapi.yaml.
    keys: Vec<Key>,
    tile_grants: Vec<MadeTileGrant>,
    client_links: Vec<ClientLink>,
    /// The webhooks. See `MadeWebhook` in openapi.yaml.
    webhooks: Vec<Webhook>,
}

/// A tile grant, as returned to owners. See `MadeTileGrant` in openapi.yaml.
#[derive(Serialize)]
struct MadeTileGrant {
    #[serde(serialize_with = "reveal")]
    grant_id: TileGrantId,
    product: TileProduct,
    label: Option<String>,
    allowed_origins: Vec<String>,
    created_at: Timestamp,
    /// The member or the member's API key.
    created_by: Option<Actor>,
    expires_at: Timestamp,
}

/// The kinds of resources that a call revokes or deletes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RevokedKinds {
    keys: bool,
    tile_grants: bool,
    client_links: bool,
    webhooks: bool,
}

impl Made {
    /// Finds the active keys, tile grants, client links, and webhooks that a current or former member
    /// created.
    pub(super) async fn live(app: &App, org: &OrgId, maker: &MemberId) -> Result<Self, StoreError> {
        let (credentials, tile_grants) =
            (Credentials::new(app.dynamo.clone()), TileGrants::new(app.dynamo.clone()));
        let now = app.clock.now();
        let (links, webhooks) = (ClientLinks::new(app.dynamo.clone()), Webhooks::new(app.dynamo.clone()));
        let (keys, tile_grants, client_links, webhooks) = tokio::try_join!(
            credentials.live_keys_made_by(org, maker, now),
            tile_grants.live_made_by(org, maker, now),
            links.live_made_by(org, maker, now),
            webhooks.made_by(org, maker)
        )?;
        let tile_grants = tile_grants.into_iter().map(MadeTileGrant::new).collect();
        Ok(Self { keys, tile_grants, client_links, webhooks })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
            && self.tile_grants.is_empty()
            && self.client_links.is_empty()
            && self.webhooks.is_empty()
    }

    /// Revokes or deletes the resources of the given kinds, removes them from `self`, and returns them. If a
    /// step fails, the remaining resources stay live.
    pub(super) async fn revoke(
        &mut self,
        kinds: RevokedKinds,
        app: &App,
        org: &OrgId,
        by: &Subject,
    ) -> Result<Self, ApiError> {
        let mut revoked = Self::default();
        let now = app.clock.now();
        if kinds.keys {
            let credentials = Credentials::new(app.dynamo.clone());
            for key in std::mem::take(&mut self.keys) {
                match credentials.revoke(org, &key.id, Some(by), now).await? {
                    Revocation::Forbidden => return Err(AuthorizedMember::required()),
                    Revocation::Done | Revocation::Ended | Revocation::Unknown => {}
                }
                revoked.keys.push(key);
            }
        }
        if kinds.tile_grants {
            let (tile_grants, by) = (TileGrants::new(app.dynamo.clone()), Actor::Member(by.member_id()));
            for grant in std::mem::take(&mut self.tile_grants) {
                let digest = grant.grant_id.digest();
                tile_grants.revoke(org, grant.product, &digest, Some(&by), now).await?;
                revoked.tile_grants.push(grant);
            }
        }
        if kinds.client_links {
            let links = ClientLinks::new(app.dynamo.clone());
            for link in std::mem::take(&mut self.client_links) {
                links.revoke(org, link.asset_id, &link.id(), now).await?;
                revoked.client_links.push(link);
            }
        }
        if kinds.webhooks {
            let webhooks = Webhooks::new(app.dynamo.clone());
            for webhook in std::mem::take(&mut self.webhooks) {
                match webhooks.delete(org, &webhook.id, by).await {
                    Ok(()) | Err(WebhookFailure::NotFound) => {}
                    Err(WebhookFailure::Forbidden) => return Err(AuthorizedMember::required()),
                    Err(WebhookFailure::Store(error)) => return Err(error.into()),
                }
                revoked.webhooks.push(webhook);
            }
        }
        Ok(revoked)
    }
}

impl RevokedKinds {
    /// Reads the `revoke` parameter, a comma-separated list of `keys`, `tile_grants`, `client_links`, and
    /// `webhooks`. If the parameter is missing, no kinds are selected.
    pub(super) fn read(parameters: &QueryParameters) -> Result<Self, Violations> {
        const KINDS: [&str; 4] = ["keys", "tile_grants", "client_links", "webhooks"];
        let (mut kinds, mut violations) = (Self::default(), Violations::default());
        parameters.allow(&["revoke"], &mut violations);
        for kind in parameters.get("revoke").into_iter().flat_map(|text| text.split(',')) {
            match kind {
                "keys" => kinds.keys = true,
                "tile_grants" => kinds.tile_grants = true,
                "client_links" => kinds.client_links = true,
                "webhooks" => kinds.webhooks = true,
                other => violations.add("?revoke", one_of(&KINDS, other)),
            }
        }
        violations.or(kinds)
    }

    pub(super) fn is_any(self) -> bool {
        self.keys || self.tile_grants || self.client_links || self.webhooks
    }
}

impl MadeTileGrant {
    fn new(listed: ListedTileGrant) -> Self {
        let ListedTileGrant { id, grant } = listed;
        let TileGrant { product, label, allowed_origins, created_at, created_by, expires_at, .. } = grant;
        Self { grant_id: id, product, label, allowed_origins, created_at, created_by, expires_at }
    }
}

/// Serializes the ID of a tile grant, which is shown only to the grant's organization.
fn reveal<S: serde::Serializer>(id: &TileGrantId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(id.reveal())
}

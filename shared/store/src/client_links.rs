//! Creates, finds, lists, and revokes client links. Each active link is stored in one of its organization's
//! slots. A copy that is stored under the token's digest is read when the link is opened.
//!
//! See `docs/decisions/0064-client-links.md`.

use std::cmp::Reverse;

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{NewItem, Stored, key, text};
use super::keys;
use super::query::read;
use super::slots::{TakenSlot, free_slot, take_slot, taken_slots};
use super::standing::{CreateFailure, Outcome, is_member, transact_as};
use super::transaction::{delete, happened, put_new, transact};
use crate::{AssetId, ClientLink, ClientLinkId, MAX_LIVE_CLIENT_LINKS, MemberId, SecretDigest, Subject};

/// The maximum number of attempts to create a link while concurrent changes interfere.
const MAX_ATTEMPTS: usize = 20;

/// All organizations' client links. Revoked and expired links are treated as if they didn't exist.
#[derive(Clone, Debug)]
pub struct ClientLinks(Dynamo);

impl ClientLinks {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Stores a new link. `by` is the person who creates the link, or `None` if an API key creates it.
    ///
    /// # Errors
    ///
    /// Returns an error if the organization already has [`MAX_LIVE_CLIENT_LINKS`] active links, `by` isn't a
    /// member at the time of the write, or the database fails.
    pub async fn create(&self, link: &ClientLink, by: Option<&Subject>) -> Result<(), CreateFailure> {
        let partition = keys::client_links(&link.org);
        for _ in 0..MAX_ATTEMPTS {
            let taken = taken_slots(&self.0, &partition, link.created_at).await?;
            let slot = free_slot(&self.0, &taken, MAX_LIVE_CLIENT_LINKS).ok_or(CreateFailure::TooMany)?;
            let in_list = NewItem::of_key(&partition, keys::slot(slot)).with_all(link);
            let by_digest =
                NewItem::of_key(keys::client_link(&link.digest), keys::CLIENT_LINK).with_all(link);
            let writes = vec![
                take_slot(&self.0, in_list, link.created_at, link.expires_at),
                put_new(&self.0.credentials, by_digest.time_to_live(link.expires_at.plus_seconds(1)).build()),
            ];
            let check = by.map(|by| is_member(&self.0, &link.org, by, None));
            match transact_as(&self.0, check, writes).await? {
                Outcome::Done => return Ok(()),
                Outcome::Forbidden => return Err(CreateFailure::Forbidden),
                // Another request has taken the slot in the meantime.
                Outcome::Stale => {}
            }
        }
        Err(StoreError::Contended("too many concurrent requests are creating links").into())
    }

    /// Finds an active link by the digest of its token.
    pub async fn find(
        &self,
        digest: &SecretDigest,
        now: Timestamp,
    ) -> Result<Option<ClientLink>, StoreError> {
        let item_key = key(keys::client_link(digest), keys::CLIENT_LINK);
        let found: Option<ClientLink> = read(&self.0.client, &self.0.credentials, item_key).await?;
        // Expired items may still exist.
        Ok(found.filter(|link| link.expires_at > now))
    }

    /// Lists the active links to a campaign, newest first.
    pub async fn of_asset(
        &self,
        org: &OrgId,
        asset: AssetId,
        now: Timestamp,
    ) -> Result<Vec<ClientLink>, StoreError> {
        self.live(org, now, |link| link.asset_id == asset).await
    }

    /// Lists the active links that were created by a member or by the member's API keys, newest first.
    pub async fn live_made_by(
        &self,
        org: &OrgId,
        maker: &MemberId,
        now: Timestamp,
    ) -> Result<Vec<ClientLink>, StoreError> {
        self.live(org, now, |link| link.responsible.as_ref() == Some(maker)).await
    }

    /// Revokes an active link to a campaign. Returns `false` if the campaign has no such link.
    pub async fn revoke(
        &self,
        org: &OrgId,
        asset: AssetId,
        id: &ClientLinkId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let is_it = |link: &ClientLink| link.asset_id == asset && link.id() == *id;
        Ok(self.revoke_where(org, now, is_it).await? > 0)
    }

    /// Revokes all active links to a deleted campaign, to free their slots.
    pub async fn revoke_all(&self, org: &OrgId, asset: AssetId, now: Timestamp) -> Result<(), StoreError> {
        self.revoke_where(org, now, |link| link.asset_id == asset).await.map(|_| ())
    }

    async fn revoke_where(
        &self,
        org: &OrgId,
        now: Timestamp,
        is_one: impl Fn(&ClientLink) -> bool,
    ) -> Result<usize, StoreError> {
        let mut revoked = 0;
        for slot in taken_slots(&self.0, &keys::client_links(org), now).await? {
            let link = ClientLink::load(&slot.item)?;
            // The transaction fails if another request has revoked the link in the meantime.
            if is_one(&link) && happened(transact(&self.0, self.revocation(&slot, &link)).await)? {
                revoked += 1;
            }
        }
        Ok(revoked)
    }

    fn revocation(&self, slot: &TakenSlot, link: &ClientLink) -> Vec<TransactWriteItem> {
        let mut is_unchanged = Expression::default();
        is_unchanged.require_equal("digest", text(link.digest.as_str()));
        let (table, by_digest) = (&self.0.credentials, keys::client_link(&link.digest));
        vec![
            is_unchanged.into_delete(table, key(keys::client_links(&link.org), keys::slot(slot.number))),
            delete(table, key(by_digest, keys::CLIENT_LINK)),
        ]
    }

    async fn live(
        &self,
        org: &OrgId,
        now: Timestamp,
        is_one: impl Fn(&ClientLink) -> bool,
    ) -> Result<Vec<ClientLink>, StoreError> {
        let taken = taken_slots(&self.0, &keys::client_links(org), now).await?;
        let links = taken.iter().map(|slot| ClientLink::load(&slot.item)).collect::<Result<Vec<_>, _>>()?;
        let mut live: Vec<_> = links.into_iter().filter(is_one).collect();
        live.sort_by_key(|link| Reverse(link.created_at));
        Ok(live)
    }
}

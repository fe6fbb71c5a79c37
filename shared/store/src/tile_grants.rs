//! Creates, finds, lists, and revokes tile grants. Each organization has a maximum number of active grants.

use std::cmp::Reverse;

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{Select, TransactWriteItem};

use super::batch::batch_get;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{NewItem, Stored, attribute, key, moment};
use super::keys;
use super::query::{page, query, read};
use super::slots::{free_slot, release_slot, take_slot, taken_slots};
use super::standing::{CreateFailure, Outcome, is_member, transact_as};
use super::tile_grant_item::{ListedTileGrant, REMEMBERED_DAYS, SignedTileGrant, TileGrant, TileSecret};
use super::transaction::{happened, put_new, revoking, transact};
use crate::{
    Actor, MAX_LIVE_TILE_GRANTS, MemberId, Permission, SecretDigest, Subject, TileGrantId, TileProduct,
};

/// The maximum number of attempts to create or revoke a grant while concurrent changes interfere.
const MAX_ATTEMPTS: usize = 20;

/// The maximum number of grants counted for a list's total. The number is limited because counting reads
/// every grant.
const MAX_COUNTED: usize = 1_000;

/// All organizations' tile grants. Each grant is stored under the digest of its ID and in its organization's
/// list. A grant is deleted 30 days after it expires or is revoked.
#[derive(Clone, Debug)]
pub struct TileGrants(Dynamo);

/// A page of an organization's grants, newest first.
pub struct TileGrantPage {
    pub grants: Vec<ListedTileGrant>,
    /// Whether older grants follow.
    pub has_more: bool,
    /// The number of grants for the product. Counting stops at 1,000.
    pub total: i64,
}

/// A grant's position in its organization's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileGrantPosition {
    pub created_at: Timestamp,
    /// The digest of the grant's ID, which distinguishes grants that were created in the same millisecond.
    pub digest: SecretDigest,
}

impl TileGrants {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Stores a new grant under its digest and in the organization's list, and takes one of the
    /// organization's slots, in one transaction. `by` is the person who creates the grant, or `None` if an
    /// API key creates it.
    ///
    /// # Errors
    ///
    /// Returns an error if the organization already has [`MAX_LIVE_TILE_GRANTS`] active grants, `by` isn't a
    /// member at the time of the write or isn't allowed to include visits, or the database fails.
    pub async fn create(
        &self,
        id: &TileGrantId,
        grant: &TileGrant,
        secret: &TileSecret,
        by: Option<&Subject>,
    ) -> Result<(), CreateFailure> {
        for _ in 0..MAX_ATTEMPTS {
            let taken = taken_slots(&self.0, &keys::tile_grants(&grant.org), grant.created_at).await?;
            let slot = free_slot(&self.0, &taken, MAX_LIVE_TILE_GRANTS).ok_or(CreateFailure::TooMany)?;
            let needed = grant.include_visits.then_some(Permission::ManageTileGrants);
            let check = by.map(|by| is_member(&self.0, &grant.org, by, needed));
            match transact_as(&self.0, check, self.creation_writes(id, grant, secret, slot)).await? {
                Outcome::Done => return Ok(()),
                Outcome::Forbidden => return Err(CreateFailure::Forbidden),
                // Another grant has taken the slot in the meantime.
                Outcome::Stale => {}
            }
        }
        Err(StoreError::Contended("too many concurrent requests are creating grants").into())
    }

    /// Finds a grant by the digest of its ID. Expired and revoked grants can be found for 30 days.
    pub async fn find(&self, digest: &SecretDigest) -> Result<Option<SignedTileGrant>, StoreError> {
        let item_key = key(keys::tile_grant(digest), keys::TILE_GRANT);
        let found: Option<SignedTileGrant> = read(&self.0.client, &self.0.credentials, item_key).await?;
        // Expired items may still exist.
        let now = self.0.clock.now();
        Ok(found.filter(|signed| signed.grant.forgotten_at() > now))
    }

    /// Lists an organization's grants for a product, newest first, starting after a position.
    pub async fn list(
        &self,
        org: &OrgId,
        product: TileProduct,
        after: Option<&TileGrantPosition>,
        limit: usize,
    ) -> Result<TileGrantPage, StoreError> {
        let (page, total) =
            tokio::try_join!(self.page(org, product, after, limit), self.count(org, product))?;
        let (grants, has_more) = page;
        Ok(TileGrantPage { grants, has_more, total })
    }

    /// Lists the active grants that were created by a member or by the member's API keys, for all products,
    /// newest first.
    pub async fn live_made_by(
        &self,
        org: &OrgId,
        maker: &MemberId,
        now: Timestamp,
    ) -> Result<Vec<ListedTileGrant>, StoreError> {
        let mut live = self.live(org, now).await?;
        live.retain(|listed| listed.grant.responsible.as_ref() == Some(maker));
        Ok(live)
    }

    /// Revokes a grant if it isn't already revoked. `by` is `None` for an administrator. Returns `false` if
    /// the organization has no such grant for the product.
    pub async fn revoke(
        &self,
        org: &OrgId,
        product: TileProduct,
        digest: &SecretDigest,
        by: Option<&Actor>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let found = self.find(digest).await?;
            let is_theirs =
                |found: &SignedTileGrant| found.grant.org == *org && found.grant.product == product;
            let Some(found) = found.filter(is_theirs) else { return Ok(false) };
            if found.grant.revoked_at.is_some() {
                return Ok(true);
            }
            if happened(transact(&self.0, self.revocation(digest, found, by, now)).await)? {
                return Ok(true);
            }
        }
        Err(StoreError::Contended("another request is changing the grant; try again"))
    }

    /// Revokes all of an organization's active grants on behalf of an administrator and returns their
    /// number.
    ///
    /// After an error, some of the grants may have been revoked.
    pub async fn revoke_all(&self, org: &OrgId, now: Timestamp) -> Result<usize, StoreError> {
        let live = self.live(org, now).await?;
        for ListedTileGrant { id, grant } in &live {
            self.revoke(org, grant.product, &id.digest(), None, now).await?;
        }
        Ok(live.len())
    }

    /// Reads an organization's active grants, newest first.
    async fn live(&self, org: &OrgId, now: Timestamp) -> Result<Vec<ListedTileGrant>, StoreError> {
        let partition = keys::tile_grants(org);
        let mut item_keys = Vec::new();
        for slot in taken_slots(&self.0, &partition, now).await? {
            item_keys.push(key(&partition, attribute::<String>(&slot.item, "grant")?));
        }
        let items = batch_get(&self.0, &self.0.credentials, item_keys).await?;
        let mut live = items.iter().map(ListedTileGrant::load).collect::<Result<Vec<_>, _>>()?;
        live.sort_by_key(|listed| Reverse(listed.grant.created_at));
        Ok(live)
    }

    fn creation_writes(
        &self,
        id: &TileGrantId,
        grant: &TileGrant,
        secret: &TileSecret,
        slot: usize,
    ) -> Vec<TransactWriteItem> {
        let digest = id.digest();
        let sort_key = sort_key(grant, &digest);
        let by_digest = NewItem::of_key(keys::tile_grant(&digest), keys::TILE_GRANT)
            .with("secret", secret)
            .with("slot", &slot);
        let in_list = NewItem::of_key(keys::tile_grants(&grant.org), &sort_key).with("grant_id", id);
        let slot_item =
            NewItem::of_key(keys::tile_grants(&grant.org), keys::slot(slot)).with("grant", &sort_key);
        let mut writes = vec![take_slot(&self.0, slot_item, grant.created_at, grant.expires_at)];
        writes.extend([by_digest, in_list].map(|item| {
            let item = item.with_all(grant).time_to_live(grant.forgotten_at());
            put_new(&self.0.credentials, item.build())
        }));
        writes
    }

    /// Returns the writes that mark both of a grant's items as revoked and, unless the grant has expired,
    /// release its slot.
    fn revocation(
        &self,
        digest: &SecretDigest,
        found: SignedTileGrant,
        by: Option<&Actor>,
        now: Timestamp,
    ) -> Vec<TransactWriteItem> {
        let SignedTileGrant { grant, slot, .. } = found;
        let (partition, sort_key) = (keys::tile_grants(&grant.org), sort_key(&grant, digest));
        let given_back = grant.is_live(now).then(|| release_slot(&self.0, slot, &partition, &sort_key));
        let revoked = TileGrant { revoked_at: Some(now), ..grant };
        let item_keys = [key(keys::tile_grant(digest), keys::TILE_GRANT), key(partition, sort_key)];
        let writes = item_keys.map(|item_key| {
            let mut expression = revoking(by, now);
            expression.set_time_to_live(revoked.forgotten_at());
            expression.into_write(&self.0.credentials, item_key)
        });
        writes.into_iter().chain(given_back).collect()
    }

    /// Returns a page of an organization's grants for a product, and whether another page follows.
    async fn page(
        &self,
        org: &OrgId,
        product: TileProduct,
        after: Option<&TileGrantPosition>,
        limit: usize,
    ) -> Result<(Vec<ListedTileGrant>, bool), StoreError> {
        let start_of =
            |after: &TileGrantPosition| keys::tile_grant_in_list(product, after.created_at, &after.digest);
        let start = after.map(|after| key(keys::tile_grants(org), start_of(after)));
        let query = self.remembered(org, product).scan_index_forward(false);
        let (items, has_more) = page(query, start, limit).await?;
        Ok((items.iter().map(ListedTileGrant::load).collect::<Result<_, _>>()?, has_more))
    }

    async fn count(&self, org: &OrgId, product: TileProduct) -> Result<i64, StoreError> {
        let (mut counted, mut looked_at, mut start) = (0, 0, None);
        loop {
            let query = self.remembered(org, product).select(Select::Count);
            let query = query
                .limit(i32::try_from(MAX_COUNTED - looked_at).unwrap_or(i32::MAX))
                .set_exclusive_start_key(start);
            let output = query.send().await?;
            counted += i64::from(output.count);
            looked_at += usize::try_from(output.scanned_count).unwrap_or_default();
            start = output.last_evaluated_key;
            if start.is_none() || looked_at >= MAX_COUNTED {
                return Ok(counted);
            }
        }
    }

    /// Starts a query for an organization's grants for a product. A filter omits grants that ended more than
    /// 30 days ago but haven't been deleted yet.
    fn remembered(&self, org: &OrgId, product: TileProduct) -> QueryFluentBuilder {
        let forgotten = self.0.clock.now().plus_days(-REMEMBERED_DAYS);
        let Dynamo { client, credentials, .. } = &self.0;
        query(client, credentials, &keys::tile_grants(org), &keys::tile_grant_list(product))
            .filter_expression(
                "expires > :forgotten AND (attribute_not_exists(revoked) OR revoked > :forgotten)",
            )
            .expression_attribute_values(":forgotten", moment(forgotten))
    }
}

impl ListedTileGrant {
    /// Returns the grant's position in the list.
    pub fn position(&self) -> TileGrantPosition {
        TileGrantPosition { created_at: self.grant.created_at, digest: self.id.digest() }
    }
}

/// Returns a grant's sort key in its organization's list.
fn sort_key(grant: &TileGrant, digest: &SecretDigest) -> String {
    keys::tile_grant_in_list(grant.product, grant.created_at, digest)
}

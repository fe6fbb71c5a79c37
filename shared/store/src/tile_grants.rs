//! Tile grants: minted within the bound of their organization, found, listed and revoked.

use std::cmp::Reverse;

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, Select, TransactWriteItem};
use strum::IntoEnumIterator;
use thiserror::Error;

use super::batch::batch_get;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Item, binary, key, number, text};
use super::keys;
use super::query::query;
use super::standing::is_member;
use super::tile_grant_item::{
    ListedTileGrant, REMEMBERED_DAYS, SignedTileGrant, TileGrant, TileSecret, decode_listed, decode_signed,
    encode,
};
use super::tile_slots::{FreeSlot, free_slot, live_grants};
use super::transaction::{TransactionFailure, put_new, revoking, transact};
use crate::{Actor, MAX_LIVE_TILE_GRANTS, Subject, TileGrantDigest, TileGrantId, TileProduct};

/// How often a grant looks for another slot because one that is minted beside it has taken its own.
const MAX_LOOKS: usize = 20;

/// How many grants of a list are counted for its total: counting reads them.
const MAX_COUNTED: usize = 1_000;

/// How many grants of a list are read at a time to revoke those that live.
const REVOKED_PAGE: usize = 100;

/// The tile grants: by the digest of their ids, and in the lists of their organizations. One is forgotten 30
/// days after it ended or was revoked.
#[derive(Clone, Debug)]
pub struct TileGrants(Dynamo);

/// Some of an organization's grants, newest first.
pub struct TileGrantPage {
    pub grants: Vec<ListedTileGrant>,
    /// Whether there are older ones.
    pub has_more: bool,
    /// How many of the product are remembered; at most 1,000 are counted.
    pub total: i64,
}

/// A grant's place in its organization's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileGrantPosition {
    /// When it was minted.
    pub created_at: Timestamp,
    /// Tells those of one millisecond apart.
    pub digest: TileGrantDigest,
}

/// Why a grant was not minted.
#[derive(Debug, Error)]
pub enum TileGrantFailure {
    /// The organization has as many live grants as there can be.
    #[error("the organization has {MAX_LIVE_TILE_GRANTS} live tile grants, the most there can be")]
    TooMany,
    /// Whoever mints does not belong to the organization, or does no longer.
    #[error("only members of the organization mint grants")]
    NotAMember,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TileGrants {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Stores a new grant under its digest and in the list, and takes one of the organization's slots, all in
    /// one transaction. `by` is the person who mints it; `None` where none does.
    ///
    /// # Errors
    ///
    /// When there are [`MAX_LIVE_TILE_GRANTS`] already, when `by` does not belong to the organization at that
    /// moment, whatever a process remembers, or when the database does not answer.
    pub async fn mint(
        &self,
        id: &TileGrantId,
        grant: &TileGrant,
        secret: &TileSecret,
        by: Option<&Subject>,
    ) -> Result<(), TileGrantFailure> {
        for _ in 0..MAX_LOOKS {
            let Some(slot) = free_slot(&self.0, &grant.org, grant.created_at).await? else {
                return Err(TileGrantFailure::TooMany);
            };
            let mut writes = self.minting(id, grant, secret, slot);
            let member_check = writes.len();
            writes.extend(by.map(|by| is_member(&self.0, &grant.org, by)));
            match transact(&self.0, writes).await {
                Ok(()) => return Ok(()),
                Err(failure) if failure.is_of(member_check) => return Err(TileGrantFailure::NotAMember),
                // Another grant has taken the slot since.
                Err(failure) if failure.is_of(0) => {}
                Err(TransactionFailure::Conditions(_)) => {
                    return Err(StoreError::Contended("the grant's id is taken; try again").into());
                }
                Err(TransactionFailure::Call(failure)) => return Err(StoreError::from(failure).into()),
            }
        }
        Err(StoreError::Contended("too many grants are minted at a time").into())
    }

    /// Finds a grant by the digest of its id, ended and revoked ones too until they are forgotten.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn find(&self, digest: &TileGrantDigest) -> Result<Option<SignedTileGrant>, StoreError> {
        let get = self.0.client.get_item().table_name(&self.0.credentials);
        let get = get.set_key(Some(key(keys::tile_grant(digest), keys::TILE_GRANT))).consistent_read(true);
        let found = get.send().await?.item.as_ref().map(decode_signed).transpose()?;
        // The time to live lags.
        let now = self.0.clock.now();
        Ok(found.filter(|signed| signed.grant.forgotten_at() > now))
    }

    /// Lists an organization's grants of a product, newest first, from after a position on.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
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

    /// Lists the live grants of an organization that somebody has minted, of all products, newest first.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn live_made_by(
        &self,
        org: &OrgId,
        maker: &Actor,
        now: Timestamp,
    ) -> Result<Vec<ListedTileGrant>, StoreError> {
        let live = live_grants(&self.0, org, now).await?.into_iter();
        let made = live.filter(|(_, grant)| grant.created_by.as_ref() == Some(maker));
        // Their ids stand in the list alone.
        let item_keys = made.map(|(digest, grant)| key_in_list(&grant, &digest)).collect();
        let items = batch_get(&self.0, &self.0.credentials, item_keys).await?;
        let mut listed = items.iter().map(decode_listed).collect::<Result<Vec<_>, _>>()?;
        listed.sort_by_key(|listed| Reverse(listed.grant.created_at));
        Ok(listed)
    }

    /// Revokes a grant for somebody, or for the operator, unless it is revoked already; `false` when the
    /// organization has no such grant of the product.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn revoke(
        &self,
        org: &OrgId,
        product: TileProduct,
        digest: &TileGrantDigest,
        by: Option<&Actor>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Some(SignedTileGrant { grant, .. }) = self.find(digest).await? else {
            return Ok(false);
        };
        if grant.org != *org || grant.product != product {
            return Ok(false);
        }
        if grant.revoked_at.is_some() {
            return Ok(true);
        }
        let revoked = TileGrant { revoked_at: Some(now), ..grant };
        let writes = [key(keys::tile_grant(digest), keys::TILE_GRANT), key_in_list(&revoked, digest)]
            .map(|item_key| self.revocation(item_key, &revoked, by, now));
        match transact(&self.0, writes.into()).await {
            // A condition fails where another call has revoked it since.
            Ok(()) | Err(TransactionFailure::Conditions(_)) => Ok(true),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    /// Revokes all live grants that an organization has, for the operator, and returns how many there were.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable: some may be revoked then.
    pub async fn revoke_all(&self, org: &OrgId, now: Timestamp) -> Result<usize, StoreError> {
        let mut revoked = 0;
        for product in TileProduct::iter() {
            let mut after = None;
            loop {
                let (grants, has_more) = self.page(org, product, after.as_ref(), REVOKED_PAGE).await?;
                for listed in grants.iter().filter(|listed| listed.grant.is_live(now)) {
                    self.revoke(org, product, &listed.id.digest(), None, now).await?;
                    revoked += 1;
                }
                after = grants.last().filter(|_| has_more).map(ListedTileGrant::position);
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(revoked)
    }

    fn minting(
        &self,
        id: &TileGrantId,
        grant: &TileGrant,
        secret: &TileSecret,
        slot: FreeSlot,
    ) -> Vec<TransactWriteItem> {
        let digest = id.digest();
        let mut by_digest = key(keys::tile_grant(&digest), keys::TILE_GRANT);
        by_digest.extend(encode(grant));
        by_digest.insert("secret".to_owned(), binary(secret.as_bytes()));
        let mut in_list = key_in_list(grant, &digest);
        in_list.extend(encode(grant));
        in_list.insert("grant_id".to_owned(), text(id.reveal()));
        vec![
            slot.take(&self.0, grant, &digest),
            put_new(&self.0.credentials, by_digest),
            put_new(&self.0.credentials, in_list),
        ]
    }

    /// Makes the write that revokes one of the two items of a grant, unless it is revoked.
    fn revocation(
        &self,
        item_key: Item,
        revoked: &TileGrant,
        by: Option<&Actor>,
        now: Timestamp,
    ) -> TransactWriteItem {
        let mut expression = revoking(by, now);
        expression.set("ttl", number(revoked.forgotten_at().unix_seconds()));
        let no_item = ReturnValuesOnConditionCheckFailure::None;
        expression.into_write(&self.0.credentials, item_key, no_item)
    }

    /// Returns a page of a list, and whether there is a further one: it reads one grant more than the page
    /// has.
    async fn page(
        &self,
        org: &OrgId,
        product: TileProduct,
        after: Option<&TileGrantPosition>,
        limit: usize,
    ) -> Result<(Vec<ListedTileGrant>, bool), StoreError> {
        let start_of =
            |after: &TileGrantPosition| keys::tile_grant_in_list(product, after.created_at, &after.digest);
        let mut start = after.map(|after| key(keys::tile_grants(org), start_of(after)));
        let mut grants = Vec::new();
        loop {
            let query = self.remembered(org, product).scan_index_forward(false);
            let query = query.limit(items(limit + 1 - grants.len())).set_exclusive_start_key(start);
            let output = query.send().await?;
            for item in output.items.unwrap_or_default() {
                grants.push(decode_listed(&item)?);
            }
            start = output.last_evaluated_key;
            if start.is_none() || grants.len() > limit {
                let has_more = grants.len() > limit;
                grants.truncate(limit);
                return Ok((grants, has_more));
            }
        }
    }

    async fn count(&self, org: &OrgId, product: TileProduct) -> Result<i64, StoreError> {
        let (mut counted, mut looked_at, mut start) = (0, 0, None);
        loop {
            let query = self.remembered(org, product).select(Select::Count);
            let query = query.limit(items(MAX_COUNTED - looked_at)).set_exclusive_start_key(start);
            let output = query.send().await?;
            counted += i64::from(output.count);
            looked_at += usize::try_from(output.scanned_count).unwrap_or_default();
            start = output.last_evaluated_key;
            if start.is_none() || looked_at >= MAX_COUNTED {
                return Ok(counted);
            }
        }
    }

    /// Starts a query of a list. It leaves out what is forgotten, for the time to live lags.
    fn remembered(&self, org: &OrgId, product: TileProduct) -> QueryFluentBuilder {
        let forgotten = self.0.clock.now().plus_days(-REMEMBERED_DAYS);
        let Dynamo { client, credentials, .. } = &self.0;
        query(client, credentials, &keys::tile_grants(org), &keys::tile_grant_list(product))
            .filter_expression(
                "expires > :forgotten AND (attribute_not_exists(revoked) OR revoked > :forgotten)",
            )
            .expression_attribute_values(":forgotten", number(forgotten.unix_millis()))
    }
}

impl ListedTileGrant {
    /// Returns the grant's place in the list.
    pub fn position(&self) -> TileGrantPosition {
        TileGrantPosition { created_at: self.grant.created_at, digest: self.id.digest() }
    }
}

fn key_in_list(grant: &TileGrant, digest: &TileGrantDigest) -> Item {
    key(keys::tile_grants(&grant.org), keys::tile_grant_in_list(grant.product, grant.created_at, digest))
}

/// Returns how many items a query looks at, as the database takes it.
fn items(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

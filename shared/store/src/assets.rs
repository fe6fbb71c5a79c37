//! Reads, edits, and deletes assets. They're created in `creates.rs`.

use std::time::Duration;

use accounting::OrgId;
use aws_sdk_dynamodb::types::TransactWriteItem;
use thiserror::Error;
use tokio::time::Instant;

use super::batch::batch_get;
use super::bodies::{Packed, TooLarge, pack, unpack};
use super::client::Dynamo;
use super::creates::{KeyUse, UnusedKey, item_of};
use super::error::StoreError;
use super::expression::Expression;
use super::head::{self, BodyAt, Head, IndexedMembers};
use super::item::{Item, NewItem, attribute, key, number};
use super::keys;
use super::query::read;
use super::transaction::{TransactionFailure, delete, put, put_new, transact};
use crate::{AssetId, AssetState, Family, Tombstone};

/// How long an edit, a replacement, or a deletion is retried while other requests change the same asset.
pub(super) const EDIT_DEADLINE: Duration = Duration::from_secs(8);

/// The maximum number of attempts to read an asset whose body keeps changing during the read.
const MAX_ATTEMPTS: usize = 10;

/// All organizations' assets of one family.
#[derive(Clone, Debug)]
pub struct Assets {
    pub(super) dynamo: Dynamo,
    pub(super) family: Family,
}

/// An asset with its body.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Everything except the body.
    pub head: Head,
    /// The body, as JSON.
    pub body: Vec<u8>,
}

/// The new content of an asset: its body and data derived from the body.
#[derive(Clone, Debug)]
pub struct Content {
    /// The body, as JSON.
    pub body: Vec<u8>,
    /// The members of the body that lists can be filtered by.
    pub indexed: IndexedMembers,
    /// The number of IDs in the body that aren't in the data release.
    pub unknown_ids: usize,
}

/// Whether `decide` is called for the first time or again after a concurrent change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    First,
    /// The asset has changed since the first attempt.
    Retry,
}

/// Why an asset wasn't written. `E` is the caller's own error type.
#[derive(Debug, Error)]
pub enum WriteFailure<E> {
    /// The organization has no asset with this ID.
    #[error("the organization has no asset with this id")]
    NotFound,
    /// The caller's decision rejected the change.
    #[error("the change was refused: {0}")]
    Refused(E),
    /// More than one asset has the `customer_scenario_id` that identifies the asset to write.
    #[error("several assets have this customer_scenario_id")]
    SeveralMatches,
    /// Another request used the idempotency key after it was looked up.
    #[error("another request used the idempotency key")]
    KeyUsed(KeyUse),
    /// The body exceeds a limit.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Assets {
    pub fn new(dynamo: Dynamo, family: Family) -> Self {
        Self { dynamo, family }
    }

    /// Reads the current version of an asset. Returns `None` if the organization doesn't have the asset, and
    /// an error if other requests keep replacing its body.
    pub async fn read(&self, org: &OrgId, id: AssetId) -> Result<Option<Asset>, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(head) = self.read_head(org, id).await? else {
                return Ok(None);
            };
            if let Some(body) = self.read_body(org, &head).await? {
                return Ok(Some(Asset { head, body }));
            }
            self.pause().await;
        }
        Err(StoreError::Contended("other requests keep changing the asset"))
    }

    /// Replaces an asset's body with the result of `decide`.
    ///
    /// If a concurrent change is written first, the asset is read again and `decide` is called again, so no
    /// change is lost. An unchanged body isn't written, and the asset keeps its version. If `key` is set, the
    /// use of the idempotency key is recorded in the same transaction.
    pub async fn edit<E>(
        &self,
        org: &OrgId,
        id: AssetId,
        key: Option<&UnusedKey>,
        mut decide: impl FnMut(&Asset, Attempt) -> Result<Content, E>,
    ) -> Result<Asset, WriteFailure<E>> {
        let deadline = Instant::now() + EDIT_DEADLINE;
        let mut attempt = Attempt::First;
        loop {
            let asset = self.read(org, id).await?.ok_or(WriteFailure::NotFound)?;
            let Content { body, indexed, unknown_ids } =
                decide(&asset, attempt).map_err(WriteFailure::Refused)?;
            let (edited, mut writes) = if body == asset.body {
                (asset, Vec::new())
            } else {
                let packed = pack(&body)?;
                let head = Head { unknown_ids, ..self.edited(&asset.head, indexed, &packed) };
                let writes = self.replacing(org, &asset.head, &head, &packed);
                (Asset { head, body }, writes)
            };
            writes.extend(key.map(|key| self.take_key(org, id, key)));
            if writes.is_empty() {
                return Ok(edited);
            }
            match transact(&self.dynamo, writes).await {
                Ok(()) => return Ok(edited),
                Err(failure) => self.again_before(deadline, key, failure)?,
            }
            attempt = Attempt::Retry;
            self.pause().await;
        }
    }

    /// Deletes an asset if `decide` allows it. If the asset is queued, a tombstone records the purchase of
    /// its measurement. If `key` is set, the use of the idempotency key is recorded in the same transaction.
    pub async fn delete<E>(
        &self,
        org: &OrgId,
        id: AssetId,
        key: Option<&UnusedKey>,
        mut decide: impl FnMut(&Head, Attempt) -> Result<(), E>,
    ) -> Result<(), WriteFailure<E>> {
        let deadline = Instant::now() + EDIT_DEADLINE;
        let mut attempt = Attempt::First;
        loop {
            let head = self.read_head(org, id).await?.ok_or(WriteFailure::NotFound)?;
            decide(&head, attempt).map_err(WriteFailure::Refused)?;
            let mut writes = self.deleting(org, &head);
            writes.extend(key.map(|key| self.take_key(org, id, key)));
            match transact(&self.dynamo, writes).await {
                Ok(()) => return Ok(()),
                Err(failure) => self.again_before(deadline, key, failure)?,
            }
            attempt = Attempt::Retry;
            self.pause().await;
        }
    }

    /// Reads an asset's body. Returns `None` if parts of the body are missing or belong to a different
    /// version of the asset than `head`.
    pub(super) async fn read_body(&self, org: &OrgId, head: &Head) -> Result<Option<Vec<u8>>, StoreError> {
        let (count, version) = match &head.body {
            BodyAt::Inline(bytes) => return unpack("body", bytes).map(Some),
            BodyAt::Chunks { count, version } => (*count, *version),
        };
        let keys = (0..count).map(|part| self.chunk_key(org, head.id, part)).collect();
        let mut parts: Vec<Item> = batch_get(&self.dynamo, &self.dynamo.assets, keys).await?;
        parts.sort_by_key(|item| attribute(item, "part").unwrap_or(usize::MAX));
        let mut compressed = Vec::new();
        for part in &parts {
            if attribute::<u64>(part, "version")? != version {
                return Ok(None);
            }
            compressed.extend(attribute::<Vec<u8>>(part, "body")?);
        }
        if parts.len() < count { Ok(None) } else { unpack("body", &compressed).map(Some) }
    }

    pub async fn read_head(&self, org: &OrgId, id: AssetId) -> Result<Option<Head>, StoreError> {
        let item_key = key(keys::library(self.family, org), keys::asset(id));
        read(&self.dynamo.client, &self.dynamo.assets, item_key).await
    }

    fn edited(&self, head: &Head, indexed: IndexedMembers, packed: &Packed) -> Head {
        let version = head.version + 1;
        Head {
            version,
            updated_at: self.dynamo.clock.now(),
            indexed,
            escaped_bytes: packed.escaped_bytes,
            body: BodyAt::of(packed, version),
            ..head.clone()
        }
    }

    fn replacing(&self, org: &OrgId, before: &Head, after: &Head, packed: &Packed) -> Vec<TransactWriteItem> {
        let mut writes = vec![self.put_head(org, after, Some(before.version))];
        let [from, to] = [before, after].map(|head| Some(&head.indexed));
        writes.extend(self.move_in_customer_index(org, after.id, from, to));
        writes.extend(
            (after.body.chunks()..before.body.chunks()).map(|part| self.delete_chunk(org, before.id, part)),
        );
        writes.extend(self.put_chunks(org, after.id, after.version, packed));
        // The edit may have changed the dates, so the next step of the measurement may be due earlier.
        writes.extend(self.check_queued(org, after.id, after.state, after.purchase.as_ref()));
        writes
    }

    fn deleting(&self, org: &OrgId, head: &Head) -> Vec<TransactWriteItem> {
        let mut expression = Expression::default();
        expression.require_equal("version", number(head.version));
        let item_key = key(keys::library(self.family, org), keys::asset(head.id));
        let mut writes = vec![
            expression.into_delete(&self.dynamo.assets, item_key),
            self.count(org, head.id, Some(head.state), None),
        ];
        writes.extend(self.move_in_customer_index(org, head.id, Some(&head.indexed), None));
        writes.extend((0..head.body.chunks()).map(|part| self.delete_chunk(org, head.id, part)));
        let is_own = head.purchase.as_ref().is_some_and(|purchase| purchase.is_own);
        if is_own || head.state == AssetState::Failed {
            writes.push(delete(&self.dynamo.assets, self.report_key(org, head.id)));
        }
        if head.state == AssetState::Queued {
            let item = NewItem::of_key(keys::library(self.family, org), keys::tombstone(head.id))
                .with_all(&Tombstone { version: 1, purchase: head.purchase.clone() });
            writes.push(put(&self.dynamo.assets, item.build()));
            writes.extend(self.check_queued(org, head.id, head.state, head.purchase.as_ref()));
        }
        writes
    }

    pub(super) fn put_head(&self, org: &OrgId, head: &Head, expected: Option<u64>) -> TransactWriteItem {
        let item = head::encode(self.family, org, head);
        let Some(version) = expected else { return put_new(&self.dynamo.assets, item) };
        let mut expression = Expression::default();
        expression.require_equal("version", number(version));
        expression.into_put(&self.dynamo.assets, item)
    }

    pub(super) fn put_chunks(
        &self,
        org: &OrgId,
        id: AssetId,
        version: u64,
        packed: &Packed,
    ) -> Vec<TransactWriteItem> {
        let put = |(part, bytes): (usize, &[u8])| {
            let item =
                NewItem::of_key(keys::chunk_partition(self.family, org, id, part), keys::chunk(id, part))
                    .with("part", &part)
                    .with("version", &version)
                    .with("body", &bytes.to_vec());
            put(&self.dynamo.assets, item.build())
        };
        packed.chunks().enumerate().map(put).collect()
    }

    fn chunk_key(&self, org: &OrgId, id: AssetId, part: usize) -> Item {
        key(keys::chunk_partition(self.family, org, id, part), keys::chunk(id, part))
    }

    fn delete_chunk(&self, org: &OrgId, id: AssetId, part: usize) -> TransactWriteItem {
        delete(&self.dynamo.assets, self.chunk_key(org, id, part))
    }

    /// Returns the write that decrements the counter for an asset's old state and increments the counter for
    /// its new state. `from` is `None` for a new asset, and `to` is `None` for a deleted asset.
    pub(super) fn count(
        &self,
        org: &OrgId,
        id: AssetId,
        from: Option<AssetState>,
        to: Option<AssetState>,
    ) -> TransactWriteItem {
        let mut expression = Expression::default();
        for (state, step) in [(from, -1), (to, 1)] {
            if let Some(state) = state {
                let counter = expression.name(state.as_str());
                expression.add_at(counter, step);
            }
        }
        let item_key = key(keys::library(self.family, org), keys::count(id));
        expression.into_write(&self.dynamo.assets, item_key)
    }

    pub(super) async fn pause(&self) {
        tokio::time::sleep(Duration::from_millis(self.dynamo.random.below(20))).await;
    }

    /// Returns `Ok` if the write can be retried, which is the case if a concurrent change made it fail and
    /// the deadline hasn't passed.
    fn again_before<E>(
        &self,
        deadline: Instant,
        key: Option<&UnusedKey>,
        failure: TransactionFailure,
    ) -> Result<(), WriteFailure<E>> {
        let failed = match failure {
            TransactionFailure::Conditions(failed) => failed,
            TransactionFailure::Call(error) => return Err(WriteFailure::Store(error)),
        };
        if let Some((key, item)) = key.zip(item_of(&failed)) {
            return Err(self.key_used(key, item));
        }
        if Instant::now() < deadline {
            return Ok(());
        }
        Err(WriteFailure::Store(StoreError::Contended("too many concurrent changes to the asset")))
    }
}

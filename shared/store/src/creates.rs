//! Creates assets. Requests with the same idempotency key create at most one asset, even if the client
//! retries or the database doesn't respond.
//!
//! The transaction that creates an asset also writes an item for the key, on the condition that this item
//! hasn't changed since the key was looked up. If two requests with the same key run at the same time, one of
//! them succeeds, and the other finds the item that the first one wrote. If the database doesn't respond to a
//! create, an expired item is written for the key, which prevents the create from succeeding later.

use std::time::Duration;

use accounting::{OrgId, Timestamp, sha256_hex};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use tokio::time::Instant;

use super::assets::{Asset, Assets, Content, WriteFailure};
use super::bodies::{TooLarge, pack};
use super::error::StoreError;
use super::expression::Expression;
use super::head::{BodyAt, Head};
use super::item::{Item, NewItem, Stored, key, moment, stored, text};
use super::keys;
use super::query::read;
use super::transaction::{FailedCondition, TransactionFailure, transact, transact_once};
use crate::{AssetId, AssetState, IdempotencyKey};

/// How long an idempotency key is remembered, in hours. See `IdempotencyKey` in openapi.yaml.
const KEY_HOURS: i64 = 24;

/// How long a create with an idempotency key waits for a response. A handler has 15 s in total.
const CREATE_DEADLINE: Duration = Duration::from_secs(5);

/// How long the service tries to determine the outcome of a create that got no response.
const BLOCK_DEADLINE: Duration = Duration::from_secs(5);

/// The result of looking up an idempotency key before a write.
#[derive(Clone, Debug)]
pub enum KeyLookup {
    /// The key wasn't used in the last 24 hours.
    Unused(UnusedKey),
    /// The key was used.
    Used(KeyUse),
}

/// How an idempotency key was used in the last 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// A request with the same body created or changed this asset.
    SameBody(AssetId),
    /// A request with a different body created or changed an asset.
    OtherBody,
}

/// An unused idempotency key, with the digest of the request body. Created only by [`Assets::look_up_key`].
#[derive(Clone, Debug)]
pub struct UnusedKey {
    key: IdempotencyKey,
    body_digest: String,
    /// The asset and the end time from the key's expired item, if the database hasn't deleted this item yet.
    /// The write's condition compares both, because only the end time changes if another request uses the key
    /// to edit the same asset.
    ended: Option<(AssetId, Timestamp)>,
}

/// The item that records an idempotency key's use.
struct KeyItem {
    asset: AssetId,
    body_digest: String,
    ends_at: Timestamp,
}

impl Assets {
    /// Stores a new asset in the draft state and increments the counter for that state. If `key` is set, the
    /// use of the idempotency key is recorded in the same transaction.
    ///
    /// # Errors
    ///
    /// Returns an error if the key was used after its lookup, if the body is too large, or if the database
    /// fails.
    pub async fn create<E>(
        &self,
        org: &OrgId,
        content: Content,
        key: Option<&UnusedKey>,
    ) -> Result<Asset, WriteFailure<E>> {
        let id = AssetId::from_random(self.dynamo.clock.now(), self.dynamo.random.bytes());
        let (asset, writes) = self.new_asset(org, id, content)?;
        if let Err(failure) = self.write_new(org, id, writes, key).await {
            self.settle_create(org, id, key, failure).await?;
        }
        Ok(asset)
    }

    /// Returns a new asset in the draft state, and the writes that store it.
    pub(super) fn new_asset(
        &self,
        org: &OrgId,
        id: AssetId,
        content: Content,
    ) -> Result<(Asset, Vec<TransactWriteItem>), TooLarge> {
        let Content { body, indexed, unknown_ids } = content;
        let packed = pack(&body)?;
        let now = self.dynamo.clock.now();
        let head = Head {
            id,
            state: AssetState::Draft,
            version: 1,
            created_at: now,
            updated_at: now,
            last_measured_at: None,
            purchase: None,
            indexed,
            unknown_ids,
            escaped_bytes: packed.escaped_bytes,
            body: BodyAt::of(&packed, 1),
        };
        let mut writes =
            vec![self.put_head(org, &head, None), self.count(org, head.id, None, Some(head.state))];
        writes.extend(self.move_in_customer_index(org, head.id, None, Some(&head.indexed)));
        writes.extend(self.put_chunks(org, head.id, 1, &packed));
        Ok((Asset { head, body }, writes))
    }

    /// Writes a new asset. If the request has an idempotency key, the key is assigned to the asset, and the
    /// write is abandoned after [`CREATE_DEADLINE`] to leave time for determining its outcome.
    pub(super) async fn write_new(
        &self,
        org: &OrgId,
        asset: AssetId,
        mut writes: Vec<TransactWriteItem>,
        key: Option<&UnusedKey>,
    ) -> Result<(), TransactionFailure> {
        writes.extend(key.map(|key| self.take_key(org, asset, key)));
        let writing = transact(&self.dynamo, writes);
        if key.is_none() {
            return writing.await;
        }
        tokio::time::timeout(CREATE_DEADLINE, writing).await.unwrap_or_else(|_late| {
            Err(TransactionFailure::Call(StoreError::Unavailable(
                "creating the asset took too long".to_owned(),
            )))
        })
    }

    /// Looks up an idempotency key with one read. `body` is the body of the current request.
    pub async fn look_up_key(
        &self,
        org: &OrgId,
        idempotency_key: IdempotencyKey,
        body: &[u8],
    ) -> Result<KeyLookup, StoreError> {
        let item_key = key(keys::create(self.family, org, &idempotency_key), keys::CREATE);
        let found: Option<KeyItem> = read(&self.dynamo.client, &self.dynamo.assets, item_key).await?;
        let unused = UnusedKey {
            key: idempotency_key,
            body_digest: sha256_hex(&[body]),
            ended: found.as_ref().map(|item| (item.asset, item.ends_at)),
        };
        Ok(match found.and_then(|item| self.live_use(&unused, &item)) {
            Some(used) => KeyLookup::Used(used),
            None => KeyLookup::Unused(unused),
        })
    }

    /// Returns the write that assigns an idempotency key to an asset.
    pub(super) fn take_key(&self, org: &OrgId, asset: AssetId, unused: &UnusedKey) -> TransactWriteItem {
        let ends_at = self.dynamo.clock.now().plus_seconds(KEY_HOURS * 3_600);
        self.put_key_item(org, unused, asset, ends_at)
    }

    /// Determines the outcome of a create that failed or got no response. Returns `Ok` if the asset was
    /// created.
    pub(super) async fn settle_create<E>(
        &self,
        org: &OrgId,
        asset: AssetId,
        key: Option<&UnusedKey>,
        failure: TransactionFailure,
    ) -> Result<(), WriteFailure<E>> {
        let found = match (failure, key) {
            (TransactionFailure::Conditions(failed), _) => item_of(&failed).cloned(),
            (TransactionFailure::Call(error), Some(key)) if error.is_passing() => {
                self.block(org, asset, key).await?
            }
            (TransactionFailure::Call(error), _) => return Err(WriteFailure::Store(error)),
        };
        let Some((key, found)) = key.zip(found) else {
            return Err(WriteFailure::Store(StoreError::Contended("the asset ID is taken")));
        };
        if KeyItem::load(&found)?.asset == asset { Ok(()) } else { Err(self.key_used(key, &found)) }
    }

    /// Returns the failure for a key whose item has changed since its lookup.
    pub(super) fn key_used<E>(&self, unused: &UnusedKey, item: &Item) -> WriteFailure<E> {
        match KeyItem::load(item).map(|found| self.live_use(unused, &found)) {
            Ok(Some(used)) => WriteFailure::KeyUsed(used),
            // Another create with this key got no response, and the expired item that blocks that create also
            // blocks this one.
            Ok(None) => {
                WriteFailure::Store(StoreError::Contended("another request used the idempotency key"))
            }
            Err(error) => WriteFailure::Store(error),
        }
    }

    /// Prevents a create that got no response from succeeding later. Returns the key's item if it has changed
    /// since the lookup, for example because the create has already succeeded. Otherwise, returns an error,
    /// because the create was prevented or its outcome is still unknown.
    async fn block(
        &self,
        org: &OrgId,
        asset: AssetId,
        unused: &UnusedKey,
    ) -> Result<Option<Item>, StoreError> {
        let deadline = Instant::now() + BLOCK_DEADLINE;
        let nothing = AssetId::from_random(self.dynamo.clock.now(), self.dynamo.random.bytes());
        // Clocks differ between processes. With this end time, the item counts as expired on any clock.
        let long_ago = Timestamp::from_unix_seconds(0);
        loop {
            match transact_once(&self.dynamo, vec![self.put_key_item(org, unused, nothing, long_ago)]).await {
                Ok(()) => {
                    return Err(StoreError::Unavailable("the create request was not applied".to_owned()));
                }
                Err(TransactionFailure::Conditions(failed)) => return Ok(item_of(&failed).cloned()),
                Err(TransactionFailure::Call(error)) if error.is_passing() && Instant::now() < deadline => {}
                Err(TransactionFailure::Call(error)) => {
                    tracing::error!(event = "create_in_doubt", %org, asset_id = %asset);
                    return Err(error);
                }
            }
            self.pause().await;
        }
    }

    fn put_key_item(
        &self,
        org: &OrgId,
        unused: &UnusedKey,
        asset: AssetId,
        ends_at: Timestamp,
    ) -> TransactWriteItem {
        let UnusedKey { key: idempotency_key, body_digest, ended } = unused;
        // Clocks differ between processes, so an item is kept for an hour longer than its key is remembered.
        // An item that blocks a create is expired from the start, but it must outlast the create.
        let kept_until = self.dynamo.clock.now().plus_seconds((KEY_HOURS + 1) * 3_600);
        let item = NewItem::of_key(keys::create(self.family, org, idempotency_key), keys::CREATE)
            .with_all(&KeyItem { asset, body_digest: body_digest.clone(), ends_at })
            .time_to_live(kept_until);
        let seen = ended.map(|(asset, end)| [("asset", text(asset.to_string())), ("ends", moment(end))]);
        claiming(seen).returning_item().into_put(&self.dynamo.assets, item.build())
    }

    /// Returns how a key was used, or `None` if the key has expired. An expired key's item may still exist.
    fn live_use(&self, unused: &UnusedKey, item: &KeyItem) -> Option<KeyUse> {
        if item.ends_at <= self.dynamo.clock.now() {
            return None;
        }
        let same = item.body_digest == unused.body_digest;
        Some(if same { KeyUse::SameBody(item.asset) } else { KeyUse::OtherBody })
    }
}

stored!(KeyItem { asset: "asset", body_digest: "digest", ends_at: "ends" });

/// Returns the condition for a write that claims an item: the item must not exist, or it must still have the
/// attribute values in `seen`.
pub(super) fn claiming<const N: usize>(seen: Option<[(&str, AttributeValue); N]>) -> Expression {
    let mut expression = Expression::default();
    let Some(seen) = seen else {
        expression.require("attribute_not_exists(pk)");
        return expression;
    };
    let equal = |(name, value): (&str, _)| format!("{} = {}", expression.name(name), expression.value(value));
    let unchanged = seen.map(equal).join(" AND ");
    // The database may have deleted the expired item since it was read.
    expression.require(format!("(attribute_not_exists(pk) OR ({unchanged}))"));
    expression
}

/// Returns the idempotency key's item from the failed conditions. It's the only item that these transactions
/// ask the database to return.
pub(super) fn item_of(failed: &[FailedCondition]) -> Option<&Item> {
    failed.iter().find_map(|failed| failed.item.as_ref())
}

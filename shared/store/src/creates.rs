//! New assets; with an idempotency key, one for each key and body, however often they are sent and however
//! the database answers.
//!
//! The transaction that creates an asset also puts the key's item, on the condition that the item is as the
//! lookup saw it. So of two creates at once one lands, and the other one finds its item. A create that was
//! not answered is settled by an item that has ended already: once that is there, the create cannot land.

use std::time::Duration;

use accounting::{OrgId, Timestamp, sha256_hex};
use aws_sdk_dynamodb::types::TransactWriteItem;
use tokio::time::Instant;

use super::assets::{Asset, Assets, Content, WriteFailure};
use super::bodies::pack;
use super::error::StoreError;
use super::expression::Expression;
use super::head::{BodyAt, Head};
use super::item::{Item, NewItem, Stored, key, stored, text};
use super::keys;
use super::query::get;
use super::transaction::{FailedCondition, TransactionFailure, transact, transact_once};
use crate::{AssetId, AssetState, IdempotencyKey};

/// How long a key is remembered: openapi.yaml, `IdempotencyKey`.
const KEY_HOURS: i64 = 24;

/// How long a create with a key waits for an answer, and how long it is asked after then. A handler has 15 s
/// in all.
const CREATE_DEADLINE: Duration = Duration::from_secs(5);
const BAR_DEADLINE: Duration = Duration::from_secs(5);

/// What is known of the idempotency key of a create before it creates.
#[derive(Clone, Debug)]
pub enum KeyLookup {
    /// Nothing was created with it in its time.
    Unused(UnusedKey),
    /// It has been used.
    Used(KeyUse),
}

/// What an idempotency key was used for within its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// The same bytes created this asset.
    SameBody(AssetId),
    /// Other bytes created an asset.
    OtherBody,
}

/// An idempotency key that was looked up and found unused, with the body that it came with. Only
/// [`Assets::look_up_key`] makes one.
#[derive(Clone, Debug)]
pub struct UnusedKey {
    key: IdempotencyKey,
    body_digest: String,
    /// The asset of the item that has ended and still lies there: the time to live lags.
    ended: Option<AssetId>,
}

/// What an idempotency key created.
struct KeyItem {
    asset: AssetId,
    body_digest: String,
    ends_at: Timestamp,
}

impl Assets {
    /// Stores a new draft and counts it; with an idempotency key, at most one for the key.
    ///
    /// # Errors
    ///
    /// When the key has been used since it was looked up, the body is too large, or the database does not
    /// answer.
    pub async fn create(
        &self,
        org: &OrgId,
        content: Content,
        key: Option<&UnusedKey>,
    ) -> Result<Asset, WriteFailure<KeyUse>> {
        let Content { body, indexed, unknown_ids } = content;
        let packed = pack(&body)?;
        let now = self.dynamo.clock.now();
        let head = Head {
            id: AssetId::from_random(now, self.dynamo.random.bytes()),
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
        let customer_scenario = head.indexed.customer_scenario.as_ref();
        writes.extend(self.move_in_customer_scenarios(org, head.id, None, customer_scenario));
        writes.extend(key.map(|key| self.take_key(org, head.id, key)));
        writes.extend(self.put_chunks(org, head.id, 1, &packed));
        match (self.write_new(writes, key.is_some()).await, key) {
            (Ok(()), _) => {}
            (Err(failure), Some(key)) => self.settle_create(org, head.id, key, failure).await?,
            (Err(TransactionFailure::Conditions(_)), None) => {
                return Err(WriteFailure::Store(StoreError::Contended("the id is taken")));
            }
            (Err(TransactionFailure::Call(error)), None) => return Err(WriteFailure::Store(error)),
        }
        Ok(Asset { head, body })
    }

    /// Writes a new asset; one with a key in time to find out what became of it without an answer.
    async fn write_new(
        &self,
        writes: Vec<TransactWriteItem>,
        has_key: bool,
    ) -> Result<(), TransactionFailure> {
        let writing = transact(&self.dynamo, writes);
        if !has_key {
            return writing.await;
        }
        tokio::time::timeout(CREATE_DEADLINE, writing).await.unwrap_or_else(|_late| {
            Err(TransactionFailure::Call(StoreError::Unavailable(
                "creating the asset took too long".to_owned(),
            )))
        })
    }

    /// Looks up what an idempotency key was used for: one read.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn look_up_key(
        &self,
        org: &OrgId,
        idempotency_key: IdempotencyKey,
        body: &[u8],
    ) -> Result<KeyLookup, StoreError> {
        let item_key = key(keys::create(self.family, org, &idempotency_key), keys::CREATE);
        let item = get(&self.dynamo.client, &self.dynamo.assets, item_key).await?;
        let found = item.as_ref().map(KeyItem::load).transpose()?;
        let unused = UnusedKey {
            key: idempotency_key,
            body_digest: sha256_hex(&[body]),
            ended: found.as_ref().map(|item| item.asset),
        };
        Ok(match found.and_then(|item| self.live_use(&unused, &item)) {
            Some(used) => KeyLookup::Used(used),
            None => KeyLookup::Unused(unused),
        })
    }

    /// Makes the write by which an asset takes its key.
    fn take_key(&self, org: &OrgId, asset: AssetId, unused: &UnusedKey) -> TransactWriteItem {
        let ends_at = self.dynamo.clock.now().plus_seconds(KEY_HOURS * 3_600);
        self.put_key_item(org, unused, asset, ends_at)
    }

    /// Finds out what became of a create that was refused or not answered: nothing is returned when the asset
    /// is there all the same.
    async fn settle_create(
        &self,
        org: &OrgId,
        asset: AssetId,
        unused: &UnusedKey,
        failure: TransactionFailure,
    ) -> Result<(), WriteFailure<KeyUse>> {
        let found = match failure {
            TransactionFailure::Conditions(failed) => item_of(failed),
            TransactionFailure::Call(error) if error.is_passing() => self.bar(org, asset, unused).await?,
            TransactionFailure::Call(error) => return Err(WriteFailure::Store(error)),
        };
        let found = found.ok_or(WriteFailure::Store(StoreError::Contended("the id is taken")))?;
        let found = KeyItem::load(&found)?;
        if found.asset == asset {
            return Ok(());
        }
        Err(match self.live_use(unused, &found) {
            Some(used) => WriteFailure::Refused(used),
            // Another create with the key has been given up meanwhile, and barred this one too.
            None => WriteFailure::Store(StoreError::Contended("another create request used the key")),
        })
    }

    /// Keeps a create that was not answered from landing later; returns the item that shows that it has
    /// landed, or that another one has.
    async fn bar(&self, org: &OrgId, asset: AssetId, unused: &UnusedKey) -> Result<Option<Item>, StoreError> {
        let deadline = Instant::now() + BAR_DEADLINE;
        let nothing = AssetId::from_random(self.dynamo.clock.now(), self.dynamo.random.bytes());
        // By no process's clock is it an asset's: clocks differ.
        let long_ago = Timestamp::from_unix_seconds(0);
        loop {
            match transact_once(&self.dynamo, vec![self.put_key_item(org, unused, nothing, long_ago)]).await {
                Ok(()) => return Err(StoreError::Unavailable("the create request was lost".to_owned())),
                Err(TransactionFailure::Conditions(failed)) => return Ok(item_of(failed)),
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
        // An hour past the end of one that names an asset, for clocks differ; one that bars a create has ended
        // already, and must outlive what it bars.
        let kept_until = self.dynamo.clock.now().plus_seconds((KEY_HOURS + 1) * 3_600);
        let item = NewItem::of_key(keys::create(self.family, org, idempotency_key), keys::CREATE)
            .with_all(&KeyItem { asset, body_digest: body_digest.clone(), ends_at })
            .time_to_live(kept_until);
        let mut expression = Expression::default();
        match ended {
            None => expression.require("attribute_not_exists(pk)"),
            // The time to live may have removed it since.
            Some(ended) => {
                let ended = expression.value(text(ended.to_string()));
                expression.require(format!("(attribute_not_exists(pk) OR asset = {ended})"));
            }
        }
        expression.returning_item().into_put(&self.dynamo.assets, item.build())
    }

    /// Tells what a key was used for, unless its time has ended: the time to live lags behind the clock.
    fn live_use(&self, unused: &UnusedKey, item: &KeyItem) -> Option<KeyUse> {
        if item.ends_at <= self.dynamo.clock.now() {
            return None;
        }
        let same = item.body_digest == unused.body_digest;
        Some(if same { KeyUse::SameBody(item.asset) } else { KeyUse::OtherBody })
    }
}

stored!(KeyItem { asset: "asset", body_digest: "digest", ends_at: "ends" });

/// Returns the key's item, which alone of a create's writes is asked for where its condition fails.
fn item_of(failed: Vec<FailedCondition>) -> Option<Item> {
    failed.into_iter().find_map(|failed| failed.item)
}

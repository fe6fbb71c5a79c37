//! Creates or replaces an asset by its `customer_scenario_id`.
//!
//! Other requests can create several assets with the same ID, so a unique key can't prevent duplicates.
//! Instead, each create in this module reads a guard item for the ID, and then looks for assets with the ID.
//! The transaction that creates an asset also writes the guard, on the condition that the guard hasn't
//! changed since it was read. If two creates run at the same time, one of them fails, starts over, and finds
//! the asset that the other one created.
//!
//! See `docs/decisions/0067-own-ids.md`.

use accounting::OrgId;
use aws_sdk_dynamodb::types::TransactWriteItem;
use tokio::time::Instant;

use super::assets::{Asset, Assets, Attempt, Content, EDIT_DEADLINE, WriteFailure};
use super::creates::{UnusedKey, claiming, item_of};
use super::error::StoreError;
use super::head::Head;
use super::item::{NewItem, end_of_sort_key, key, stored, text};
use super::keys;
use super::query::{page, query, read};
use super::transaction::TransactionFailure;
use crate::{AssetId, CustomerScenarioDigest};

/// How long a guard item is kept, in seconds. The item must outlive every call that has read it.
const GUARD_SECONDS: i64 = 3_600;

/// An asset that was created or replaced.
#[derive(Debug)]
pub struct PutAsset {
    pub asset: Asset,
    pub is_new: bool,
}

/// The guard item for a `customer_scenario_id`, which contains the ID of the asset that was last created in
/// this module.
struct Guard {
    asset: AssetId,
}

stored!(Guard { asset: "asset" });

/// Why a replacement wasn't written.
enum NotReplaced<E> {
    /// The asset's `customer_scenario_id` has changed in the meantime.
    Moved,
    Refused(E),
}

impl Assets {
    /// Creates an asset, or replaces the body of the only asset with the same `customer_scenario_id`, if
    /// `decide` allows it. `decide` receives the existing asset's head, if any. Returns
    /// [`WriteFailure::SeveralMatches`] if more than one asset has the ID.
    pub async fn put<E>(
        &self,
        org: &OrgId,
        id: &CustomerScenarioDigest,
        content: &Content,
        key: Option<&UnusedKey>,
        decide: impl Fn(Option<&Head>, Attempt) -> Result<(), E>,
    ) -> Result<PutAsset, WriteFailure<E>> {
        let deadline = Instant::now() + EDIT_DEADLINE;
        loop {
            // Read the guard first. Otherwise, another create between the two reads could go unnoticed.
            let guard = self.read_guard(org, id).await?;
            let put = match self.with_customer_scenario(org, id).await?[..] {
                [] => {
                    decide(None, Attempt::First).map_err(WriteFailure::Refused)?;
                    self.create_guarded(org, content.clone(), key, self.put_guard(org, id, guard)).await?
                }
                [existing] => self.replace(org, existing, id, content, key, &decide).await?,
                _ => return Err(WriteFailure::SeveralMatches),
            };
            match put {
                Some(put) => return Ok(put),
                None if Instant::now() < deadline => self.pause().await,
                None => {
                    return Err(StoreError::Contended("too many concurrent changes to the asset").into());
                }
            }
        }
    }

    /// Creates an asset on the condition that the guard is unchanged. Returns `None` if the guard has
    /// changed.
    async fn create_guarded<E>(
        &self,
        org: &OrgId,
        content: Content,
        key: Option<&UnusedKey>,
        (guard, asset): (TransactWriteItem, AssetId),
    ) -> Result<Option<PutAsset>, WriteFailure<E>> {
        let (asset, mut writes) = self.new_asset(org, asset, content)?;
        writes.insert(0, guard);
        let written = self.write_new(org, asset.head.id, writes, key).await;
        match written {
            Ok(()) => Ok(Some(PutAsset { asset, is_new: true })),
            Err(failure) if failure.is_of(0) && !names_key(&failure) => Ok(None),
            Err(failure) => {
                self.settle_create(org, asset.head.id, key, failure).await?;
                Ok(Some(PutAsset { asset, is_new: true }))
            }
        }
    }

    /// Replaces an asset's body. Returns `None` if the asset was deleted or its `customer_scenario_id` has
    /// changed in the meantime.
    async fn replace<E>(
        &self,
        org: &OrgId,
        existing: AssetId,
        id: &CustomerScenarioDigest,
        content: &Content,
        key: Option<&UnusedKey>,
        decide: impl Fn(Option<&Head>, Attempt) -> Result<(), E>,
    ) -> Result<Option<PutAsset>, WriteFailure<E>> {
        let replaced = self.edit(org, existing, key, |asset, attempt| {
            if asset.head.indexed.customer_scenario.as_ref() != Some(id) {
                return Err(NotReplaced::Moved);
            }
            decide(Some(&asset.head), attempt).map_err(NotReplaced::Refused)?;
            Ok(content.clone())
        });
        let failure = match replaced.await {
            Ok(asset) => return Ok(Some(PutAsset { asset, is_new: false })),
            Err(failure) => failure,
        };
        Err(match failure {
            WriteFailure::NotFound | WriteFailure::Refused(NotReplaced::Moved) => return Ok(None),
            WriteFailure::Refused(NotReplaced::Refused(error)) => WriteFailure::Refused(error),
            WriteFailure::SeveralMatches => WriteFailure::SeveralMatches,
            WriteFailure::KeyUsed(used) => WriteFailure::KeyUsed(used),
            WriteFailure::TooLarge(error) => WriteFailure::TooLarge(error),
            WriteFailure::Store(error) => WriteFailure::Store(error),
        })
    }

    /// Finds up to two assets with the given `customer_scenario_id`, which is enough to detect duplicates.
    async fn with_customer_scenario(
        &self,
        org: &OrgId,
        id: &CustomerScenarioDigest,
    ) -> Result<Vec<AssetId>, StoreError> {
        let (library, prefix) = (keys::library(self.family, org), keys::customer_scenario(id));
        let query = query(&self.dynamo.client, &self.dynamo.assets, &library, &prefix);
        let (items, _) = page(query, None, 2).await?;
        items.iter().map(end_of_sort_key).collect()
    }

    async fn read_guard(
        &self,
        org: &OrgId,
        id: &CustomerScenarioDigest,
    ) -> Result<Option<Guard>, StoreError> {
        let item_key = key(keys::library(self.family, org), keys::put(id));
        read(&self.dynamo.client, &self.dynamo.assets, item_key).await
    }

    /// Returns the write that replaces the guard, and the ID of the asset to create. The write fails if the
    /// guard has changed since it was read as `seen`.
    fn put_guard(
        &self,
        org: &OrgId,
        id: &CustomerScenarioDigest,
        seen: Option<Guard>,
    ) -> (TransactWriteItem, AssetId) {
        let now = self.dynamo.clock.now();
        let asset = AssetId::from_random(now, self.dynamo.random.bytes());
        let item = NewItem::of_key(keys::library(self.family, org), keys::put(id))
            .with_all(&Guard { asset })
            .time_to_live(now.plus_seconds(GUARD_SECONDS));
        let seen = seen.map(|guard| [("asset", text(guard.asset.to_string()))]);
        (claiming(seen).into_put(&self.dynamo.assets, item.build()), asset)
    }
}

/// Returns whether the condition on an idempotency key's item failed.
fn names_key(failure: &TransactionFailure) -> bool {
    matches!(failure, TransactionFailure::Conditions(failed) if item_of(failed).is_some())
}

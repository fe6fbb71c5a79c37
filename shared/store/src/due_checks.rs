//! Due checks: one item for each asset that the measurement service must look at, and when.
//!
//! A check is only a reminder. The asset itself determines its next step, so additional checks do no harm,
//! and an asset's state never depends on its checks.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, attribute, key, text};
use super::keys;
use super::query::page;
use super::transaction::{delete, happened, put, transact};
use crate::{AssetId, Family};

/// The maximum number of checks that one call reads.
const PAGE: usize = 100;

/// A time at which the measurement of an asset must be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueCheck {
    pub due_at: Timestamp,
    pub family: Family,
    pub org: OrgId,
    pub asset: AssetId,
}

/// The checks of all organizations.
#[derive(Clone, Debug)]
pub struct DueChecks {
    dynamo: Dynamo,
}

impl DueChecks {
    /// The number of partitions among which the checks are distributed.
    pub const SHARDS: u8 = keys::CHECK_SHARDS;

    pub fn new(dynamo: Dynamo) -> Self {
        Self { dynamo }
    }

    /// Reads up to 100 checks of a shard that are due at `now`, the oldest first.
    pub async fn due(&self, shard: u8, now: Timestamp) -> Result<Vec<DueCheck>, StoreError> {
        let Dynamo { client, assets, .. } = &self.dynamo;
        let query = client
            .query()
            .table_name(assets)
            .consistent_read(true)
            .key_condition_expression("pk = :pk AND sk < :end")
            .expression_attribute_values(":pk", text(keys::due_checks(shard)))
            .expression_attribute_values(":end", text(keys::first_due_after(now)));
        let (items, _more) = page(query, None, PAGE).await?;
        items.iter().map(decode).collect()
    }

    /// Moves a check to a later time. Returns the moved check, or `None` if another process moved or removed
    /// it first.
    pub async fn postpone(
        &self,
        check: &DueCheck,
        due_at: Timestamp,
    ) -> Result<Option<DueCheck>, StoreError> {
        let later = DueCheck { due_at, ..check.clone() };
        let mut expression = Expression::default();
        expression.require("attribute_exists(pk)");
        let table = &self.dynamo.assets;
        let writes = vec![expression.into_delete(table, check.key()), put(table, check_item(&later))];
        Ok(happened(transact(&self.dynamo, writes).await)?.then_some(later))
    }

    pub async fn remove(&self, check: &DueCheck) -> Result<(), StoreError> {
        let writes = vec![delete(&self.dynamo.assets, check.key())];
        happened(transact(&self.dynamo, writes).await).map(drop)
    }
}

impl DueCheck {
    /// Returns the write that creates the check.
    pub(super) fn put(&self, dynamo: &Dynamo) -> TransactWriteItem {
        put(&dynamo.assets, check_item(self))
    }

    fn key(&self) -> Item {
        let Self { due_at, family, org, asset } = self;
        key(keys::due_checks_of(*asset), keys::due_check(*due_at, *family, org, *asset))
    }
}

fn check_item(check: &DueCheck) -> Item {
    let DueCheck { due_at, family, org, asset } = check;
    NewItem::of_key(keys::due_checks_of(*asset), keys::due_check(*due_at, *family, org, *asset))
        .with("due", due_at)
        .with("family", &family.to_string())
        .with("org", org)
        .with("asset", asset)
        .build()
}

fn decode(item: &Item) -> Result<DueCheck, StoreError> {
    let family: String = attribute(item, "family")?;
    Ok(DueCheck {
        due_at: attribute(item, "due")?,
        family: family.parse().map_err(|_| StoreError::Corrupt("family"))?,
        org: attribute(item, "org")?,
        asset: attribute(item, "asset")?,
    })
}

//! Scheduled checks: stored reminders to look at an asset's measurement at a given time.
//!
//! A check is only a reminder. The next step of a measurement depends only on the asset, so extra checks are
//! harmless.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, Stored, key, stored};
use super::keys;
use super::query::{page, query_before};
use super::transaction::{delete, happened, put, transact};
use crate::{AssetId, Family};

/// The maximum number of checks read per call.
const PAGE: usize = 100;

/// An asset's measurement, and the time at which it must be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledCheck {
    pub due_at: Timestamp,
    pub family: Family,
    pub org: OrgId,
    pub asset: AssetId,
}

stored!(ScheduledCheck { due_at: "due", family: "family", org: "org", asset: "asset" });

/// All organizations' scheduled checks.
#[derive(Clone, Debug)]
pub struct ScheduledChecks {
    dynamo: Dynamo,
}

impl ScheduledChecks {
    /// The number of partitions that the checks are distributed across.
    pub const SHARDS: u8 = keys::CHECK_SHARDS;

    pub fn new(dynamo: Dynamo) -> Self {
        Self { dynamo }
    }

    /// Reads up to 100 checks in a shard that are due at `now`, oldest first.
    pub async fn due(&self, shard: u8, now: Timestamp) -> Result<Vec<ScheduledCheck>, StoreError> {
        let Dynamo { client, assets, .. } = &self.dynamo;
        let query = query_before(client, assets, &keys::scheduled_checks(shard), &keys::first_due_after(now));
        let (items, _more) = page(query, None, PAGE).await?;
        items.iter().map(ScheduledCheck::load).collect()
    }

    /// Moves a check to a later time. Returns the moved check, or `None` if another process moved or removed
    /// it first.
    pub async fn postpone(
        &self,
        check: &ScheduledCheck,
        due_at: Timestamp,
    ) -> Result<Option<ScheduledCheck>, StoreError> {
        let later = ScheduledCheck { due_at, ..check.clone() };
        let mut expression = Expression::default();
        expression.require("attribute_exists(pk)");
        let writes = vec![expression.into_delete(&self.dynamo.assets, check.key()), later.put(&self.dynamo)];
        Ok(happened(transact(&self.dynamo, writes).await)?.then_some(later))
    }

    pub async fn remove(&self, check: &ScheduledCheck) -> Result<(), StoreError> {
        let writes = vec![delete(&self.dynamo.assets, check.key())];
        happened(transact(&self.dynamo, writes).await).map(drop)
    }
}

impl ScheduledCheck {
    /// Returns the write that creates the check.
    pub(super) fn put(&self, dynamo: &Dynamo) -> TransactWriteItem {
        let mut item = self.key();
        item.extend(NewItem::default().with_all(self).build());
        put(&dynamo.assets, item)
    }

    fn key(&self) -> Item {
        let Self { due_at, family, org, asset } = self;
        key(keys::scheduled_checks_of(*asset), keys::scheduled_check(*due_at, *family, org, *asset))
    }
}

//! What measurement events did to an asset, for the operator: an item for each that was applied.

use accounting::{BillingName, Credits, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;
use serde::Serialize;

use super::assets::Assets;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{NewItem, Stored, stored};
use super::keys;
use super::query::query_all;
use super::transaction::put;
use crate::{AssetId, AssetState, EventId};

/// How long the operator can see what an event did, in days: a year's bills with a month to dispute them.
const SHOWN_DAYS: i64 = 400;

/// What a measurement event did to an asset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppliedEvent {
    #[serde(rename = "event_id")]
    pub id: EventId,
    /// What happened, such as `purchased`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// When it happened, as its sender says.
    pub occurred_at: Timestamp,
    pub applied_at: Timestamp,
    /// The measurement product's own number of the purchase that it is about, and what that is billed as; `None`
    /// once the purchase is refunded or final.
    pub purchase_id: Option<String>,
    pub product: Option<BillingName>,
    #[serde(rename = "credits_charged")]
    pub charged: Credits,
    #[serde(rename = "credits_refunded")]
    pub refunded: Credits,
    /// The asset's state after it; `None` for an asset that was deleted before.
    pub state: Option<AssetState>,
}

impl Assets {
    /// Reads the events that were applied to an asset in the last 400 days, in the order in which they were;
    /// those of a deleted asset too.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn applied_events(&self, org: &OrgId, id: AssetId) -> Result<Vec<AppliedEvent>, StoreError> {
        let Dynamo { client, assets, .. } = &self.dynamo;
        let partition = keys::applied_events(self.family, org, id);
        let items = query_all(client, assets, &partition, keys::APPLIED).await?;
        items.iter().map(AppliedEvent::load).collect()
    }

    /// Makes the write that keeps what an event did. Its sort key is that of one version of the asset or its
    /// tombstone, so the transaction's own condition on that version keeps it from replacing another.
    pub(super) fn keep_applied(
        &self,
        org: &OrgId,
        asset: AssetId,
        sk: String,
        event: &AppliedEvent,
    ) -> TransactWriteItem {
        let item = NewItem::of_key(keys::applied_events(self.family, org, asset), sk)
            .with_all(event)
            .time_to_live(event.applied_at.plus_days(SHOWN_DAYS));
        put(&self.dynamo.assets, item.build())
    }
}

stored!(AppliedEvent {
    id: "event",
    event_type: "type",
    occurred_at: "occurred",
    applied_at: "applied",
    purchase_id: "purchase",
    product: "product",
    charged: "charged",
    refunded: "refunded",
    state: "state",
});

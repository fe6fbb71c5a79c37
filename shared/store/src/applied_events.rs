//! Records the effects of measurement events on assets, for administrators. There is one item per applied
//! event.

use accounting::{Credits, Meter, OrgId, Timestamp};
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

/// How long the record of an event's effects is kept, in days. This covers a year of bills and a month to
/// dispute them.
const SHOWN_DAYS: i64 = 400;

/// The effects of one measurement event on an asset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppliedEvent {
    #[serde(rename = "event_id")]
    pub id: EventId,
    /// The type of the event, such as `purchased`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// When the event occurred, according to its sender.
    pub occurred_at: Timestamp,
    pub applied_at: Timestamp,
    /// The ID that the sender assigned to the related purchase. Like `product`, it's `None` if the purchase
    /// was already refunded or final before the event.
    pub purchase_id: Option<String>,
    pub product: Option<Meter>,
    #[serde(rename = "credits_charged")]
    pub charged: Credits,
    #[serde(rename = "credits_refunded")]
    pub refunded: Credits,
    /// The asset's state after the event, or `None` if the asset was already deleted.
    pub state: Option<AssetState>,
}

impl Assets {
    /// Lists the events that were applied to an asset in the last 400 days, in the order in which they were
    /// applied. Also works for deleted assets.
    pub async fn applied_events(&self, org: &OrgId, id: AssetId) -> Result<Vec<AppliedEvent>, StoreError> {
        let Dynamo { client, assets, .. } = &self.dynamo;
        let partition = keys::applied_events(self.family, org, id);
        let items = query_all(client, assets, &partition, keys::APPLIED).await?;
        items.iter().map(AppliedEvent::load).collect()
    }

    /// Returns the write that records an event's effects. `sk` contains the version of the asset or
    /// tombstone. The transaction requires this version, so the record can't replace an earlier one.
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

//! What measurement events did to an asset, for the operator: an item for each that was applied.

use accounting::{BillingName, Credits, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::assets::Assets;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Attributes, Item, NewItem};
use super::keys;
use super::query::query_all;
use super::transaction::put;
use crate::{AssetId, AssetState, EventId};

/// How long the operator can see what an event did, in days: a year's bills with a month to dispute them.
const SHOWN_DAYS: i64 = 400;

/// What a measurement event did to an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEvent {
    pub id: EventId,
    /// What happened, such as `purchased`.
    pub event_type: String,
    /// When it happened, as its sender says.
    pub occurred_at: Timestamp,
    pub applied_at: Timestamp,
    /// The purchase that it is about; `None` once that one is refunded or final.
    pub purchase: Option<AppliedPurchase>,
    pub charged: Credits,
    pub refunded: Credits,
    /// The asset's state after it; `None` for an asset that was deleted before.
    pub state: Option<AssetState>,
}

/// The purchase that an applied event is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedPurchase {
    /// The measurement product's own number.
    pub id: String,
    pub product: BillingName,
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
        items.iter().map(decode).collect()
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
        let AppliedEvent { id, event_type, occurred_at, applied_at, purchase, charged, refunded, state } =
            event;
        let (purchase, product) =
            purchase.as_ref().map(|AppliedPurchase { id, product }| (id, product)).unzip();
        let item = NewItem::of_key(keys::applied_events(self.family, org, asset), sk)
            .text("event", id)
            .text("type", event_type)
            .moment("occurred", *occurred_at)
            .moment("applied", *applied_at)
            .optional_text("purchase", purchase)
            .optional_text("product", product)
            .number("charged", charged)
            .number("refunded", refunded)
            .optional_text("state", *state)
            .time_to_live(applied_at.plus_days(SHOWN_DAYS));
        put(&self.dynamo.assets, item.build())
    }
}

fn decode(item: &Item) -> Result<AppliedEvent, StoreError> {
    let attributes = Attributes(item);
    let purchase = match attributes.optional_text("purchase")? {
        Some(id) => Some(AppliedPurchase { id: id.to_owned(), product: attributes.parsed("product")? }),
        None => None,
    };
    Ok(AppliedEvent {
        id: attributes.parsed("event")?,
        event_type: attributes.text("type")?.to_owned(),
        occurred_at: attributes.moment("occurred")?,
        applied_at: attributes.moment("applied")?,
        purchase,
        charged: attributes.number("charged")?,
        refunded: attributes.number("refunded")?,
        state: attributes.optional_parsed("state")?,
    })
}

//! Stores webhook deliveries, which are kept for 30 days.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

use accounting::{OrgId, Timestamp};

use super::change::CHANGE_DAYS;
use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{NewItem, Stored, key, number};
use super::keys;
use super::query::{page, query, read};
use super::transaction::{happened, put_new, transact};
use crate::{Attempted, Delivery, MessageId, WebhookId};

/// All organizations' webhook deliveries.
#[derive(Clone, Debug)]
pub struct Deliveries(Dynamo);

impl Deliveries {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Stores a new delivery, which the table's stream then reports. Does nothing if the delivery already
    /// exists.
    pub async fn request(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        delivery: &Delivery,
    ) -> Result<(), StoreError> {
        let write = put_new(&self.0.assets, item(org, webhook, delivery).build());
        happened(transact(&self.0, vec![write]).await).map(drop)
    }

    /// Reads a delivery. Returns `None` if it doesn't exist or is no longer kept.
    pub async fn read(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        id: &MessageId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let item_key = key(keys::deliveries(org, webhook), keys::delivery(id));
        let found: Option<Delivery> = read(&self.0.client, &self.0.assets, item_key).await?;
        Ok(found.filter(|delivery| delivery.is_kept(now)))
    }

    /// Lists up to `limit` deliveries to a webhook, newest first. If `before` is set, lists only older
    /// deliveries.
    pub async fn list(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        before: Option<&MessageId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError> {
        let partition = keys::deliveries(org, webhook);
        let newest_first =
            query(&self.0.client, &self.0.assets, &partition, keys::DELIVERY).scan_index_forward(false);
        let before = before.map(|id| key(&partition, keys::delivery(id)));
        let (items, _more) = page(newest_first, before, limit).await?;
        let mut listed = items.iter().map(Delivery::load).collect::<Result<Vec<_>, _>>()?;
        listed.retain(|delivery| delivery.is_kept(now));
        Ok(listed)
    }

    /// Requests a redelivery, which the table's stream then reports. Returns the updated delivery, or `None`
    /// if the delivery has changed since it was read.
    pub async fn request_again(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        seen: &Delivery,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        self.replace(org, webhook, seen, seen.requested_again(now)).await
    }

    /// Claims the next attempt until `until`, so that no other process makes it. Returns the updated
    /// delivery, or `None` if the delivery has changed since it was read.
    pub async fn claim(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        seen: &Delivery,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        self.replace(org, webhook, seen, seen.claimed(now, until)).await
    }

    /// Stores the result of a claimed attempt. Returns the updated delivery, or `None` if the delivery has
    /// changed since the claim.
    pub async fn attempted(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        seen: &Delivery,
        attempted: Attempted,
    ) -> Result<Option<Delivery>, StoreError> {
        self.replace(org, webhook, seen, seen.after(attempted)).await
    }

    async fn replace(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        seen: &Delivery,
        new: Delivery,
    ) -> Result<Option<Delivery>, StoreError> {
        let mut expression = Expression::default();
        expression.require_equal("requests", number(seen.requests));
        expression.require_equal("attempts", number(seen.attempts));
        let write = expression.into_put(&self.0.assets, item(org, webhook, &new).build());
        Ok(happened(transact(&self.0, vec![write]).await)?.then_some(new))
    }
}

impl Delivery {
    fn is_kept(&self, now: Timestamp) -> bool {
        self.created_at.plus_days(CHANGE_DAYS) > now
    }
}

fn item(org: &OrgId, webhook: &WebhookId, delivery: &Delivery) -> NewItem {
    NewItem::of_key(keys::deliveries(org, webhook), keys::delivery(&delivery.id))
        .with_all(delivery)
        .time_to_live(delivery.created_at.plus_days(CHANGE_DAYS).plus_seconds(1))
}

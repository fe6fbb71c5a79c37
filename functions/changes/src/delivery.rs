//! Attempts deliveries and decides whether to retry them and whether to disable their webhooks.

use accounting::{AccountKey, Timestamp};
use http::{StatusCode, Uri};
use runtime::Clock;
use serde::Serialize;
use serde_json::value::RawValue;
use store::{
    Accounts, Attempted, Deliveries, Delivery, DeliveryState, DisabledReason, Dynamo, SUCCESS_SECONDS,
    StoreError, Webhook, Webhooks,
};

use crate::message::DeliveryMessage;
use crate::sender::Sender;

/// The delays between a delivery's attempts, in seconds. The last attempt is 23 h 35 min after the first.
pub const RETRY_SECONDS: [i64; 7] = [5, 300, 1800, 7200, 18_000, 36_000, 21_600];

/// The status that a receiver returns to stop deliveries for good.
const GONE: u16 = StatusCode::GONE.as_u16();

/// The interval at which the deliveries of a suspended organization are checked, in seconds.
const SUSPENDED_SECONDS: i64 = 900;

/// How long an attempt stays claimed, in seconds. This must be longer than the 10 seconds that a receiver has
/// to respond.
const CLAIM_SECONDS: i64 = 60;

/// The time between an attempt's scheduled time and the arrival of its backup message, in seconds. The backup
/// message arrives first only if the attempt's own message was lost.
const SPARE_SECONDS: i64 = 120;

/// Attempts the deliveries of all organizations.
#[derive(Clone, Debug)]
pub struct Deliverer {
    pub dynamo: Dynamo,
    pub clock: Clock,
    pub sender: Sender,
}

/// A message to put in the queue, and the time at which it should be received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later {
    pub message: DeliveryMessage,
    pub at: Timestamp,
}

/// A delivery's request body. See
/// <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(rename = "type")]
    event_type: &'a str,
    timestamp: Timestamp,
    data: &'a RawValue,
}

impl Deliverer {
    /// Attempts a delivery if the attempt is due. Returns the next message to put in the queue, if any.
    ///
    /// An attempt is claimed before it's made, so a message that arrives twice doesn't cause a second
    /// attempt.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails, and logs it. The message must then be handled again.
    pub async fn deliver(&self, message: &DeliveryMessage) -> Result<Option<Later>, StoreError> {
        self.handle(message).await.inspect_err(|error| {
            tracing::error!(event = "delivery_failed", delivery_id = %message.delivery_id, %error);
        })
    }

    async fn handle(&self, message: &DeliveryMessage) -> Result<Option<Later>, StoreError> {
        let DeliveryMessage { org_id, webhook_id, delivery_id, requests, attempts, is_spare } = message;
        let now = self.clock.now();
        let deliveries = Deliveries::new(self.dynamo.clone());
        let found = deliveries.read(org_id, webhook_id, delivery_id, now).await?;
        let Some(delivery) = found.filter(|delivery| delivery.requests == *requests) else { return Ok(None) };
        let Some(next_attempt_at) = delivery.next_attempt_at else { return Ok(None) };
        if delivery.attempts != *attempts {
            // The process that made the attempt may have stopped before it sent the next message.
            let spare = DeliveryMessage { is_spare: true, ..message.of(&delivery) };
            let at = next_attempt_at.plus_seconds(SPARE_SECONDS);
            return Ok((!is_spare).then_some(Later { message: spare, at }));
        }
        if next_attempt_at > now {
            return Ok(Some(Later { message: message.clone(), at: next_attempt_at }));
        }
        // A deleted webhook's deliveries are never read again.
        let Some(webhook) = Webhooks::new(self.dynamo.clone()).read(org_id, webhook_id).await? else {
            return Ok(None);
        };
        let account = Accounts::new(self.dynamo.clone()).read(&AccountKey::Org(org_id.clone())).await?;
        if account.is_none_or(|account| account.suspended_at.is_some()) {
            let at = now.plus_seconds(SUSPENDED_SECONDS);
            return Ok(Some(Later { message: message.clone(), at }));
        }
        let delivered = self.claim_and_attempt(&webhook, &delivery).await?;
        Ok(delivered.and_then(|delivery| {
            Some(Later { message: message.of(&delivery), at: delivery.next_attempt_at? })
        }))
    }

    /// Makes a due attempt. Returns the delivery after the attempt, or `None` if another message has already
    /// triggered the attempt.
    async fn claim_and_attempt(
        &self,
        webhook: &Webhook,
        delivery: &Delivery,
    ) -> Result<Option<Delivery>, StoreError> {
        let deliveries = Deliveries::new(self.dynamo.clone());
        let Webhook { org, id, .. } = webhook;
        let (now, until) = (self.clock.now(), self.clock.now().plus_seconds(CLAIM_SECONDS));
        let Some(claimed) = deliveries.claim(org, id, delivery, now, until).await? else { return Ok(None) };
        let attempted = self.attempt(webhook, &claimed).await;
        let stored = deliveries.attempted(org, id, &claimed, attempted).await?;
        if let Some(delivery) = &stored {
            self.conclude(webhook, delivery).await?;
        }
        Ok(stored)
    }

    /// Sends a delivery and returns the outcome. If the webhook is disabled, the attempt fails without a
    /// request.
    async fn attempt(&self, webhook: &Webhook, delivery: &Delivery) -> Attempted {
        let at = self.clock.now();
        if webhook.disabled_at.is_some() {
            let result = Err("the webhook is disabled".to_owned());
            return Attempted { result, state: DeliveryState::Failed, next_attempt_at: None };
        }
        let url: Uri = webhook.url.as_str().parse().expect("a webhook's URL is a URI");
        let (id, keys) = (delivery.id.to_string(), webhook.signing_keys(at));
        let sent = self.sender.send(&url, &id, at.unix_seconds(), &keys, body(delivery)).await;
        let is_success = sent.as_ref().is_ok_and(StatusCode::is_success);
        let result = sent.map(|status| status.as_u16()).map_err(|error| error.to_string());
        if is_success {
            return Attempted { result, state: DeliveryState::Succeeded, next_attempt_at: None };
        }
        let pause = RETRY_SECONDS.get(delivery.attempts as usize - 1).filter(|_| result != Ok(GONE));
        match pause {
            Some(seconds) => {
                let next_attempt_at = Some(self.clock.now().plus_seconds(*seconds));
                Attempted { result, state: DeliveryState::Pending, next_attempt_at }
            }
            None => Attempted { result, state: DeliveryState::Failed, next_attempt_at: None },
        }
    }

    /// Records the time of a successful delivery. Disables the webhook if its receiver is gone, or if all
    /// attempts have failed and no other delivery has succeeded since the first attempt.
    async fn conclude(&self, webhook: &Webhook, delivery: &Delivery) -> Result<(), StoreError> {
        let webhooks = Webhooks::new(self.dynamo.clone());
        let now = self.clock.now();
        let reason = match delivery.state {
            DeliveryState::Succeeded => return webhooks.succeeded(webhook, now).await,
            DeliveryState::Pending => return Ok(()),
            DeliveryState::Failed if webhook.disabled_at.is_some() => return Ok(()),
            DeliveryState::Failed if delivery.last_status == Some(GONE.into()) => DisabledReason::Gone,
            DeliveryState::Failed => DisabledReason::Failures,
        };
        // The stored time of the latest success can be up to `SUCCESS_SECONDS` too early.
        let since = now.plus_seconds(-RETRY_SECONDS.iter().sum::<i64>() - SUCCESS_SECONDS);
        let succeeded_since = webhook.last_success_at.is_some_and(|at| at > since);
        if reason == DisabledReason::Failures && succeeded_since {
            return Ok(());
        }
        if webhooks.disable(webhook, reason, now).await? {
            let (org, webhook_id) = (&webhook.org, &webhook.id);
            tracing::warn!(event = "webhook_disabled", %org, %webhook_id, %reason, delivery_id = %delivery.id);
        }
        Ok(())
    }
}

fn body(delivery: &Delivery) -> String {
    let data = RawValue::from_string(delivery.data.clone()).expect("the details are a JSON object");
    let Delivery { event_type, created_at, .. } = delivery;
    let payload = Payload { event_type, timestamp: *created_at, data: &data };
    serde_json::to_string(&payload).expect("a payload serializes to JSON")
}

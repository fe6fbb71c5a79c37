//! The messages in the delivery queue.

use accounting::OrgId;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use store::{Delivery, MessageId, WebhookId};

/// A request to attempt a delivery once. If the attempt was already made, it isn't repeated.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryMessage {
    pub org_id: OrgId,
    #[serde_as(as = "DisplayFromStr")]
    pub webhook_id: WebhookId,
    #[serde_as(as = "DisplayFromStr")]
    pub delivery_id: MessageId,
    /// How many times the delivery was requested. Together with `attempts`, the number of attempts before
    /// this one, it identifies the attempt.
    pub requests: u32,
    pub attempts: u32,
    /// Whether this is a backup message for an attempt, in case the original message was never sent. If the
    /// attempt has already been made, a backup message is dropped, whereas an original message queues a
    /// backup message for the next attempt.
    #[serde(default)]
    pub is_spare: bool,
}

impl DeliveryMessage {
    /// Creates the message for the next attempt of a delivery.
    pub fn new(org_id: OrgId, webhook_id: WebhookId, delivery: &Delivery) -> Self {
        let Delivery { id, requests, attempts, .. } = delivery;
        let (delivery_id, requests, attempts) = (id.clone(), *requests, *attempts);
        Self { org_id, webhook_id, delivery_id, requests, attempts, is_spare: false }
    }

    /// Returns the message for the next attempt of the same delivery.
    pub(crate) fn of(&self, delivery: &Delivery) -> Self {
        Self::new(self.org_id.clone(), self.webhook_id.clone(), delivery)
    }
}

//! Webhook deliveries.

use accounting::Timestamp;
use serde::Serialize;
use serde_with::SerializeDisplay;
use strum::{Display, EnumString};

use super::item::stored;
use crate::MessageId;

/// How overdue an attempt must be before a redelivery can be requested, in seconds.
const OVERDUE_SECONDS: i64 = 3600;

/// A delivery's state. `Succeeded` and `Failed` are final unless a redelivery is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, Display, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// No attempt has succeeded yet, and another one is scheduled.
    Pending,
    /// The receiver responded with a 2xx status.
    Succeeded,
    /// No attempt succeeded, and no other attempt is scheduled.
    Failed,
}

/// A message to a webhook, with the result of the latest attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// The ID, which is sent to the receiver in the `webhook-id` header.
    #[serde(rename = "delivery_id")]
    pub id: MessageId,
    /// The type of the change, or `webhook.test`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// The details of the change, as a JSON object.
    #[serde(skip)]
    pub data: String,
    /// The time of the change or test.
    pub created_at: Timestamp,
    pub state: DeliveryState,
    /// The number of requests for the delivery: the original request and any redeliveries.
    #[serde(skip)]
    pub requests: u32,
    /// The number of attempts since the latest request, including an attempt in progress.
    pub attempts: u32,
    pub last_attempt_at: Option<Timestamp>,
    /// The HTTP status of the latest attempt, if the receiver has responded to it.
    pub last_status: Option<u32>,
    /// Why the latest attempt got no response, if it failed without one.
    pub last_error: Option<String>,
    /// The time of the next attempt, or `None` if no attempt is scheduled.
    pub next_attempt_at: Option<Timestamp>,
}

/// The result of an attempt, and the delivery's new state and next attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The HTTP status of the response, or the reason why there was no response.
    pub result: Result<u16, String>,
    pub state: DeliveryState,
    pub next_attempt_at: Option<Timestamp>,
}

impl Delivery {
    /// Creates a delivery whose first attempt is due immediately.
    pub fn new(id: MessageId, event_type: String, data: String, created_at: Timestamp) -> Self {
        Self {
            id,
            event_type,
            data,
            created_at,
            state: DeliveryState::Pending,
            requests: 1,
            attempts: 0,
            last_attempt_at: None,
            last_status: None,
            last_error: None,
            next_attempt_at: Some(created_at),
        }
    }

    /// Returns whether a redelivery can be requested. This is the case if no attempt is scheduled, or if the
    /// next attempt is more than an hour overdue, because the queue has probably lost its message.
    pub fn can_be_requested_again(&self, now: Timestamp) -> bool {
        self.next_attempt_at.is_none_or(|at| at.plus_seconds(OVERDUE_SECONDS) < now)
    }

    /// Returns the delivery as it's stored during an attempt. Attempts are counted when they start. If the
    /// process stops before it stores the result, the next attempt is due at `until`.
    pub(super) fn claimed(&self, now: Timestamp, until: Timestamp) -> Self {
        Self {
            attempts: self.attempts + 1,
            last_attempt_at: Some(now),
            last_status: None,
            last_error: None,
            next_attempt_at: Some(until),
            ..self.clone()
        }
    }

    /// Returns the delivery with the result of an attempt.
    pub(super) fn after(&self, attempted: Attempted) -> Self {
        let Attempted { result, state, next_attempt_at } = attempted;
        Self {
            state,
            last_status: result.as_ref().ok().map(|status| u32::from(*status)),
            last_error: result.err(),
            next_attempt_at,
            ..self.clone()
        }
    }

    /// Returns the delivery after a redelivery is requested, with its first attempt due at `now`.
    pub(super) fn requested_again(&self, now: Timestamp) -> Self {
        Self {
            state: DeliveryState::Pending,
            requests: self.requests + 1,
            attempts: 0,
            next_attempt_at: Some(now),
            ..self.clone()
        }
    }
}

stored!(Delivery {
    id: "id",
    event_type: "type",
    data: "data",
    created_at: "created",
    state: "state",
    requests: "requests",
    attempts: "attempts",
    last_attempt_at: "last_attempt",
    last_status: "status",
    last_error: "error",
    next_attempt_at: "next_attempt",
});

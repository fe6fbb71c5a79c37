//! Deliveries to webhooks, and their items.

use accounting::Timestamp;
use serde::Serialize;
use serde_with::SerializeDisplay;
use strum::{Display, EnumString};

use super::item::stored;
use crate::MessageId;

/// How late an attempt can be before its delivery can be requested again, in seconds.
const OVERDUE_SECONDS: i64 = 3600;

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, Display, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// No attempt has succeeded yet, and another attempt follows.
    Pending,
    /// The receiver responded with a 2xx status.
    Succeeded,
    /// No further attempt follows.
    Failed,
}

/// A message to a webhook, with the result of the latest attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// The ID, which the receiver gets as `webhook-id`.
    #[serde(rename = "delivery_id")]
    pub id: MessageId,
    /// The type of the change, or `webhook.test`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// The details of the change, as a JSON object.
    #[serde(skip)]
    pub data: String,
    /// The time of the change or of the test.
    pub created_at: Timestamp,
    pub state: DeliveryState,
    /// How many times the delivery was requested: once, and again for each redelivery.
    #[serde(skip)]
    pub requests: u32,
    /// The number of attempts since the latest request, including an attempt in progress.
    pub attempts: u32,
    pub last_attempt_at: Option<Timestamp>,
    /// The HTTP status of the latest attempt, if the receiver has responded to it.
    pub last_status: Option<u32>,
    /// Why the latest attempt failed, if it failed without a response.
    pub last_error: Option<String>,
    /// The time of the next attempt, or `None` if none follows.
    pub next_attempt_at: Option<Timestamp>,
}

/// The result of an attempt, with the new state and the next attempt of its delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The status of the response, or the reason that there was none.
    pub result: Result<u16, String>,
    pub state: DeliveryState,
    pub next_attempt_at: Option<Timestamp>,
}

impl Delivery {
    /// Creates a delivery whose first attempt is due.
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

    /// Returns whether the delivery can be requested again: it has ended, or its next attempt is more than an
    /// hour overdue, so the queue probably lost the message for this attempt.
    pub fn can_be_requested_again(&self, now: Timestamp) -> bool {
        self.next_attempt_at.is_none_or(|at| at.plus_seconds(OVERDUE_SECONDS) < now)
    }

    /// Returns the delivery as it is during an attempt, which has no result yet. An attempt is counted when it
    /// starts. If the process stops before it stores the result, the next attempt follows at `until`.
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

    /// Returns the delivery after an attempt.
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

    /// Returns the delivery after another request, with its first attempt due at `now`.
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

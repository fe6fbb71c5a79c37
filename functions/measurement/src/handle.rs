//! Handles Lambda payloads: single events and batches from a queue.

use std::collections::HashSet;

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use lambda_runtime::Error;
use serde_json::Value;

use crate::app::App;
use crate::apply::{Outcome, apply};
use crate::event::MeasurementEvent;
use crate::refusal::EventRefusal;

/// Handles a Lambda payload: either one event from a direct invocation or a batch from a queue.
///
/// # Errors
///
/// During a direct invocation, returns an error if the database fails or this process's clock is wrong. The
/// caller should then resend the event. A batch fails as a whole only if it isn't a valid SQS event.
/// Otherwise, its response lists the messages that the queue should redeliver.
pub async fn handle(app: &App, payload: Value) -> Result<Value, Error> {
    if payload.get("Records").is_some() {
        let batch: SqsEvent = serde_json::from_value(payload)?;
        return Ok(serde_json::to_value(handle_batch(app, &batch.records).await)?);
    }
    let outcome = match serde_json::from_value::<MeasurementEvent>(payload) {
        Ok(event) => apply(app, &event).await?,
        Err(error) => Outcome::Refused { reason: EventRefusal::Unreadable(error.to_string()) },
    };
    Ok(serde_json::to_value(outcome)?)
}

/// Applies the messages in a batch in order. If a message fails, all later messages about the same asset are
/// also reported as failed, to keep them in order. The queue redelivers a failed message a few times and
/// then moves the message to the dead-letter queue.
async fn handle_batch(app: &App, messages: &[SqsMessage]) -> SqsBatchResponse {
    let deadline = tokio::time::Instant::now() + app.handler_deadline;
    let mut failed_groups = HashSet::new();
    let mut failures = Vec::new();
    for message in messages {
        let group = message.attributes.get("MessageGroupId").cloned().unwrap_or_default();
        let in_time = tokio::time::Instant::now() < deadline;
        if !in_time || failed_groups.contains(&group) || !is_settled(app, message).await {
            failed_groups.insert(group);
            failures.push(message.message_id.clone().unwrap_or_default());
        }
    }
    let mut response = SqsBatchResponse::default();
    response.batch_item_failures = failures.into_iter().map(failure).collect();
    response
}

async fn is_settled(app: &App, message: &SqsMessage) -> bool {
    let body = message.body.as_deref().unwrap_or_default();
    let event = match serde_json::from_str::<MeasurementEvent>(body) {
        Ok(event) => event,
        Err(error) => {
            tracing::error!(event = "measurement_unreadable", message_id = message.message_id, %error);
            return false;
        }
    };
    match apply(app, &event).await {
        Ok(
            Outcome::Applied | Outcome::Purchased { .. } | Outcome::Deleted { .. } | Outcome::AlreadyApplied,
        ) => true,
        Ok(Outcome::Refused { .. }) | Err(_) => false,
    }
}

fn failure(message_id: String) -> BatchItemFailure {
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = message_id;
    failure
}

//! Writes that happen all or not at all.

use std::time::Duration;

use accounting::Timestamp;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{CancellationReason, TransactWriteItem};

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, moment, text};

/// How long a transaction keeps trying against others on the same items.
const CONTENTION_DEADLINE: Duration = Duration::from_secs(8);

/// The longest pause between two tries, in milliseconds.
const LONGEST_PAUSE: u64 = 200;

/// Why a transaction did not happen, or may not have.
#[derive(Debug)]
pub(super) enum TransactionFailure {
    /// Conditions failed: nothing was written.
    Conditions(Vec<FailedCondition>),
    /// Anything else.
    Call(StoreError),
}

impl TransactionFailure {
    /// Tells whether the condition of the write at an index failed.
    pub(super) fn is_of(&self, index: usize) -> bool {
        matches!(self, Self::Conditions(failed) if failed.iter().any(|failed| failed.index == index))
    }
}

/// A write whose condition failed.
#[derive(Debug)]
pub(super) struct FailedCondition {
    /// Its place among the transaction's writes.
    pub(super) index: usize,
    /// The item as it is, where the write asks for it.
    pub(super) item: Option<Item>,
}

/// Writes all or nothing, in one try.
pub(super) async fn transact_once(
    dynamo: &Dynamo,
    writes: Vec<TransactWriteItem>,
) -> Result<(), TransactionFailure> {
    send(&dynamo.once, writes, token(dynamo)).await
}

/// Writes all or nothing, once however often it is sent: the token makes repetitions harmless.
///
/// Conflicts with concurrent transactions are tried again, with jitter, within a deadline.
pub(super) async fn transact(
    dynamo: &Dynamo,
    writes: Vec<TransactWriteItem>,
) -> Result<(), TransactionFailure> {
    let token = token(dynamo);
    let deadline = tokio::time::Instant::now() + CONTENTION_DEADLINE;
    let mut longest = 10;
    loop {
        let result = send(&dynamo.client, writes.clone(), token.clone()).await;
        match result {
            Err(TransactionFailure::Call(StoreError::Contended(_) | StoreError::Throttled(_)))
                if tokio::time::Instant::now() < deadline => {}
            result => return result,
        }
        tokio::time::sleep(Duration::from_millis(1 + dynamo.random.below(longest))).await;
        longest = (longest * 2).min(LONGEST_PAUSE);
    }
}

/// Tells whether a transaction happened: `false` where a condition failed.
///
/// # Errors
///
/// When the database does not answer: whether it happened is unknown.
pub(super) fn happened(result: Result<(), TransactionFailure>) -> Result<bool, StoreError> {
    match result {
        Ok(()) => Ok(true),
        Err(TransactionFailure::Conditions(_)) => Ok(false),
        Err(TransactionFailure::Call(failure)) => Err(failure),
    }
}

/// Makes the write of an item, in the place of one that is there.
pub(super) fn put(table: &str, item: Item) -> TransactWriteItem {
    Expression::default().into_put(table, item)
}

/// Makes the write of an item that is not there yet.
pub(super) fn put_new(table: &str, item: Item) -> TransactWriteItem {
    let mut expression = Expression::default();
    expression.require("attribute_not_exists(pk)");
    expression.into_put(table, item)
}

/// Makes the write that deletes an item, if it is there.
pub(super) fn delete(table: &str, item_key: Item) -> TransactWriteItem {
    Expression::default().into_delete(table, item_key)
}

/// Starts the update that revokes what lives, and says who did it unless it was the operator.
pub(super) fn revoking(by: Option<&impl ToString>, now: Timestamp) -> Expression {
    let mut expression = Expression::default();
    expression.set("revoked", moment(now));
    if let Some(by) = by {
        expression.set("revoked_by", text(by.to_string()));
    }
    expression.require("attribute_exists(pk) AND attribute_not_exists(revoked)");
    expression
}

async fn send(
    client: &aws_sdk_dynamodb::Client,
    writes: Vec<TransactWriteItem>,
    token: String,
) -> Result<(), TransactionFailure> {
    let sent = client
        .transact_write_items()
        .set_transact_items(Some(writes))
        .client_request_token(token)
        .send()
        .await;
    let error = match sent {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    Err(match error.as_service_error() {
        Some(TransactWriteItemsError::TransactionCanceledException(exception)) => {
            cancelled(exception.cancellation_reasons())
        }
        _ => TransactionFailure::Call(error.into()),
    })
}

fn cancelled(reasons: &[CancellationReason]) -> TransactionFailure {
    let failed: Vec<_> = reasons
        .iter()
        .enumerate()
        .filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"))
        .map(|(index, reason)| FailedCondition { index, item: reason.item().cloned() })
        .collect();
    if !failed.is_empty() {
        return TransactionFailure::Conditions(failed);
    }
    let code = reasons
        .iter()
        .filter_map(CancellationReason::code)
        .find(|code| *code != "None")
        .unwrap_or("no reason");
    TransactionFailure::Call(match code {
        "TransactionConflict" => StoreError::Contended("other requests are writing the same items"),
        "ProvisionedThroughputExceeded" | "ThrottlingError" => StoreError::Throttled(code.to_owned()),
        code => StoreError::Refused(code.to_owned()),
    })
}

fn token(dynamo: &Dynamo) -> String {
    hex::encode(dynamo.random.bytes::<16>())
}

//! Transactions: groups of writes that all succeed or all fail.

use std::time::Duration;

use accounting::Timestamp;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{CancellationReason, TransactWriteItem};

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, moment, text};

/// How long a transaction is retried while it's throttled or conflicts with concurrent transactions.
const CONTENTION_DEADLINE: Duration = Duration::from_secs(8);

/// The longest pause between two attempts, in milliseconds.
const LONGEST_PAUSE: u64 = 200;

/// Why a transaction failed or why its outcome is unknown.
#[derive(Debug)]
pub(super) enum TransactionFailure {
    /// At least one condition failed, so nothing was written.
    Conditions(Vec<FailedCondition>),
    /// The call failed. Whether anything was written depends on the error.
    Call(StoreError),
}

impl TransactionFailure {
    /// Returns whether the condition of the write at `index` failed.
    pub(super) fn is_of(&self, index: usize) -> bool {
        matches!(self, Self::Conditions(failed) if failed.iter().any(|failed| failed.index == index))
    }
}

/// A write whose condition failed.
#[derive(Debug)]
pub(super) struct FailedCondition {
    /// The index of the write in the transaction.
    pub(super) index: usize,
    /// The current item, if the write requested it.
    pub(super) item: Option<Item>,
}

/// Sends a transaction without retrying.
pub(super) async fn transact_once(
    dynamo: &Dynamo,
    writes: Vec<TransactWriteItem>,
) -> Result<(), TransactionFailure> {
    send(&dynamo.once, writes, token(dynamo)).await
}

/// Sends a transaction and retries it after temporary failures. An idempotency token prevents the database
/// from executing it twice.
///
/// If the transaction is throttled or conflicts with concurrent transactions, it's retried with jitter until
/// a deadline.
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

/// Returns whether a transaction succeeded. `false` means that a condition failed.
///
/// After an error, it's unknown whether the transaction succeeded.
pub(super) fn happened(result: Result<(), TransactionFailure>) -> Result<bool, StoreError> {
    match result {
        Ok(()) => Ok(true),
        Err(TransactionFailure::Conditions(_)) => Ok(false),
        Err(TransactionFailure::Call(failure)) => Err(failure),
    }
}

/// Returns a write that creates or replaces an item.
pub(super) fn put(table: &str, item: Item) -> TransactWriteItem {
    Expression::default().into_put(table, item)
}

/// Returns a write that creates an item and fails if the item already exists.
pub(super) fn put_new(table: &str, item: Item) -> TransactWriteItem {
    let mut expression = Expression::default();
    expression.require("attribute_not_exists(pk)");
    expression.into_put(table, item)
}

/// Returns a write that deletes an item. The write also succeeds if the item doesn't exist.
pub(super) fn delete(table: &str, item_key: Item) -> TransactWriteItem {
    Expression::default().into_delete(table, item_key)
}

/// Starts an update that revokes an item, on the condition that the item isn't revoked yet. `by` is `None`
/// for an administrator.
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

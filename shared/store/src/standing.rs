//! What a person must be at the moment of a write, whatever a process remembers of them.
//!
//! Decided in `docs/decisions/0040-members-and-invitations.md`.

use accounting::OrgId;
use aws_sdk_dynamodb::types::TransactWriteItem;
use strum::IntoEnumIterator;
use thiserror::Error;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{key, text};
use super::keys;
use super::transaction::{TransactionFailure, transact};
use crate::{Permission, Role, Subject};

/// Why a key or a tile grant was not minted.
#[derive(Debug, Error)]
pub enum MintFailure {
    /// The organization has as many live ones as there can be.
    #[error("the organization has reached its limit")]
    TooMany,
    /// Whoever mints may not: they left the organization, or have another role by now.
    #[error("the caller does not have permission")]
    Forbidden,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What came of the revocation of a key or an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    Done,
    /// It had ended before.
    Ended,
    /// The organization's list has no such entry.
    Unknown,
    /// Whoever revokes may not: they left the organization, or have another role by now.
    Forbidden,
}

/// What came of writes that somebody must be allowed to make.
pub(super) enum Outcome {
    Done,
    Forbidden,
    /// A condition failed: something has changed since it was read.
    Stale,
}

/// Makes the condition that a person belongs to an organization, with a role that has a permission if one is
/// needed.
pub(super) fn is_member(
    dynamo: &Dynamo,
    org: &OrgId,
    person: &Subject,
    needed: Option<Permission>,
) -> TransactWriteItem {
    let mut expression = Expression::default();
    expression.require_equal("org", text(org.as_str()));
    if let Some(permission) = needed {
        let role = expression.name("role");
        let allowed = Role::iter().filter(|role| role.may(permission));
        let allowed: Vec<_> = allowed.map(|role| expression.value(text(role.to_string()))).collect();
        expression.require(format!("{role} IN ({})", allowed.join(", ")));
    }
    expression.into_check(&dynamo.credentials, key(keys::subject(person), keys::SUBJECT))
}

/// Writes all or nothing, on the condition of whoever writes; `None` is the operator, who may do anything.
///
/// # Errors
///
/// When the database does not answer: whether it happened is unknown.
pub(super) async fn transact_as(
    dynamo: &Dynamo,
    check: Option<TransactWriteItem>,
    mut writes: Vec<TransactWriteItem>,
) -> Result<Outcome, StoreError> {
    let last = writes.len();
    writes.extend(check);
    match transact(dynamo, writes).await {
        Ok(()) => Ok(Outcome::Done),
        Err(failure) if failure.is_of(last) => Ok(Outcome::Forbidden),
        Err(TransactionFailure::Conditions(_)) => Ok(Outcome::Stale),
        Err(TransactionFailure::Call(error)) => Err(error),
    }
}

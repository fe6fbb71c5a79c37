//! Checks a person's membership and role in the same transaction as a write, because the process may have
//! cached an outdated role.
//!
//! See `docs/decisions/0040-members-and-invitations.md`.

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

/// Why an API key, a tile grant, or a client link wasn't created.
#[derive(Debug, Error)]
pub enum CreateFailure {
    /// The organization has reached its limit of active keys, grants, or links.
    #[error("the organization has reached its limit")]
    TooMany,
    /// The person has left the organization or no longer has the required role.
    #[error("the caller does not have permission")]
    Forbidden,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of revoking a key or an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    Done,
    /// The key was already revoked, or the invitation is unknown or has already ended.
    Ended,
    /// The organization's list doesn't contain the key.
    Unknown,
    /// The person has left the organization or no longer has the required role.
    Forbidden,
}

/// The result of a transaction that requires a permission.
pub(super) enum Outcome {
    Done,
    Forbidden,
    /// A condition failed because something has changed since it was read.
    Stale,
}

/// Returns a check that a person belongs to an organization and, if `needed` is set, has a role with this
/// permission.
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

/// Sends a transaction together with a check of the person's permission. `check` is `None` for
/// administrators, who have all permissions.
///
/// After an error, it's unknown whether the transaction succeeded.
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

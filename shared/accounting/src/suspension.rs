//! Suspensions. A suspended organization can only see its balance, usage, grants, and bills. Its members can
//! also call the operations for their own accounts.
use super::change::Change;
use crate::{Account, Timestamp};

/// Returns the change that suspends an organization, or `None` if the organization is already suspended.
pub fn suspend(account: &Account, now: Timestamp) -> Option<Change> {
    account.suspended_at.is_none().then(|| with_suspension(account, Some(now)))
}

/// Returns the change that ends an organization's suspension, or `None` if the organization isn't suspended.
pub fn resume(account: &Account) -> Option<Change> {
    account.suspended_at.map(|_| with_suspension(account, None))
}

fn with_suspension(account: &Account, suspended_at: Option<Timestamp>) -> Change {
    Change::of(&Account { suspended_at, ..account.clone() })
}

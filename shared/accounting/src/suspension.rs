//! Suspending and resuming organizations. A suspended organization can still read its balance, usage, grants,
//! and bills, and its members can still use the operations for their own accounts. All other calls are
//! rejected.
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

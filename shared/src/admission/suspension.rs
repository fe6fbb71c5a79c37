//! Suspensions: an organization that is suspended makes no call but those that show what it has and owes.

use crate::dynamo::{AccountChange, SuspensionChange};
use crate::types::{Account, Timestamp};

/// Returns the change that suspends an organization; it changes nothing of one that is.
pub fn suspend(account: &Account, now: Timestamp) -> AccountChange {
    let suspension = account.suspended_at.is_none().then_some(SuspensionChange::Begin(now));
    AccountChange { unsuspended_seen: suspension.is_some(), suspension, ..AccountChange::default() }
}

/// Returns the change that ends a suspension; it changes nothing of an organization that is not suspended.
pub fn resume(account: &Account) -> AccountChange {
    let suspension = account.suspended_at.is_some().then_some(SuspensionChange::End);
    AccountChange { suspension, ..AccountChange::default() }
}

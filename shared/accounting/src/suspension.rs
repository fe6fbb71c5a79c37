//! Suspensions: an organization that is suspended makes no call but those that show what it has and owes.
use super::change::Change;
use crate::{Account, Timestamp};

/// Returns the change that suspends an organization; `None` when it is suspended.
pub fn suspend(account: &Account, now: Timestamp) -> Option<Change> {
    account.suspended_at.is_none().then(|| with_suspension(account, Some(now)))
}

/// Returns the change that ends a suspension; `None` when the organization is not suspended.
pub fn resume(account: &Account) -> Option<Change> {
    account.suspended_at.map(|_| with_suspension(account, None))
}

fn with_suspension(account: &Account, suspended_at: Option<Timestamp>) -> Change {
    Change::of(&Account { suspended_at, ..account.clone() })
}

//! Metered credits: what is left of a month's is always the cap as it is now, less what was used of it.

use super::bookkeeping::signed;
use crate::dynamo::{AccountChange, ReplacedGrant};
use crate::types::{Account, Credits, Draw, Grant, GrantId, Plan, Timestamp};

/// Returns the change that gives an organization another plan. It binds from the next call on: credits that the
/// new cap cuts off expire, and those that it adds are granted.
pub fn change_plan(account: &Account, plan: Plan, now: Timestamp) -> AccountChange {
    let mut change =
        AccountChange { holder: Some(account.holder), plan: Some(plan), ..AccountChange::default() };
    let id = GrantId::metered(account.moment(now).day().month());
    // A month without metered credits so far gets them with its first charge.
    let Some(before) = account.grants.get(&id) else { return change };
    let after = under_cap(before, plan.monthly_cap(), before.used());
    change.totals.granted = signed(after.left.saturating_sub(before.left));
    change.totals.expired = signed(before.left.saturating_sub(after.left));
    if after != *before {
        change.replaced_grants = vec![ReplacedGrant { id, before: before.clone(), after }];
    }
    change
}

/// Adds the return of a draw on this month's metered grant to a change. Credits that a cut has left no room for
/// expire; the bill is lowered all the same.
pub(super) fn return_metered(account: &Account, grant: &Grant, draw: &Draw, change: &mut AccountChange) {
    let used = grant.used().saturating_sub(draw.credits);
    let after = under_cap(grant, account.holder.monthly_cap(), used);
    change.holder = Some(account.holder);
    change.refunds += draw.credits;
    if after.granted == grant.granted {
        change.returns.push(draw.clone());
        return;
    }
    change.totals.expired += signed(draw.credits) + signed(grant.left) - signed(after.left);
    change.replaced_grants.push(ReplacedGrant { id: draw.grant.clone(), before: grant.clone(), after });
}

/// Returns a month's metered grant with so many credits used, under a cap; `None` where nothing is metered.
fn under_cap(grant: &Grant, cap: Option<Credits>, used: Credits) -> Grant {
    let left = cap.unwrap_or(0).saturating_sub(used);
    Grant { granted: used.saturating_add(left), left, ..grant.clone() }
}

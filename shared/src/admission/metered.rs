//! Metered credits: what is left of a month's is always the cap as it is now, less what was used of it.

use super::bookkeeping::signed;
use crate::dynamo::{AccountChange, ReplacedGrant};
use crate::types::{Account, Credits, Draw, Grant, GrantKind, Plan};

/// Returns the change that gives an organization another plan. It binds from the next call on: credits that
/// the new cap cuts off expire, and those that it adds are granted.
///
/// It depends on every metered grant as it is, and on no other having come: a month's first charge adds one
/// under the cap of before.
pub fn change_plan(account: &Account, plan: Plan) -> AccountChange {
    let mut change = AccountChange {
        holder: Some(account.holder),
        granted_seen: Some(account.totals.granted),
        plan: Some(plan),
        ..AccountChange::default()
    };
    for (id, before) in account.grants.iter().filter(|(_, grant)| grant.kind == GrantKind::Metered) {
        let after = under_cap(before, plan.monthly_cap(), before.used());
        change.totals.granted += signed(after.left.saturating_sub(before.left));
        change.totals.expired += signed(before.left.saturating_sub(after.left));
        change.replaced_grants.push(ReplacedGrant { id: id.clone(), before: before.clone(), after });
    }
    change
}

/// Adds the return of a draw on this month's metered grant to a change. Credits that a cut has left no room
/// for expire; the bill is lowered all the same.
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

/// Returns a month's metered grant with so many credits used, under a cap that is `None` where nothing is
/// metered.
fn under_cap(grant: &Grant, cap: Option<Credits>, used: Credits) -> Grant {
    let left = cap.unwrap_or(0).saturating_sub(used);
    Grant { granted: used.saturating_add(left), left, ..grant.clone() }
}

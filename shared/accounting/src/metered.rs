//! Metered credits: what is left of a month's is always the cap as it is now, less what was used of it.
use super::change::Change;
use crate::{Account, Credits, Draw, Grant, GrantKind, Holder, Plan};

/// Returns the change that gives an organization another plan. It binds from the next call on: credits that
/// the new cap cuts off expire, and those that it adds are granted.
pub fn change_plan(account: &Account, plan: Plan) -> Change {
    let mut change = Change::of(account);
    let Account { holder, grants, totals, .. } = &mut change.account;
    *holder = Holder::Organization(plan);
    for grant in grants.values_mut().filter(|grant| grant.kind == GrantKind::Metered) {
        let after = under_cap(grant, plan.monthly_cap(), grant.used());
        totals.granted += after.left.saturating_sub(grant.left);
        totals.expired += grant.left.saturating_sub(after.left);
        *grant = after;
    }
    change
}

/// Returns a draw to this month's metered grant. Credits that a cut has left no room for expire; the bill is
/// lowered all the same.
pub(super) fn return_metered(account: &mut Account, draw: &Draw) {
    let cap = account.holder.monthly_cap();
    let Some(grant) = account.grants.get_mut(&draw.grant) else { return };
    let after = under_cap(grant, cap, grant.used().saturating_sub(draw.credits));
    account.totals.expired += draw.credits + grant.left - after.left;
    account.deductions.refunds += draw.credits;
    *grant = after;
}

/// Returns a month's metered grant with so many credits used, under a cap that is `None` where nothing is
/// metered.
fn under_cap(grant: &Grant, cap: Option<Credits>, used: Credits) -> Grant {
    let left = cap.unwrap_or(0).saturating_sub(used);
    Grant { granted: used.saturating_add(left), left, ..grant.clone() }
}

//! Metered credits. The remaining credits for a month are always the current cap minus the credits used, but
//! never less than 0.
use super::change::Change;
use crate::{Account, Credits, Drawdown, Grant, GrantKind, Holder, Plan};

/// Returns the change that assigns a new plan, which applies from the next call. If the account already has a
/// metered grant, lowering the cap expires the credits above the new cap, and raising it grants the
/// difference.
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

/// Refunds a draw to this month's metered grant. Does nothing if the account doesn't contain the grant. If
/// the cap was lowered after the draw, refunded credits above the cap expire, but the bill is still reduced
/// by the full refund.
pub(super) fn return_metered(account: &mut Account, draw: &Drawdown) {
    let cap = account.holder.monthly_cap();
    let Some(grant) = account.grants.get_mut(&draw.grant) else { return };
    let after = under_cap(grant, cap, grant.used().saturating_sub(draw.credits));
    account.totals.expired += draw.credits + grant.left - after.left;
    account.deductions.refunds += draw.credits;
    *grant = after;
}

/// Returns the metered grant with `used` credits drawn and the remaining credits limited by `cap`. `cap` is
/// `None` if the plan has no metered credits.
fn under_cap(grant: &Grant, cap: Option<Credits>, used: Credits) -> Grant {
    let left = cap.unwrap_or(0).saturating_sub(used);
    Grant { granted: used.saturating_add(left), left, ..grant.clone() }
}

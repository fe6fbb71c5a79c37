//! What charges, refunds and grants have in common.

use crate::dynamo::{Rollover, UsageChange};
use crate::types::{Account, BillingName, Credits, GrantId, GrantKind, Holder, Timestamp};

/// How long a prepaid grant stays in its account after its expiry, in days.
const DAYS_AFTER_EXPIRY: i64 = 1;

/// Returns the prepaid grants that have been expired for long enough to be removed, with what is left in
/// each.
pub(super) fn long_expired(account: &Account, moment: Timestamp) -> Vec<(GrantId, Credits)> {
    let long_ago = moment.plus_days(-DAYS_AFTER_EXPIRY);
    let gone = account
        .grants
        .iter()
        .filter(|(_, grant)| grant.kind != GrantKind::Metered && grant.is_expired(long_ago));
    gone.map(|(id, grant)| (id.clone(), grant.left)).collect()
}

/// Returns the metered grants that leave with their month, whose bill keeps what was drawn from them.
pub(super) fn metered_of_other_months(account: &Account, moment: Timestamp) -> Vec<(GrantId, Credits)> {
    let this_month = GrantId::metered(moment.day().month());
    let gone =
        account.grants.iter().filter(|(id, grant)| grant.kind == GrantKind::Metered && **id != this_month);
    gone.map(|(id, grant)| (id.clone(), grant.left)).collect()
}

/// Books usage on the day of a moment; sessions keep none.
pub(super) fn usage_change(
    account: &Account,
    name: &BillingName,
    calls: i64,
    credits: i64,
    moment: Timestamp,
) -> Option<UsageChange> {
    match account.holder {
        Holder::Session { .. } => None,
        Holder::Organization(_) => {
            let rollover = rollover(account, moment);
            Some(UsageChange { day: moment.day(), name: name.clone(), calls, credits, rollover })
        }
    }
}

/// Returns a number of credits that can be negative.
pub(super) fn signed(credits: Credits) -> i64 {
    i64::try_from(credits).unwrap_or(i64::MAX)
}

fn rollover(account: &Account, moment: Timestamp) -> Option<Rollover> {
    let (today, day) = (account.today.clone(), moment.day());
    if today.day == day {
        return None;
    }
    let month = today.day.month();
    if month == day.month() {
        return Some(Rollover::Day(today));
    }
    let metered = account.metered_used(month);
    Some(Rollover::Month { last_day: today, metered, deductions: account.deductions })
}

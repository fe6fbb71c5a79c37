//! What charges, refunds and grants have in common.

use crate::dynamo::UsageChange;
use crate::types::{Account, BillingName, Credits, GrantId, Holder, Timestamp};

/// How long a grant stays in its account after its expiry, in days, so that late refunds find it.
const DAYS_AFTER_EXPIRY: i64 = 1;

/// Returns the grants that have been expired for long enough to be removed, with what is left in each.
pub(super) fn long_expired(account: &Account, moment: Timestamp) -> Vec<(GrantId, Credits)> {
    let long_ago = moment.plus_days(-DAYS_AFTER_EXPIRY);
    let gone = account.grants.iter().filter(|(_, grant)| grant.is_expired(long_ago));
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
            let day = moment.day();
            let rollover = (account.today.day < day).then(|| account.today.clone());
            Some(UsageChange { day, name: name.clone(), calls, credits, rollover })
        }
    }
}

/// Returns a number of credits that can be negative.
pub(super) fn signed(credits: Credits) -> i64 {
    i64::try_from(credits).unwrap_or(i64::MAX)
}

//! Notices to the operator about balances that run low.

use crate::dynamo::AccountChange;
use crate::types::{Account, AccountKey, Credits, Timestamp};

/// The shares of the granted credits, in percent, at which the operator is told.
const THRESHOLDS: [Credits; 3] = [25, 10, 0];

/// Logs, once each, that a charge took an organization's live credits to 25, 10 and 0 % of what was granted.
pub(super) fn notice_low_credits(
    key: &AccountKey,
    account: &Account,
    change: &AccountChange,
    now: Timestamp,
) {
    let Some(org) = key.org() else { return };
    let moment = account.moment(now);
    let granted: Credits =
        account.grants.values().filter(|grant| !grant.is_expired(moment)).map(|grant| grant.granted).sum();
    let after = account.balance(None, moment);
    let before = after + Credits::try_from(change.totals.used).unwrap_or(0);
    let crossed = |percent: &Credits| before * 100 > granted * percent && after * 100 <= granted * percent;
    if let Some(percent) = THRESHOLDS.into_iter().rev().find(crossed) {
        tracing::warn!(event = "credits_low", %org, percent_left = percent, balance = after);
    }
}

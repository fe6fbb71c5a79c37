//! Notices to the operator about balances that run low.
use accounting::{AccountKey, Change, Credits, Timestamp};

/// The shares of the granted credits, in percent, at which the operator is told.
const THRESHOLDS: [Credits; 3] = [25, 10, 0];

/// Logs, once each, that a charge took an organization's live credits to 25, 10 and 0 % of what was granted.
pub fn notice_low_credits(key: &AccountKey, charge: &Change, now: Timestamp) {
    let Some(org) = key.org() else { return };
    let account = &charge.account;
    let moment = account.moment(now);
    let unexpired = account.grants.values().filter(|grant| !grant.is_expired(moment));
    let granted = unexpired.map(|grant| grant.granted).fold(0, Credits::saturating_add);
    let after = account.balance(None, moment);
    let before = after.saturating_add(charge.credits());
    let is_above =
        |credits: Credits, percent: Credits| credits.saturating_mul(100) > granted.saturating_mul(percent);
    let crossed = |percent: &Credits| is_above(before, *percent) && !is_above(after, *percent);
    if let Some(percent) = THRESHOLDS.into_iter().rev().find(crossed) {
        tracing::warn!(event = "credits_low", %org, percent_left = percent, balance = after);
    }
}

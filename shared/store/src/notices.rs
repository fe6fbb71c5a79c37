//! Logs events that inform the administrator about low balances.
use accounting::{AccountKey, Change, Credits, Timestamp};

/// The thresholds, as percentages of the granted credits.
const THRESHOLDS: [Credits; 3] = [25, 10, 0];

/// Logs an event when a charge reduces an organization's unexpired credits to 25%, 10%, or 0% of the granted
/// credits. If a charge crosses several thresholds, only the lowest is logged.
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

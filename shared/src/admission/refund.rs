//! Refunds: drawn credits go back to the grants that gave them.

use super::bookkeeping::{signed, usage_change};
use crate::dynamo::{AccountChange, TotalsChange};
use crate::types::{Account, BillingName, Credits, Draw, Grant, GrantId, Timestamp};

/// Returns the change that gives drawn credits back.
///
/// Grants that have been removed since are added again, unless they have expired: then the credits expire
/// too.
pub fn refund(account: &Account, draws: &[Draw], name: &BillingName, now: Timestamp) -> AccountChange {
    let moment = account.moment(now);
    let (returns, gone): (Vec<Draw>, Vec<Draw>) = draws
        .iter()
        .filter(|draw| draw.credits > 0)
        .cloned()
        .partition(|draw| account.grants.contains_key(&draw.grant));
    let (expired, returning): (Vec<Draw>, Vec<Draw>) =
        gone.into_iter().partition(|draw| draw.expires_at.is_some_and(|expiry| expiry <= moment));
    let total: Credits = draws.iter().map(|draw| draw.credits).sum();
    AccountChange {
        added_grants: returning.into_iter().map(grant_again).collect(),
        returns,
        totals: TotalsChange {
            granted: 0,
            used: -signed(total),
            expired: signed(expired.iter().map(|draw| draw.credits).sum()),
        },
        usage: usage_change(account, name, 0, -signed(total), moment),
        ..AccountChange::default()
    }
}

/// Takes the credits that are kept out of draws: what remains is refunded.
pub fn refundable(mut draws: Vec<Draw>, mut kept: Credits) -> Vec<Draw> {
    for draw in &mut draws {
        let part = draw.credits.min(kept);
        draw.credits -= part;
        kept -= part;
    }
    draws
}

fn grant_again(draw: Draw) -> (GrantId, Grant) {
    let Draw { grant, kind, expires_at, credits } = draw;
    (grant, Grant { kind, granted: credits, left: credits, expires_at })
}

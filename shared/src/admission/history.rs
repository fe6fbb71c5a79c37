//! What the history of an organization's prepaid grants is told of a change.

use crate::dynamo::GrantEvent;
use crate::types::{Account, Credits, Draw, Grant, GrantEnd, GrantId, GrantKind, Timestamp};

/// Tells of the grants that draws empty.
pub(super) fn of_draws(account: &Account, draws: &[Draw], moment: Timestamp) -> Vec<GrantEvent> {
    let emptied = draws.iter().filter(|draw| empties(account, draw)).map(|draw| (&draw.grant, 0));
    ended(account, emptied, |_| (GrantEnd::UsedUp, Some(moment)))
}

/// Tells of grants that leave with their expiry, or to make room.
pub(super) fn of_removed(account: &Account, removed: &[(GrantId, Credits)]) -> Vec<GrantEvent> {
    let removed = removed.iter().map(|(id, left)| (id, *left));
    ended(account, removed, |grant| match grant.left {
        0 => (GrantEnd::UsedUp, None),
        _ => (GrantEnd::Expired, grant.expires_at),
    })
}

/// Tells of a grant that is revoked.
pub(super) fn of_revoked(account: &Account, id: &GrantId, left: Credits, now: Timestamp) -> Vec<GrantEvent> {
    ended(account, [(id, left)], |_| (GrantEnd::Revoked, Some(now)))
}

/// Tells whether a draw takes all that is left in its grant.
pub(super) fn empties(account: &Account, draw: &Draw) -> bool {
    account.grants.get(&draw.grant).is_some_and(|grant| grant.left == draw.credits)
}

/// Makes the ends of grants with what is left in each. Sessions have no history, and metered credits have
/// their bill.
fn ended<'a>(
    account: &Account,
    grants: impl IntoIterator<Item = (&'a GrantId, Credits)>,
    how: impl Fn(&Grant) -> (GrantEnd, Option<Timestamp>),
) -> Vec<GrantEvent> {
    if !account.is_organizations() {
        return Vec::new();
    }
    let known = grants.into_iter().filter_map(|(id, left)| Some((id, left, account.grants.get(id)?.clone())));
    let prepaid = known.filter(|(.., grant)| grant.kind != GrantKind::Metered);
    let ended = prepaid.map(|(id, left, grant)| {
        let grant = Grant { left, ..grant };
        let (how, at) = how(&grant);
        GrantEvent::Ended { id: id.clone(), grant, how, at }
    });
    ended.collect()
}

//! Refunds: drawn credits go back to where they came from, or to the nearest thing that is still there.

use std::collections::BTreeMap;

use super::bookkeeping::{metered_of_other_months, signed, usage_change};
use super::grants::{MAX_LIVE_GRANTS, granted_one_by_one};
use super::metered::return_metered;
use crate::dynamo::{AccountChange, GrantEvent, ReplacedGrant, Rollover};
use crate::types::{Account, BillingName, Credits, Draw, Grant, GrantId, GrantKind, PrepaidKind, Timestamp};

/// The days for which refunded credits live on whose own grant has expired.
const DAYS_OF_REFUNDS: i64 = 60;

/// Where prepaid credits return to.
enum Destination {
    /// Their grant.
    Grant,
    /// Their grant, which has left the account for want of room and finds room again.
    GrantAgain,
    /// The grant of refunds of their kind, which lives until then at least; `None` for always.
    OfRefunds { expires_at: Option<Timestamp> },
}

/// Prepaid credits of one kind that cannot return to their own grants.
struct Stray {
    credits: Credits,
    expires_at: Option<Timestamp>,
}

/// Returns the change that gives drawn credits back.
///
/// Prepaid credits return to their grant. When it has expired, or has left and finds no room, they go to the
/// one grant of refunds of their kind. Metered credits of this month return to its metered grant and lower
/// its bill; those of an earlier month are a credit note on this month's.
pub fn refund(account: &Account, draws: &[Draw], name: &BillingName, now: Timestamp) -> AccountChange {
    let moment = account.moment(now);
    let this_month = GrantId::metered(moment.day().month());
    let mut change = AccountChange::default();
    let mut strays: BTreeMap<PrepaidKind, Stray> = BTreeMap::new();
    for draw in draws.iter().filter(|draw| draw.credits > 0) {
        let kind = match draw.kind {
            GrantKind::Prepaid(kind) => kind,
            GrantKind::Metered => {
                match account.grants.get(&this_month).filter(|_| draw.grant == this_month) {
                    Some(grant) => return_metered(account, grant, draw, &mut change),
                    None => change.credit_notes += draw.credits,
                }
                continue;
            }
        };
        match destination(account, draw, kind, &change, moment) {
            Destination::Grant => change.returns.push(draw.clone()),
            Destination::GrantAgain => change.added_grants.push(grant_again(draw)),
            Destination::OfRefunds { expires_at } => {
                let stray = strays.entry(kind).or_insert(Stray { credits: 0, expires_at });
                stray.credits += draw.credits;
                stray.expires_at = later(stray.expires_at, expires_at);
            }
        }
    }
    for (kind, stray) in strays {
        take_in(account, kind, stray, moment, &mut change);
    }
    book(account, draws, name, moment, change)
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

fn destination(
    account: &Account,
    draw: &Draw,
    kind: PrepaidKind,
    change: &AccountChange,
    moment: Timestamp,
) -> Destination {
    let of_refunds = GrantId::of_refunds(kind);
    let in_sixty_days = Some(moment.plus_days(DAYS_OF_REFUNDS));
    let expired = |expires_at: Option<Timestamp>| expires_at.is_some_and(|expiry| expiry <= moment);
    match account.grants.get(&draw.grant) {
        Some(grant) if grant.is_expired(moment) => Destination::OfRefunds { expires_at: in_sixty_days },
        // It may take in others' credits in the same change, which has one clause for it.
        Some(grant) if draw.grant == of_refunds => Destination::OfRefunds { expires_at: grant.expires_at },
        Some(_) => Destination::Grant,
        None if expired(draw.expires_at) => Destination::OfRefunds { expires_at: in_sixty_days },
        None if draw.grant != of_refunds
            && granted_one_by_one(account).count() + change.added_grants.len() < MAX_LIVE_GRANTS =>
        {
            Destination::GrantAgain
        }
        None => Destination::OfRefunds { expires_at: later(draw.expires_at, in_sixty_days) },
    }
}

/// Adds stray credits to the grant of refunds of their kind. No credits are granted by it: they were before.
fn take_in(
    account: &Account,
    kind: PrepaidKind,
    stray: Stray,
    moment: Timestamp,
    change: &mut AccountChange,
) {
    let Stray { credits, expires_at } = stray;
    let id = GrantId::of_refunds(kind);
    let fresh = Grant { kind: GrantKind::Prepaid(kind), granted: credits, left: credits, expires_at };
    let joins = || GrantEvent::Joined { id: id.clone(), grant: fresh.clone(), at: moment };
    let Some(before) = account.grants.get(&id).cloned() else {
        change.history.extend(account.is_organizations().then(joins));
        change.added_grants.push((id, fresh));
        return;
    };
    let after = if before.is_expired(moment) {
        change.totals.expired += signed(before.left);
        change.history.extend(account.is_organizations().then(joins));
        fresh
    } else {
        let left = before.left.saturating_add(credits);
        let expires_at = later(before.expires_at, expires_at);
        Grant { granted: before.granted.max(left), left, expires_at, ..before.clone() }
    };
    change.replaced_grants.push(ReplacedGrant { id, before, after });
}

fn book(
    account: &Account,
    draws: &[Draw],
    name: &BillingName,
    moment: Timestamp,
    mut change: AccountChange,
) -> AccountChange {
    let total: Credits = draws.iter().map(|draw| draw.credits).sum();
    change.totals.used -= signed(total);
    change.totals.expired += signed(change.credit_notes);
    change.usage = usage_change(account, name, 0, -signed(total), moment);
    let rollover = change.usage.as_ref().and_then(|usage| usage.rollover.as_ref());
    if matches!(rollover, Some(Rollover::Month { .. })) {
        change.removed_grants = metered_of_other_months(account, moment);
        change.totals.expired += signed(change.removed_grants.iter().map(|(_, left)| left).sum());
    }
    change
}

fn grant_again(draw: &Draw) -> (GrantId, Grant) {
    let Draw { grant, kind, expires_at, credits } = draw.clone();
    (grant, Grant { kind, granted: credits, left: credits, expires_at })
}

/// Returns the later of two expiries; `None` is never.
fn later(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    Some(one?.max(other?))
}

//! Refunds. Credits return to the grants that they were drawn from, if possible. Otherwise, prepaid credits
//! go to a refund grant, and metered credits become a credit note.
use std::collections::BTreeMap;

use super::change::{Change, Rollover};
use super::grants::{MAX_LIVE_GRANTS, added_grants};
use super::metered::return_metered;
use crate::{Account, Credits, Drawdown, Grant, GrantId, GrantKind, Meter, PrepaidKind, Timestamp, signed};

/// The minimum number of days that credits in a refund grant remain valid.
const DAYS_OF_REFUNDS: i64 = 60;

/// Refunded prepaid credits of one kind that can't return to their original grants.
struct Stray {
    credits: Credits,
    /// The earliest allowed expiry date, or `None` if the credits must not expire.
    expires_at: Option<Timestamp>,
}

/// Returns the change that refunds drawn credits.
///
/// Prepaid credits return to their grant, which is restored if it was removed. If the grant has expired, or
/// was removed and the account is now full, the credits go to the refund grant for their kind. Metered
/// credits that were drawn this month return to the month's metered grant and reduce the month's bill.
/// Metered credits that were drawn in an earlier month become a credit note on this month's bill.
pub fn refund(account: &Account, draws: &[Drawdown], name: &Meter, now: Timestamp) -> Change {
    let moment = account.moment(now);
    let mut change = Change::of(account);
    let total: Credits = draws.iter().map(|draw| draw.credits).sum();
    change.account.totals.used -= total;
    change.book(name, 0, -signed(total), moment);
    let mut strays: BTreeMap<PrepaidKind, Stray> = BTreeMap::new();
    for draw in draws.iter().filter(|draw| draw.credits > 0) {
        match draw.kind {
            GrantKind::Metered => refund_metered(&mut change.account, draw, moment),
            GrantKind::Prepaid(kind) => {
                if let Err(stray) = refund_prepaid(&mut change.account, draw, kind, moment) {
                    let strays = strays.entry(kind).or_insert(Stray { credits: 0, ..stray });
                    strays.credits += stray.credits;
                    strays.expires_at = later(strays.expires_at, stray.expires_at);
                }
            }
        }
    }
    for (kind, stray) in strays {
        add_to_refund_grant(&mut change, kind, stray, moment);
    }
    if matches!(change.rollover, Some(Rollover::Month { .. })) {
        change.remove_metered_of_other_months(moment);
    }
    change
}

/// Returns the draws to refund if `kept` credits remain charged. The kept credits are subtracted starting
/// with the first draw.
pub fn refundable(mut draws: Vec<Drawdown>, mut kept: Credits) -> Vec<Drawdown> {
    for draw in &mut draws {
        let part = draw.credits.min(kept);
        draw.credits -= part;
        kept -= part;
    }
    draws
}

fn refund_metered(account: &mut Account, draw: &Drawdown, moment: Timestamp) {
    let this_month = GrantId::metered(moment.day().month());
    if draw.grant == this_month && account.grants.contains_key(&this_month) {
        return_metered(account, draw);
    } else {
        account.deductions.credit_notes += draw.credits;
        account.totals.expired += draw.credits;
    }
}

/// Refunds a draw to its grant. A grant that was removed is restored with the same ID if the account has
/// room.
///
/// # Errors
///
/// Returns the credits if they must go to the refund grant for their kind.
fn refund_prepaid(
    account: &mut Account,
    draw: &Drawdown,
    kind: PrepaidKind,
    moment: Timestamp,
) -> Result<(), Stray> {
    let Drawdown { grant: id, kind: _, expires_at, credits } = draw;
    let in_sixty_days = Some(moment.plus_days(DAYS_OF_REFUNDS));
    let stray = |expires_at| Err(Stray { credits: *credits, expires_at });
    let has_room = added_grants(account).count() < MAX_LIVE_GRANTS;
    let is_of_refunds = *id == GrantId::of_refunds(kind);
    match account.grants.get_mut(id) {
        Some(grant) if grant.is_expired(moment) => stray(in_sixty_days),
        Some(grant) => {
            grant.left += credits;
            grant.granted = if is_of_refunds { grant.granted.max(grant.left) } else { grant.granted };
            Ok(())
        }
        None if expires_at.is_some_and(|expiry| expiry <= moment) => stray(in_sixty_days),
        None if has_room && !is_of_refunds => {
            let grant = Grant { kind: draw.kind, granted: *credits, left: *credits, expires_at: *expires_at };
            account.grants.insert(id.clone(), grant);
            Ok(())
        }
        None => stray(later(*expires_at, in_sixty_days)),
    }
}

/// Adds credits to the account's refund grant for that kind of credits. Creates the grant if it doesn't exist or
/// has expired. The account's total of granted credits doesn't change.
fn add_to_refund_grant(change: &mut Change, kind: PrepaidKind, stray: Stray, moment: Timestamp) {
    let Stray { credits, expires_at } = stray;
    let id = GrantId::of_refunds(kind);
    if let Some(grant) = change.account.grants.get_mut(&id).filter(|grant| !grant.is_expired(moment)) {
        grant.left += credits;
        grant.granted = grant.granted.max(grant.left);
        grant.expires_at = later(grant.expires_at, expires_at);
        return;
    }
    if let Some(expired) = change.account.grants.get(&id) {
        change.account.totals.expired += expired.left;
    }
    let grant = Grant { kind: GrantKind::Prepaid(kind), granted: credits, left: credits, expires_at };
    change.join(id, grant, moment);
}

/// Returns the later of two expiry dates. `None`, which means no expiry, is later than any date.
fn later(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    Some(one?.max(other?))
}

//! The admission decision: what a call or a purchase costs, and whether it may be made. Pure functions of an
//! account, a price and a moment.
use thiserror::Error;

use super::change::{Change, Declined};
use super::grants::remove_long_expired;
use crate::{Account, BillingName, Credits, GrantEnd, LimitedCaller, RateWindow, Timestamp, signed};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What it is billed as.
    pub name: BillingName,
    /// Its price.
    pub credits: Credits,
}

/// What a call costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// What its product costs.
    OfProduct,
    /// Nothing: it repeats a call that was paid for.
    OfRepeat,
}

/// A call: what it costs, and the limits that it counts towards besides its tier's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What it costs.
    pub charge: Charge,
    /// The limit per clock minute that its caller has besides, for products that have one.
    pub caller_limit: Option<(LimitedCaller, u32)>,
    /// Whether an organization may make it while it is suspended.
    pub is_for_suspended: bool,
}

/// Whose limit of calls a minute it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimitOf {
    /// The organization's or the session's, by its tier.
    Account,
    /// The calling key's own.
    Key,
    /// That of all people of the organization together.
    People,
}

/// Why a call is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The operator has suspended the organization.
    #[error("the organization is suspended")]
    Suspended,
    /// Too many calls in this clock minute.
    #[error("the limit of {limit} calls per minute is reached")]
    RateLimited {
        /// The calls that are allowed.
        limit: u32,
        /// Seconds until the next minute, at least 1.
        retry_after: i64,
        of: RateLimitOf,
    },
    #[error(transparent)]
    QuotaExceeded(#[from] InsufficientCredits),
}

/// A price that the balance does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{price} credits are required, and the balance is {balance}")]
pub struct InsufficientCredits {
    /// The credits there are.
    pub balance: Credits,
    /// The credits that are asked for.
    pub price: Credits,
}

/// Why a purchase is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PurchaseRefusal {
    /// The operator has suspended the organization.
    #[error("the organization is suspended")]
    Suspended,
    #[error(transparent)]
    InsufficientCredits(#[from] InsufficientCredits),
}

/// Decides on a call: the change that charges and counts it, or why it is refused.
///
/// # Errors
///
/// The refusal: for a suspension first, then for its rate, then for its price. An organization's call that is
/// refused for its price counts against its minute all the same: a flood of such calls ends in refusals that
/// cost nothing.
pub fn decide(account: &Account, call: &Call, now: Timestamp) -> Result<Change, Declined<Refusal>> {
    if account.suspended_at.is_some() && !call.is_for_suspended {
        return Err(Refusal::Suspended.into());
    }
    let counted = count(account, call, now)?;
    let mut change = counted.clone();
    match charge(&mut change, &call.charge, account.moment(now)) {
        Ok(()) => Ok(change),
        Err(too_few) => Err(Declined {
            reason: too_few.into(),
            change: account.is_organizations().then(|| Box::new(counted)),
        }),
    }
}

/// Decides on a purchase, which counts towards no rate: the change that charges it.
///
/// # Errors
///
/// When the organization is suspended, or its balance does not cover the price.
pub fn decide_purchase(
    account: &Account,
    purchase: &Charge,
    now: Timestamp,
) -> Result<Change, PurchaseRefusal> {
    if account.suspended_at.is_some() {
        return Err(PurchaseRefusal::Suspended);
    }
    let mut change = Change::of(account);
    charge(&mut change, purchase, account.moment(now))?;
    Ok(change)
}

/// Counts a call in the minute of its account, and in its caller's share of that minute.
fn count(account: &Account, call: &Call, now: Timestamp) -> Result<Change, Refusal> {
    let mut change = Change::of(account);
    let limit = account.holder.tier().calls_per_minute();
    let Account { window, callers, .. } = &mut change.account;
    // Another process's clock may be a little ahead: minutes never move back.
    let minute = window.minute.max(now.minute());
    if window.minute != minute {
        *window = RateWindow { minute, calls: 0 };
        callers.clear();
    }
    let one_more = |calls: &mut u32, limit, of| {
        if *calls >= limit {
            return Err(Refusal::RateLimited { limit, retry_after: seconds_until(minute + 1, now), of });
        }
        *calls += 1;
        Ok(())
    };
    one_more(&mut window.calls, limit, RateLimitOf::Account)?;
    if let Some((caller, limit)) = &call.caller_limit {
        let of = match caller {
            LimitedCaller::Key(_) => RateLimitOf::Key,
            LimitedCaller::People => RateLimitOf::People,
        };
        one_more(callers.entry(caller.clone()).or_default(), *limit, of)?;
    }
    change.caller_limit.clone_from(&call.caller_limit);
    Ok(change)
}

/// Draws a price from the grants, books it, and lets grants go whose time is over.
fn charge(change: &mut Change, charge: &Charge, moment: Timestamp) -> Result<(), InsufficientCredits> {
    let Charge { name, credits } = charge;
    draw(change, *credits, moment)?;
    change.account.totals.used += credits;
    change.book(name, 1, signed(*credits), moment);
    remove_long_expired(change, moment);
    change.remove_metered_of_other_months(moment);
    Ok(())
}

/// Draws a price from the live grants in the order of burning. The month's metered grant joins them when the
/// others do not cover the price.
fn draw(change: &mut Change, price: Credits, moment: Timestamp) -> Result<(), InsufficientCredits> {
    let account = &mut change.account;
    let balance = account.balance(None, moment);
    if balance < price {
        return Err(InsufficientCredits { balance, price });
    }
    let live: Credits = account.live_grants(moment).map(|(_, grant)| grant.left).sum();
    if live < price
        && let Some((id, grant)) = account.coming_metered(moment)
    {
        account.totals.granted += grant.granted;
        account.grants.insert(id, grant);
    }
    let mut order: Vec<_> =
        account.live_grants(moment).map(|(id, grant)| (grant.burn_order(), id.clone())).collect();
    order.sort();
    let mut owed = price;
    let mut emptied = Vec::new();
    for (_, id) in order {
        let Some(grant) = account.grants.get_mut(&id).filter(|_| owed > 0) else { break };
        let part = grant.left.min(owed);
        owed -= part;
        grant.left -= part;
        change.draws.push(grant.draw(&id, part));
        emptied.extend((grant.left == 0).then(|| (id, grant.clone())));
    }
    for (id, grant) in emptied {
        change.tell_end(&id, &grant, GrantEnd::UsedUp, moment);
    }
    Ok(())
}

/// Returns the seconds until a minute begins, at least 1.
pub fn seconds_until(minute: i64, now: Timestamp) -> i64 {
    let start = Timestamp::at_minute(minute);
    (start.unix_millis() - now.unix_millis() + 999).div_euclid(1_000).max(1)
}

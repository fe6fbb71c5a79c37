//! Decides whether calls and purchases are allowed, and computes the resulting changes. All functions are
//! pure.
use thiserror::Error;

use super::change::{Change, Declined};
use super::grants::remove_long_expired;
use crate::{Account, Credits, GrantEnd, LimitedCaller, Meter, RateWindow, Timestamp, signed};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The name that the charge is billed under.
    pub name: Meter,
    /// The price, which is 0 for free calls.
    pub credits: Credits,
}

/// How a call is priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// The product's price.
    OfProduct,
    /// Free, because the call is a retry of a call that was already charged, or a batch, whose operations are
    /// charged individually.
    Free,
}

/// A call, with its price and the limits that apply in addition to the tier's limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The call's price, and the name that it's billed under.
    pub charge: Charge,
    /// The caller and its limit in calls per clock minute, for products that limit each caller.
    pub caller_limit: Option<(LimitedCaller, u32)>,
    /// Whether suspended organizations can make this call.
    pub is_for_suspended: bool,
    /// Whether the call counts toward the rate limits. The operations in a batch don't, because the batch
    /// itself is counted.
    pub is_counted: bool,
}

/// The rate limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimitOf {
    /// The limit for the organization's or session's tier.
    Account,
    /// The API key's own limit.
    Key,
    /// The limit shared by all people in the organization.
    People,
}

/// Why a call was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// An administrator has suspended the organization.
    #[error("the organization is suspended")]
    Suspended,
    /// Too many calls in this clock minute.
    #[error("the limit of {limit} calls per minute has been reached")]
    RateLimited {
        /// The number of calls allowed per minute.
        limit: u32,
        /// The number of seconds until the next minute, at least 1.
        retry_after: i64,
        of: RateLimitOf,
    },
    #[error(transparent)]
    QuotaExceeded(#[from] InsufficientCredits),
}

/// The error for a price that exceeds the balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{price} credits are required, but the balance is {balance}")]
pub struct InsufficientCredits {
    /// The available credits.
    pub balance: Credits,
    /// The required credits.
    pub price: Credits,
}

/// Why a purchase was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PurchaseRefusal {
    /// An administrator has suspended the organization.
    #[error("the organization is suspended")]
    Suspended,
    #[error(transparent)]
    InsufficientCredits(#[from] InsufficientCredits),
}

/// Decides whether a call is admitted. Returns the change that charges and counts the call.
///
/// # Errors
///
/// Checks for suspension, rate limits, and insufficient credits, in this order, and returns the first reason
/// that applies. A counted call that is rejected because the organization's balance is too low still counts
/// against the rate limit. A client that keeps making such calls soon reaches the limit, and its calls are
/// then rejected without a write.
pub fn decide(account: &Account, call: &Call, now: Timestamp) -> Result<Change, Declined<Refusal>> {
    if account.suspended_at.is_some() && !call.is_for_suspended {
        return Err(Refusal::Suspended.into());
    }
    let counted = if call.is_counted { count(account, call, now)? } else { Change::of(account) };
    let mut change = counted.clone();
    match charge(&mut change, &call.charge, account.moment(now)) {
        Ok(()) => Ok(change),
        Err(too_few) => Err(Declined {
            reason: too_few.into(),
            change: (account.belongs_to_organization() && call.is_counted).then(|| Box::new(counted)),
        }),
    }
}

/// Decides whether a purchase is allowed. Returns the change that charges the purchase. Purchases don't count
/// against rate limits.
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

/// Counts a call against the limits for its account and its caller. Returns an error if either limit has
/// already been reached.
fn count(account: &Account, call: &Call, now: Timestamp) -> Result<Change, Refusal> {
    let mut change = Change::of(account);
    let limit = account.holder.tier().calls_per_minute();
    let Account { window, callers, .. } = &mut change.account;
    // If another process's clock is ahead, the window's minute can be later than `now`. Minutes never move
    // back.
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

/// Draws the price from the account's grants and adds it to the usage. Also removes prepaid grants that
/// expired at least a day ago, and metered grants from other months. Returns an error if the balance is too
/// low.
fn charge(change: &mut Change, charge: &Charge, moment: Timestamp) -> Result<(), InsufficientCredits> {
    let Charge { name, credits } = charge;
    draw(change, *credits, moment)?;
    change.account.totals.used += credits;
    change.book(name, 1, signed(*credits), moment);
    remove_long_expired(change, moment);
    change.remove_metered_of_other_months(moment);
    Ok(())
}

/// Draws the price from the active grants in draw order. First adds the month's metered grant if the other
/// grants don't cover the price.
fn draw(change: &mut Change, price: Credits, moment: Timestamp) -> Result<(), InsufficientCredits> {
    let account = &mut change.account;
    let balance = account.balance(None, moment);
    if balance < price {
        return Err(InsufficientCredits { balance, price });
    }
    let live: Credits = account.live_grants(moment).map(|(_, grant)| grant.left).sum();
    if live < price
        && let Some((id, grant)) = account.pending_metered_grant(moment)
    {
        account.totals.granted += grant.granted;
        account.grants.insert(id, grant);
    }
    let mut order: Vec<_> =
        account.live_grants(moment).map(|(id, grant)| (grant.draw_order(), id.clone())).collect();
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
        change.record_end(&id, &grant, GrantEnd::UsedUp, moment);
    }
    Ok(())
}

/// Returns the number of seconds until a minute starts, rounded up, and at least 1. Minutes are numbered from
/// the Unix epoch.
pub fn seconds_until(minute: i64, now: Timestamp) -> i64 {
    let start = Timestamp::at_minute(minute);
    (start.unix_millis() - now.unix_millis() + 999).div_euclid(1_000).max(1)
}

//! The admission decision: what a call or a purchase costs, and whether it may be made. Pure functions of an
//! account, a price and a moment.

use thiserror::Error;

use super::bookkeeping::{long_expired, metered_of_other_months, signed, usage_change};
use super::history::{empties, of_draws, of_removed};
use super::settle::Refused;
use crate::dynamo::{AccountChange, TotalsChange, WindowChange};
use crate::types::{
    Account, BillingName, Credits, Draw, Grant, GrantId, GrantKind, Holder, KeyId, LimitedCaller,
    MAX_LIVE_KEYS, RateWindow, Timestamp,
};

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
    #[error("the limit of {limit} calls a minute is reached")]
    RateLimited {
        /// The calls that are allowed.
        limit: u32,
        /// Seconds until the next minute, at least 1.
        retry_after: i64,
        of: RateLimitOf,
    },
    /// Too few credits.
    #[error("{price} credits are needed and {balance} are left")]
    QuotaExceeded {
        /// The credits there are.
        balance: Credits,
        /// The credits that the call costs.
        price: Credits,
    },
}

/// A price that the balance does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{price} credits are needed and {balance} are left")]
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

impl From<InsufficientCredits> for Refusal {
    fn from(error: InsufficientCredits) -> Self {
        let InsufficientCredits { balance, price } = error;
        Self::QuotaExceeded { balance, price }
    }
}

impl From<PurchaseRefusal> for Refusal {
    fn from(refusal: PurchaseRefusal) -> Self {
        match refusal {
            PurchaseRefusal::Suspended => Self::Suspended,
            PurchaseRefusal::InsufficientCredits(too_few) => too_few.into(),
        }
    }
}

/// Decides on a call: the change that charges and counts it, or why it is refused.
///
/// # Errors
///
/// The refusal: for a suspension first, then for its rate, then for its price. An organization's call that is
/// refused for its price counts against its minute all the same, unless credits have come since: a flood of
/// such calls ends in refusals that cost nothing.
pub fn decide(account: &Account, call: &Call, now: Timestamp) -> Result<AccountChange, Refused<Refusal>> {
    if account.suspended_at.is_some() && !call.is_for_suspended {
        return Err(Refusal::Suspended.into());
    }
    let rate_moment = account.window.moment(now);
    let limit = account.holder.tier().calls_per_minute();
    let window = count(account.window, limit, rate_moment, now, RateLimitOf::Account)?;
    let counted = AccountChange {
        holder: Some(account.holder),
        unsuspended_seen: !call.is_for_suspended && account.is_organizations(),
        window: Some(window),
        ..AccountChange::default()
    };
    let counted = match &call.caller_limit {
        Some((caller, limit)) => AccountChange {
            caller_window: Some((caller.clone(), count_caller(account, caller, *limit, rate_moment, now)?)),
            removed_key_windows: idle_key_windows(account, caller, rate_moment),
            ..counted
        },
        None => counted,
    };
    charged(account, &call.charge, account.moment(now), counted.clone()).map_err(|too_few| Refused {
        reason: too_few.into(),
        change: match account.holder {
            Holder::Organization(_) => Some(Box::new(AccountChange {
                granted_seen: Some(account.totals.granted),
                used_seen: Some(account.totals.used),
                ..counted
            })),
            Holder::Session { .. } => None,
        },
    })
}

/// Decides on a purchase, which counts towards no rate: the change that charges it.
///
/// # Errors
///
/// When the organization is suspended, or its balance does not cover the price.
pub fn decide_purchase(
    account: &Account,
    charge: &Charge,
    now: Timestamp,
) -> Result<AccountChange, PurchaseRefusal> {
    if account.suspended_at.is_some() {
        return Err(PurchaseRefusal::Suspended);
    }
    let change = AccountChange { unsuspended_seen: true, ..AccountChange::default() };
    Ok(charged(account, charge, account.moment(now), change)?)
}

/// Adds a charge to a change.
fn charged(
    account: &Account,
    charge: &Charge,
    moment: Timestamp,
    change: AccountChange,
) -> Result<AccountChange, InsufficientCredits> {
    let Drawn { draws, added_grants } = draw(account, charge.credits, moment)?;
    let usage = usage_change(account, &charge.name, 1, signed(charge.credits), moment);
    let mut removed_grants = long_expired(account, moment);
    removed_grants.extend(metered_of_other_months(account, moment));
    let last_draw_empties = draws.last().is_some_and(|draw| empties(account, draw));
    let mut history = of_draws(account, &draws, moment);
    history.extend(of_removed(account, &removed_grants));
    let is_metered = !added_grants.is_empty() || draws.iter().any(|draw| draw.kind == GrantKind::Metered);
    Ok(AccountChange {
        holder: Some(account.holder),
        totals: TotalsChange {
            granted: signed(added_grants.iter().map(|(_, grant)| grant.granted).sum()),
            used: signed(charge.credits),
            expired: signed(removed_grants.iter().map(|(_, left)| left).sum()),
        },
        granted_seen: is_metered.then_some(account.totals.granted),
        used_seen: is_metered.then_some(account.totals.used),
        added_grants,
        draws,
        last_draw_empties,
        removed_grants,
        usage,
        history,
        ..change
    })
}

/// What a price is drawn from: grants of the account, and the month's metered one when the charge adds it.
struct Drawn {
    draws: Vec<Draw>,
    added_grants: Vec<(GrantId, Grant)>,
}

fn draw(account: &Account, price: Credits, moment: Timestamp) -> Result<Drawn, InsufficientCredits> {
    let mut live: Vec<_> = account.live_grants(moment).collect();
    live.sort_by_key(|(id, grant)| (grant.burn_order(), *id));
    let mut owed = price;
    let mut draws = Vec::new();
    for (id, grant) in live {
        let part = grant.left.min(owed);
        if part > 0 {
            draws.push(grant.draw(id, part));
            owed -= part;
        }
    }
    if owed == 0 {
        return Ok(Drawn { draws, added_grants: Vec::new() });
    }
    let coming = account.coming_metered(moment).filter(|(_, grant)| grant.left >= owed);
    let too_few = || InsufficientCredits { balance: account.balance(None, moment), price };
    let (id, mut grant) = coming.ok_or_else(too_few)?;
    grant.left -= owed;
    Ok(Drawn { draws, added_grants: vec![(id, grant)] })
}

fn count(
    window: RateWindow,
    limit: u32,
    moment: Timestamp,
    now: Timestamp,
    of: RateLimitOf,
) -> Result<WindowChange, Refusal> {
    let minute = moment.minute();
    if window.minute != minute {
        return Ok(WindowChange::Open { before: Some(window.minute), minute });
    }
    if window.calls >= limit {
        let retry_after = seconds_until(minute + 1, now);
        return Err(Refusal::RateLimited { limit, retry_after, of });
    }
    Ok(WindowChange::Count { minute, limit })
}

/// Returns the seconds until a minute begins, at least 1.
pub(super) fn seconds_until(minute: i64, now: Timestamp) -> i64 {
    let start = Timestamp::at_minute(minute);
    (start.unix_millis() - now.unix_millis() + 999).div_euclid(1_000).max(1)
}

fn count_caller(
    account: &Account,
    caller: &LimitedCaller,
    limit: u32,
    moment: Timestamp,
    now: Timestamp,
) -> Result<WindowChange, Refusal> {
    let of = match caller {
        LimitedCaller::Key(_) => RateLimitOf::Key,
        LimitedCaller::People => RateLimitOf::People,
    };
    match account.window_of(caller) {
        // A wrong clock, once given up, may have left the organization's window behind the caller's.
        Some(window) => count(window, limit, moment.max(window.moment(now)), now, of),
        None => Ok(WindowChange::Open { before: None, minute: moment.minute() }),
    }
}

/// Returns the windows that make room for the one of a key that calls.
fn idle_key_windows(account: &Account, caller: &LimitedCaller, moment: Timestamp) -> Vec<(KeyId, i64)> {
    let LimitedCaller::Key(calling) = caller else { return Vec::new() };
    if account.key_windows.len() < MAX_LIVE_KEYS {
        return Vec::new();
    }
    let old =
        account.key_windows.iter().filter(|(id, window)| *id != calling && window.minute < moment.minute());
    old.map(|(id, window)| (id.clone(), window.minute)).collect()
}

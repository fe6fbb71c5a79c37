//! What a call costs and whether it may be made: pure functions of an account, a charge and a moment.

use ring::digest::{SHA256, digest};

use crate::types::{
    Account, AccountChange, BillingName, Credits, Draw, Grant, GrantId, GrantKind, Hit, KeyId, MAX_LIVE_GRANTS, Mark,
    RequestId, SlotMark, Timestamp, TotalsChange, UsageChange, Window,
};

/// The slots of the ring of recent charges.
const RING_SLOTS: u8 = 64;

/// How long a grant stays in the item after its expiry, in days, so that late refunds find it.
const DAYS_AFTER_EXPIRY: i64 = 1;

/// The most windows of keys in the item before old ones are forgotten: an organization's live keys.
const MAX_KEY_WINDOWS: usize = 10;

/// The identity of one step of an account: it happens at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepId([u8; 6]);

impl StepId {
    /// Names the charge of a call.
    pub fn charge(request: RequestId) -> Self {
        Self::of(&[b"charge", request.as_bytes()])
    }

    /// Names the refund of a call, which has a slot of its own.
    pub fn refund(request: RequestId) -> Self {
        Self::of(&[b"refund", request.as_bytes()])
    }

    /// Names what another event does to an account.
    pub fn event(id: &str) -> Self {
        Self::of(&[b"event", id.as_bytes()])
    }

    fn of(parts: &[&[u8]]) -> Self {
        let mut bytes = [0; 6];
        bytes.copy_from_slice(&digest(&SHA256, &parts.concat()).as_ref()[..6]);
        Self(bytes)
    }

    /// Returns the step's slot in the ring.
    pub(super) fn slot(self) -> u8 {
        self.0[0] % RING_SLOTS
    }

    /// Returns the number of the try that left a mark; `None` when the mark is another step's.
    pub(super) fn tried(self, mark: &SlotMark) -> Option<u8> {
        (mark[..6] == self.0).then_some(mark[6])
    }

    fn mark(self, account: &Account, attempt: u8) -> Mark {
        let mut after = [attempt; 7];
        after[..6].copy_from_slice(&self.0);
        Mark { slot: self.slot(), before: account.ring.get(&self.slot()).copied(), after }
    }
}

/// What is to be charged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What it is billed as.
    pub name: BillingName,
    /// Its price.
    pub credits: Credits,
    /// Whether it counts towards the organization's rate limit.
    pub counts_as_call: bool,
    /// The key's own limit per clock minute, for products that have one.
    pub key_limit: Option<(KeyId, u32)>,
}

/// Why a call is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too many calls in this clock minute.
    RateLimited {
        /// The calls that are allowed.
        limit: u32,
        /// Seconds until the next minute, at least 1.
        retry_after: i64,
        /// Whether the limit is the key's own and not the organization's.
        of_key: bool,
    },
    /// Too few credits.
    QuotaExceeded {
        /// The credits there are.
        balance: Credits,
        /// The credits that the call costs.
        price: Credits,
    },
}

/// Decides on a charge: the change that makes it, or why it is refused.
///
/// # Errors
///
/// The refusal.
pub fn decide(
    account: &Account,
    charge: &Charge,
    step: StepId,
    attempt: u8,
    now: Timestamp,
) -> Result<AccountChange, Refusal> {
    let moment = account.moment(now);
    let hit = match charge.counts_as_call {
        true => Some(count(account.window, account.tier.calls_per_minute(), moment, now, false)?),
        false => None,
    };
    let key_hit = match &charge.key_limit {
        Some((id, limit)) => Some((id.clone(), count_key(account, id, *limit, moment, now)?)),
        None => None,
    };
    let drawn = draw(account, charge.credits, moment)?;
    let leaving = expired_long_ago(account, moment);
    let expired: Credits = leaving.iter().map(|(_, left)| left).sum();
    Ok(AccountChange {
        mark: step.mark(account, attempt),
        tier: Some(account.tier),
        hit,
        forgotten_keys: key_hit.as_ref().map(|(id, _)| forgotten_keys(account, id, moment)).unwrap_or_default(),
        key_hit,
        totals: TotalsChange {
            granted: signed(drawn.joining.iter().map(|(_, grant)| grant.granted).sum()),
            used: signed(charge.credits),
            expired: signed(expired),
        },
        joining: drawn.joining,
        draws: drawn.from_account,
        returns: Vec::new(),
        leaving,
        usage: usage(account, &charge.name, 1, signed(charge.credits), moment),
    })
}

/// Returns the change that gives drawn credits back.
///
/// Grants that have left the account since join it again, unless they have expired: then the credits expire too.
pub fn refund(
    account: &Account,
    draws: &[Draw],
    name: &BillingName,
    step: StepId,
    attempt: u8,
    now: Timestamp,
) -> AccountChange {
    let moment = account.moment(now);
    let (returns, gone): (Vec<Draw>, Vec<Draw>) = draws
        .iter()
        .filter(|draw| draw.credits > 0)
        .cloned()
        .partition(|draw| account.grants.contains_key(&draw.grant));
    let (expired, rejoining): (Vec<Draw>, Vec<Draw>) = gone
        .into_iter()
        .partition(|draw| draw.expires_at.is_some_and(|expiry| Timestamp::from_unix_seconds(expiry) <= moment));
    let total: Credits = draws.iter().map(|draw| draw.credits).sum();
    AccountChange {
        mark: step.mark(account, attempt),
        joining: rejoining.into_iter().map(rejoin).collect(),
        returns,
        totals: TotalsChange {
            granted: 0,
            used: -signed(total),
            expired: signed(expired.iter().map(|draw| draw.credits).sum()),
        },
        usage: usage(account, name, 0, -signed(total), moment),
        ..AccountChange::default()
    }
}

/// Returns the change that adds a grant, in the place of empty ones when there is no room.
///
/// # Errors
///
/// When there is no room: the number of live grants.
pub fn grant(
    account: &Account,
    id: GrantId,
    new: Grant,
    step: StepId,
    attempt: u8,
    now: Timestamp,
) -> Result<AccountChange, usize> {
    let moment = account.moment(now);
    let live = account.grants.values().filter(|grant| grant.is_live(moment)).count();
    if live >= MAX_LIVE_GRANTS {
        return Err(live);
    }
    let mut leaving = expired_long_ago(account, moment);
    if account.grants.len() - leaving.len() >= MAX_LIVE_GRANTS {
        leaving.extend(emptied(account, moment));
    }
    let expired: Credits = leaving.iter().map(|(_, left)| left).sum();
    Ok(AccountChange {
        mark: step.mark(account, attempt),
        totals: TotalsChange { granted: signed(new.granted), used: 0, expired: signed(expired) },
        joining: vec![(id, new)],
        leaving,
        ..AccountChange::default()
    })
}

/// Returns the change that only takes a step's slot, so that no earlier try of the step can land any more.
pub(super) fn void(account: &Account, step: StepId, attempt: u8) -> AccountChange {
    AccountChange { mark: step.mark(account, attempt), ..AccountChange::default() }
}

/// Takes `kept` credits out of draws: what remains is refunded.
pub fn less(mut draws: Vec<Draw>, mut kept: Credits) -> Vec<Draw> {
    for draw in &mut draws {
        let part = draw.credits.min(kept);
        draw.credits -= part;
        kept -= part;
    }
    draws
}

struct Drawn {
    from_account: Vec<Draw>,
    joining: Vec<(GrantId, Grant)>,
}

/// Returns the split of a charge: what each grant gave, the joining one too.
pub fn split(charge: &AccountChange) -> Vec<Draw> {
    let joined = charge.joining.iter().filter(|(_, grant)| grant.left < grant.granted);
    let from_joined = joined.map(|(id, grant)| draw_on(id, grant, grant.granted - grant.left));
    charge.draws.iter().cloned().chain(from_joined).collect()
}

fn draw(account: &Account, price: Credits, moment: Timestamp) -> Result<Drawn, Refusal> {
    let mut live: Vec<_> = account.grants.iter().filter(|(_, grant)| grant.is_live(moment)).collect();
    live.sort_by_key(|(id, grant)| (grant.burn_order(), *id));
    let mut owed = price;
    let mut from_account = Vec::new();
    for (id, grant) in live {
        let part = grant.left.min(owed);
        if part > 0 {
            from_account.push(draw_on(id, grant, part));
            owed -= part;
        }
    }
    let mut joining = Vec::new();
    if owed > 0 {
        let coming = account.coming_metered(moment).filter(|(_, grant)| grant.left >= owed);
        let (id, mut grant) = coming.ok_or(Refusal::QuotaExceeded { balance: account.balance(None, moment), price })?;
        grant.left -= owed;
        joining.push((id, grant));
    }
    Ok(Drawn { from_account, joining })
}

fn draw_on(id: &GrantId, grant: &Grant, credits: Credits) -> Draw {
    Draw { grant: id.clone(), kind: grant.kind, expires_at: grant.expires_at.map(Timestamp::unix_seconds), credits }
}

fn rejoin(draw: Draw) -> (GrantId, Grant) {
    let expires_at = draw.expires_at.map(Timestamp::from_unix_seconds);
    (draw.grant, Grant { kind: draw.kind, granted: draw.credits, left: draw.credits, expires_at })
}

fn count(window: Window, limit: u32, moment: Timestamp, now: Timestamp, of_key: bool) -> Result<Hit, Refusal> {
    let minute = moment.minute();
    if window.minute != minute {
        return Ok(Hit::Opens { before: Some(window.minute), minute });
    }
    if window.hits >= limit {
        let next = Timestamp::at_minute(minute + 1);
        let retry_after = (next.unix_millis() - now.unix_millis() + 999).div_euclid(1_000).max(1);
        return Err(Refusal::RateLimited { limit, retry_after, of_key });
    }
    Ok(Hit::Counts { minute, limit })
}

fn count_key(account: &Account, id: &KeyId, limit: u32, moment: Timestamp, now: Timestamp) -> Result<Hit, Refusal> {
    match account.key_windows.get(id) {
        Some(window) => count(*window, limit, moment, now, true),
        None => Ok(Hit::Opens { before: None, minute: moment.minute() }),
    }
}

fn forgotten_keys(account: &Account, calling: &KeyId, moment: Timestamp) -> Vec<(KeyId, i64)> {
    if account.key_windows.len() < MAX_KEY_WINDOWS {
        return Vec::new();
    }
    let old = account.key_windows.iter().filter(|(id, window)| *id != calling && window.minute < moment.minute());
    old.map(|(id, window)| (id.clone(), window.minute)).collect()
}

fn expired_long_ago(account: &Account, moment: Timestamp) -> Vec<(GrantId, Credits)> {
    let long_ago = moment.plus_days(-DAYS_AFTER_EXPIRY);
    let gone = account.grants.iter().filter(|(_, grant)| grant.is_expired(long_ago));
    gone.map(|(id, grant)| (id.clone(), grant.left)).collect()
}

fn emptied(account: &Account, moment: Timestamp) -> Option<(GrantId, Credits)> {
    let mut empty = account.grants.iter().filter(|(_, grant)| !grant.is_live(moment));
    let still_here = |grant: &Grant| !grant.is_expired(moment.plus_days(-DAYS_AFTER_EXPIRY));
    // This month's metered grant stays, spent or not: without it the month's cap would be granted again.
    let may_leave = |grant: &Grant| grant.kind != GrantKind::Metered || grant.is_expired(moment);
    empty.find(|(_, grant)| still_here(grant) && may_leave(grant)).map(|(id, grant)| (id.clone(), grant.left))
}

fn usage(account: &Account, name: &BillingName, calls: i64, credits: i64, moment: Timestamp) -> Option<UsageChange> {
    if account.ends_at.is_some() {
        return None;
    }
    let day = moment.day();
    let rollover = (account.today.day < day).then(|| account.today.clone());
    Some(UsageChange { day, name: name.clone(), calls, credits, rollover })
}

fn signed(credits: Credits) -> i64 {
    i64::try_from(credits).unwrap_or(i64::MAX)
}

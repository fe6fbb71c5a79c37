//! Accounts: the credits, rate limits, and usage of organizations and anonymous sessions.

use std::collections::BTreeMap;
use std::str::FromStr;

use derive_more::Display;

use super::hex_digits::InvalidHexDigits;
use super::{
    AccessTier, Bill, Credits, DayUsage, Deductions, Grant, GrantId, GrantKind, KeyId, Month, OrgId, Plan,
    SessionId, Timestamp, Usage, sum_of_usage,
};

/// The maximum number of active API keys per organization.
pub const MAX_LIVE_KEYS: usize = 10;

/// The maximum difference between the database's clock and the clock of a process that makes charges, in
/// seconds.
pub const MAX_CLOCK_ERROR_SECONDS: i64 = 300;

/// The key that an account is stored under.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AccountKey {
    Org(OrgId),
    Session(SessionId),
}

impl AccountKey {
    pub fn org(&self) -> Option<&OrgId> {
        match self {
            Self::Org(org) => Some(org),
            Self::Session(_) => None,
        }
    }
}

/// The holder of an account: an organization or an anonymous session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// An organization with its plan. Its usage is recorded.
    Organization(Plan),
    /// An anonymous session. The database deletes the account after the session ends.
    Session {
        /// When the session ends, which is when its initial grant expires.
        ends_at: Timestamp,
    },
}

impl Holder {
    /// Returns the tier that applies to the holder's calls.
    pub fn tier(self) -> AccessTier {
        match self {
            Self::Organization(plan) => AccessTier::Organization(plan.tier()),
            Self::Session { .. } => AccessTier::Anonymous,
        }
    }

    /// Returns the maximum number of metered credits per month, or `None` if the holder has no metered
    /// credits.
    pub fn monthly_cap(self) -> Option<Credits> {
        match self {
            Self::Organization(plan) => plan.monthly_cap(),
            Self::Session { .. } => None,
        }
    }
}

/// An account's lifetime totals. They always satisfy granted = left + used + expired, where left is
/// [`Account::left`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All credits ever granted.
    pub granted: Credits,
    /// All credits ever used, less refunds.
    pub used: Credits,
    /// All credits that expired unused.
    pub expired: Credits,
}

/// The number of calls in one clock minute, used to enforce rate limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateWindow {
    /// The clock minute, in whole minutes since the Unix epoch.
    pub minute: i64,
    /// The number of calls admitted in the minute.
    pub calls: u32,
}

impl RateWindow {
    /// Returns the time to use for counting calls: the later of `now` and the start of the window's minute.
    /// The window can start after `now` if another process's clock is ahead.
    pub fn moment(self, now: Timestamp) -> Timestamp {
        now.max(Timestamp::at_minute(self.minute))
    }

    /// Returns the number of calls admitted in `minute`, which is 0 if the window is for another minute.
    pub fn calls_in(self, minute: i64) -> u32 {
        if self.minute == minute { self.calls } else { 0 }
    }
}

/// A caller with a rate limit of its own, in addition to the organization's limit. Stored in its `Display`
/// form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Display)]
pub enum LimitedCaller {
    /// A single API key.
    #[display("{_0}")]
    Key(KeyId),
    /// All people in the organization, who share one limit.
    #[display("people")]
    People,
}

impl FromStr for LimitedCaller {
    type Err = InvalidHexDigits<8>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "people" { Ok(Self::People) } else { text.parse().map(Self::Key) }
    }
}

/// The credits, rate limits, and usage of an organization or a session. Admission decisions need no other
/// stored data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub holder: Holder,
    /// The active grants, and ended grants that haven't been removed yet.
    pub grants: BTreeMap<GrantId, Grant>,
    /// Lifetime totals.
    pub totals: Totals,
    /// The call count for the latest minute with a counted call.
    pub window: RateWindow,
    /// The call counts in the same minute as `window`, for products that limit each caller.
    pub callers: BTreeMap<LimitedCaller, u32>,
    /// The usage on the latest day with a charge or refund. Before the first charge, this is the day when the
    /// account was created. It never changes for sessions, because their usage isn't recorded.
    pub today: DayUsage,
    /// The deductions from the bill for the month of `today`.
    pub deductions: Deductions,
    /// When the organization was suspended, or `None` if it isn't suspended.
    pub suspended_at: Option<Timestamp>,
}

impl Account {
    /// Creates an account without credits.
    pub fn new(holder: Holder, now: Timestamp) -> Self {
        Self {
            holder,
            grants: BTreeMap::new(),
            totals: Totals::default(),
            window: RateWindow::default(),
            callers: BTreeMap::new(),
            today: DayUsage { day: now.day(), usage: Usage::new() },
            deductions: Deductions::default(),
            suspended_at: None,
        }
    }

    /// Returns whether the holder is an organization.
    pub fn belongs_to_organization(&self) -> bool {
        matches!(self.holder, Holder::Organization(_))
    }

    /// Returns the time to use for credits and usage: the later of `now` and the start of the account's
    /// latest day. The latest day can start after `now` if another process's clock is ahead.
    ///
    /// This prevents days and months from moving back. A clock is never far ahead, because each process
    /// checks its clock before it makes a charge.
    pub fn moment(&self, now: Timestamp) -> Timestamp {
        now.max(self.today.day.start())
    }

    /// Returns the credits of one kind that can be drawn at `now`, or of all kinds if `kind` is `None`.
    ///
    /// If no charge has added this month's metered grant yet, the balance includes the whole monthly cap.
    pub fn balance(&self, kind: Option<GrantKind>, now: Timestamp) -> Credits {
        let coming = self.pending_metered_grant(now);
        let live = self.live_grants(now).map(|(_, grant)| grant).chain(coming.iter().map(|(_, grant)| grant));
        let counted = live.filter(|grant| kind.is_none_or(|kind| kind == grant.kind));
        counted.map(|grant| grant.left).fold(0, Credits::saturating_add)
    }

    /// Iterates over the grants that can be drawn on at `now`. Excludes metered grants from other months.
    pub fn live_grants(&self, now: Timestamp) -> impl Iterator<Item = (&GrantId, &Grant)> {
        let this_month = GrantId::metered(now.day().month());
        self.grants.iter().filter(move |(id, grant)| {
            grant.is_live(now) && (grant.kind != GrantKind::Metered || **id == this_month)
        })
    }

    /// Returns this month's metered grant if no charge has added it yet. A charge adds it when the other
    /// grants don't cover the price. Returns `None` if the account already has this grant, has no metered
    /// credits, or has a monthly cap of 0.
    pub fn pending_metered_grant(&self, now: Timestamp) -> Option<(GrantId, Grant)> {
        let monthly_cap = self.holder.monthly_cap()?;
        let id = GrantId::metered(now.day().month());
        if monthly_cap == 0 || self.grants.contains_key(&id) {
            return None;
        }
        let expires_at = Some(now.next_month());
        Some((id, Grant { kind: GrantKind::Metered, granted: monthly_cap, left: monthly_cap, expires_at }))
    }

    /// Returns all credits left in the account, including expired grants. This is `left` in the equation in
    /// [`Totals`].
    pub fn left(&self) -> Credits {
        self.grants.values().map(|grant| grant.left).fold(0, Credits::saturating_add)
    }

    /// Returns the metered credits used in a month, less refunds. Returns 0 if the account doesn't contain
    /// the month's grant.
    pub fn metered_used(&self, month: Month) -> Credits {
        self.grants.get(&GrantId::metered(month)).map_or(0, Grant::used)
    }

    /// Returns the bill so far for the month of `today`. `past` is the usage on the earlier days of that
    /// month.
    pub fn bill<'a>(&'a self, past: impl IntoIterator<Item = &'a Usage>) -> Bill {
        let month = self.today.day.month();
        let usage = sum_of_usage(past.into_iter().chain([&self.today.usage]));
        Bill::new(month, usage, self.metered_used(month), self.deductions)
    }
}

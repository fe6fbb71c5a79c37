//! What is known of an organization's or a session's credits and calls.

use std::collections::BTreeMap;
use std::str::FromStr;

use derive_more::Display;

use super::hex_digits::InvalidHexDigits;
use super::{
    AccessTier, Bill, Credits, DayUsage, Deductions, Grant, GrantId, GrantKind, KeyId, Month, OrgId, Plan,
    SessionId, Timestamp, Usage, sum_of_usage,
};

/// The most live API keys of one organization.
pub const MAX_LIVE_KEYS: usize = 10;

/// How far the clock of a process that charges may be from the database's, in seconds.
pub const MAX_CLOCK_ERROR_SECONDS: i64 = 300;

/// Whose account it is: the name under which it is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AccountKey {
    /// An organization's.
    Org(OrgId),
    /// An anonymous session's.
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

/// Who has an account, and what only they have in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// An organization, with a history of usage.
    Organization(Plan),
    /// An anonymous session; the account goes with it.
    Session {
        /// When the session ends.
        ends_at: Timestamp,
    },
}

impl Holder {
    /// Returns the tier of the holder's calls.
    pub fn tier(self) -> AccessTier {
        match self {
            Self::Organization(plan) => AccessTier::Organization(plan.tier()),
            Self::Session { .. } => AccessTier::Anonymous,
        }
    }

    /// Returns the most credits that are metered in a month; `None` where none are.
    pub fn monthly_cap(self) -> Option<Credits> {
        match self {
            Self::Organization(plan) => plan.monthly_cap(),
            Self::Session { .. } => None,
        }
    }
}

/// Lifetime totals: granted = left + used + expired, always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All credits ever granted.
    pub granted: Credits,
    /// All credits ever used, less refunds.
    pub used: Credits,
    /// All credits that expired unused.
    pub expired: Credits,
}

/// Calls counted in one clock minute, against a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateWindow {
    /// The number of the minute since the Unix epoch.
    pub minute: i64,
    /// The calls admitted in it.
    pub calls: u32,
}

impl RateWindow {
    /// Returns the moment by which calls are counted: ours, or a later minute that another clock left here.
    pub fn moment(self, now: Timestamp) -> Timestamp {
        now.max(Timestamp::at_minute(self.minute))
    }

    /// Returns the calls admitted in `minute`: none when the window is another's.
    pub fn calls_in(self, minute: i64) -> u32 {
        if self.minute == minute { self.calls } else { 0 }
    }
}

/// Whose calls a product limits besides the organization's. Its text form is how it is stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Display)]
pub enum LimitedCaller {
    /// One API key's.
    #[display("{_0}")]
    Key(KeyId),
    /// Those of all people of the organization together.
    #[display("people")]
    People,
}

impl FromStr for LimitedCaller {
    type Err = InvalidHexDigits<8>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "people" { Ok(Self::People) } else { text.parse().map(Self::Key) }
    }
}

/// All that an admission decides by: credits, calls and usage of an organization or a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub holder: Holder,
    /// The grants that have not been removed yet: live ones, and others for a while.
    pub grants: BTreeMap<GrantId, Grant>,
    /// Lifetime totals.
    pub totals: Totals,
    /// The calls of the current minute.
    pub window: RateWindow,
    /// The calls of each caller in the minute of `window`, for products that limit each.
    pub callers: BTreeMap<LimitedCaller, u32>,
    /// The latest day with a charge, and its usage; a session has no usage.
    pub today: DayUsage,
    /// What lowers the bill of that day's month.
    pub deductions: Deductions,
    /// When the organization was suspended; `None` while it may call.
    pub suspended_at: Option<Timestamp>,
}

impl Account {
    /// Returns a new account, without credits.
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

    /// Tells whether it is an organization's and no session's.
    pub fn is_organizations(&self) -> bool {
        matches!(self.holder, Holder::Organization(_))
    }

    /// Returns the moment by which the account's credits and usage are judged: ours, or the start of a later
    /// day that another clock left in it.
    ///
    /// Days and months therefore never move back for a clock that is a little behind. No clock is far ahead:
    /// what charges checks its own first.
    pub fn moment(&self, now: Timestamp) -> Timestamp {
        now.max(self.today.day.start())
    }

    /// Returns the credits that can be drawn at `now`, of one kind or of all.
    ///
    /// A pay-as-you-go organization that has not called this month yet has its whole cap.
    pub fn balance(&self, kind: Option<GrantKind>, now: Timestamp) -> Credits {
        let coming = self.coming_metered(now);
        let live = self.live_grants(now).map(|(_, grant)| grant).chain(coming.iter().map(|(_, grant)| grant));
        let counted = live.filter(|grant| kind.is_none_or(|kind| kind == grant.kind));
        counted.map(|grant| grant.left).fold(0, Credits::saturating_add)
    }

    /// Iterates over the grants that can be drawn on at `now`: of metered ones, this month's alone.
    pub fn live_grants(&self, now: Timestamp) -> impl Iterator<Item = (&GrantId, &Grant)> {
        let this_month = GrantId::metered(now.day().month());
        self.grants.iter().filter(move |(id, grant)| {
            grant.is_live(now) && (grant.kind != GrantKind::Metered || **id == this_month)
        })
    }

    /// Returns the metered grant that this month's first charge will add, when it has not been added yet.
    pub fn coming_metered(&self, now: Timestamp) -> Option<(GrantId, Grant)> {
        let monthly_cap = self.holder.monthly_cap()?;
        let id = GrantId::metered(now.day().month());
        if monthly_cap == 0 || self.grants.contains_key(&id) {
            return None;
        }
        let expires_at = Some(now.next_month());
        Some((id, Grant { kind: GrantKind::Metered, granted: monthly_cap, left: monthly_cap, expires_at }))
    }

    /// Returns all credits left in the account, live or not: the `left` of the totals' equation.
    pub fn left(&self) -> Credits {
        self.grants.values().map(|grant| grant.left).fold(0, Credits::saturating_add)
    }

    /// Returns the metered credits of a month that the account still knows, less refunds.
    pub fn metered_used(&self, month: Month) -> Credits {
        self.grants.get(&GrantId::metered(month)).map_or(0, Grant::used)
    }

    /// Returns the bill, as it stands, of the month of the account's latest day, from the usage of the days
    /// before that one.
    pub fn bill<'a>(&'a self, past: impl IntoIterator<Item = &'a Usage>) -> Bill {
        let month = self.today.day.month();
        let usage = sum_of_usage(past.into_iter().chain([&self.today.usage]));
        Bill::new(month, usage, self.metered_used(month), self.deductions)
    }
}

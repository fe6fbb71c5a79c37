use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{BillingName, Day, KeyId, OrgId, SessionId, Timestamp};

/// A number of credits.
pub type Credits = u64;

/// The most grants that may be live at a time; it bounds the size of the account item.
pub const MAX_LIVE_GRANTS: usize = 8;

/// Whose account it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AccountKey {
    /// An organization's, with a history of usage.
    Org(OrgId),
    /// An anonymous session's, gone with the session.
    Session(SessionId),
}

impl AccountKey {
    /// Returns the organization, for an organization's account.
    pub fn org(&self) -> Option<&OrgId> {
        match self {
            Self::Org(org) => Some(org),
            Self::Session(_) => None,
        }
    }
}

/// An access tier (Specification, Access tiers), with its rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Unauthenticated callers.
    Anonymous,
    /// Granted on signup.
    Sandbox,
    /// Metered by the credit, up to a monthly cap.
    PayAsYouGo,
    /// Strategic partners, on custom grants.
    Enterprise,
}

impl Tier {
    /// Returns the calls admitted in one clock minute (Specification, Limits).
    pub fn calls_per_minute(self) -> u32 {
        match self {
            Self::Anonymous => 5,
            Self::Sandbox => 10,
            Self::PayAsYouGo => 100,
            Self::Enterprise => 1_000,
        }
    }

    /// Returns the tier's name as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Sandbox => "sandbox",
            Self::PayAsYouGo => "pay_as_you_go",
            Self::Enterprise => "enterprise",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Tier {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Anonymous, Self::Sandbox, Self::PayAsYouGo, Self::Enterprise]
            .into_iter()
            .find(|tier| tier.as_str() == text)
            .ok_or_else(|| "must be sandbox, pay_as_you_go or enterprise".to_owned())
    }
}

/// Where a grant's credits come from, in the order in which they are burned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantKind {
    /// Given away.
    Promotional,
    /// Part of a tier or a contract.
    Allocated,
    /// Bought in advance.
    Purchased,
    /// Pay-as-you-go: the month's cap.
    Metered,
}

impl GrantKind {
    /// Every kind, in the order of burning.
    pub const ALL: [Self; 4] = [Self::Promotional, Self::Allocated, Self::Purchased, Self::Metered];

    /// Returns the kind's name as it is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Promotional => "promotional",
            Self::Allocated => "allocated",
            Self::Purchased => "purchased",
            Self::Metered => "metered",
        }
    }
}

impl fmt::Display for GrantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for GrantKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| "must be promotional, allocated or purchased".to_owned())
    }
}

/// A grant's name in its account: a member's name of the item, so short.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GrantId(String);

impl GrantId {
    /// Takes a grant's name as it was stored.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the name of the grant that an operator adds, from random bytes.
    pub fn from_random(bytes: [u8; 4]) -> Self {
        Self(super::ids::hex(&bytes))
    }

    /// Returns the name of the metered grant that covers a moment, one a month.
    pub fn metered(at: Timestamp) -> Self {
        Self(format!("m{}", at.day().month().replace('-', "")))
    }

    /// Returns the name's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Credits that were granted together and expire together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Where the credits come from.
    pub kind: GrantKind,
    /// How many were granted.
    pub granted: Credits,
    /// How many are left.
    pub left: Credits,
    /// When what is left expires; `None` for never.
    pub expires_at: Option<Timestamp>,
}

impl Grant {
    /// Tells whether the grant can be drawn on at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.left > 0 && !self.is_expired(now)
    }

    /// Returns what grants are sorted by to be burned: kind first, then the soonest expiry, never last.
    pub fn burn_order(&self) -> (GrantKind, bool, Option<Timestamp>) {
        (self.kind, self.expires_at.is_none(), self.expires_at)
    }

    /// Tells whether the grant has expired at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|expiry| expiry <= now)
    }
}

/// A part of a charge: credits that one grant gave, and what is needed to give them back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// The grant.
    pub grant: GrantId,
    /// Its kind.
    pub kind: GrantKind,
    /// Its expiry in Unix seconds; `None` for never.
    pub expires_at: Option<i64>,
    /// The credits drawn.
    pub credits: Credits,
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

/// Calls counted in one clock minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The number of the minute since the Unix epoch.
    pub minute: i64,
    /// The calls admitted in it.
    pub hits: u32,
}

impl Window {
    /// Returns the calls admitted in `minute`: none when the window is another's.
    pub fn hits_in(self, minute: i64) -> u32 {
        if self.minute == minute { self.hits } else { 0 }
    }
}

/// One billing name's usage in one day. A refund is booked on the day that it happens, so that credits may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsageLine {
    /// The calls charged, zero-cost ones too.
    pub calls: i64,
    /// The credits charged, less refunds.
    pub credits: i64,
}

/// Usage by billing name.
pub type Usage = BTreeMap<BillingName, UsageLine>;

/// One day's usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayUsage {
    /// The day in UTC.
    pub day: Day,
    /// What was used on it.
    pub usage: Usage,
}

/// Marks in a ring slot who charged last: 6 bytes of the call's digest and the number of the try.
///
/// Six keep the fullest account under two write units, and two calls of one slot apart.
pub type SlotMark = [u8; 7];

/// The ring's 64 slots of recent charges.
pub type Ring = BTreeMap<u8, SlotMark>;

/// All that an admission needs to know of an organization or a session: one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The access tier.
    pub tier: Tier,
    /// The monthly cap of a pay-as-you-go organization, in credits.
    pub monthly_cap: Credits,
    /// The grants that have not left the item.
    pub grants: BTreeMap<GrantId, Grant>,
    /// Lifetime totals.
    pub totals: Totals,
    /// The calls of the current minute.
    pub window: Window,
    /// The inventory searches of the current minute, by key.
    pub key_windows: BTreeMap<KeyId, Window>,
    /// The latest day with a charge, and its usage.
    pub today: DayUsage,
    /// The ring of recent charges.
    pub ring: Ring,
    /// When an anonymous session ends; `None` for organizations.
    pub ends_at: Option<Timestamp>,
}

impl Account {
    /// Returns the moment by which the account must be judged: ours, or a later one that another clock left in it.
    ///
    /// Windows, days and months therefore never move back.
    pub fn moment(&self, now: Timestamp) -> Timestamp {
        now.max(Timestamp::at_minute(self.window.minute)).max(self.today.day.start())
    }

    /// Returns the credits that can be drawn at `now`, of one kind or of all.
    ///
    /// A pay-as-you-go organization that has not called this month yet has its whole cap.
    pub fn balance(&self, kind: Option<GrantKind>, now: Timestamp) -> Credits {
        let counts = |of: GrantKind| kind.is_none_or(|kind| kind == of);
        let live: Credits =
            self.grants.values().filter(|grant| counts(grant.kind) && grant.is_live(now)).map(|grant| grant.left).sum();
        match self.coming_metered(now) {
            Some((_, grant)) if counts(GrantKind::Metered) => live + grant.left,
            _ => live,
        }
    }

    /// Returns the metered grant that this month's first charge will add, when it has not been added yet.
    pub fn coming_metered(&self, now: Timestamp) -> Option<(GrantId, Grant)> {
        let id = GrantId::metered(now);
        if self.tier != Tier::PayAsYouGo || self.monthly_cap == 0 || self.grants.contains_key(&id) {
            return None;
        }
        let grant = Grant {
            kind: GrantKind::Metered,
            granted: self.monthly_cap,
            left: self.monthly_cap,
            expires_at: Some(now.next_month()),
        };
        Some((id, grant))
    }

    /// Returns all credits left in the item, live or not: the `left` of the totals' equation.
    pub fn left(&self) -> Credits {
        self.grants.values().map(|grant| grant.left).sum()
    }
}

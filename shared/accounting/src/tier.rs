//! The table of access tiers, and what an organization has agreed to.

use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

use super::{Credits, PrepaidKind, UnknownName};

/// The access tier of an organization.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<Tier>)]
pub enum Tier {
    /// Granted on signup.
    Sandbox,
    /// Metered by the credit, up to a monthly cap.
    PayAsYouGo,
    /// Strategic partners, on grants of their own.
    Enterprise,
}

/// The tier of any caller: an organization's, or that of callers without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessTier {
    /// Callers without credentials, each in a session.
    Anonymous,
    /// An organization's callers.
    Organization(Tier),
}

/// The credits with which an account opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstGrant {
    /// Where they come from.
    pub kind: PrepaidKind,
    /// How many they are.
    pub credits: Credits,
    /// The days after which they expire.
    pub days: i64,
}

impl FirstGrant {
    /// That of an anonymous session, which ends with it.
    pub const OF_SESSION: Self = Self { kind: PrepaidKind::Promotional, credits: 100, days: 1 };

    /// That of a sandbox organization.
    const OF_SANDBOX: Self = Self { kind: PrepaidKind::Allocated, credits: 2_000, days: 60 };
}

/// The most credits that a monthly cap can be: no sum of them is near the end of 64 bits.
pub const MAX_MONTHLY_CAP: Credits = 1_000_000_000_000;

/// What an organization has agreed to: its tier, with the members that this tier alone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The credits of a signup.
    Sandbox,
    /// Metered credits.
    PayAsYouGo {
        /// The most that are metered in a calendar month in UTC.
        monthly_cap: Credits,
    },
    /// Grants of its own.
    Enterprise,
}

/// One row of the table of tiers.
struct Row {
    calls_per_minute: u32,
    first_grant: Option<FirstGrant>,
}

impl AccessTier {
    /// Returns the tier's row. docs/reference/products.md shows the table, and a test holds it to this one.
    fn row(self) -> Row {
        match self {
            // The calls a minute, and the first grant.
            Self::Anonymous => row(5, Some(FirstGrant::OF_SESSION)),
            Self::Organization(Tier::Sandbox) => row(10, Some(FirstGrant::OF_SANDBOX)),
            Self::Organization(Tier::PayAsYouGo) => row(100, None),
            Self::Organization(Tier::Enterprise) => row(1_000, None),
        }
    }

    /// Returns the name under which the tier is stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Organization(tier) => tier.into(),
        }
    }

    /// Returns the calls admitted in one clock minute.
    pub fn calls_per_minute(self) -> u32 {
        self.row().calls_per_minute
    }

    /// Returns the credits with which an account of the tier opens.
    pub fn first_grant(self) -> Option<FirstGrant> {
        self.row().first_grant
    }
}

fn row(calls_per_minute: u32, first_grant: Option<FirstGrant>) -> Row {
    Row { calls_per_minute, first_grant }
}

impl Plan {
    pub fn tier(self) -> Tier {
        match self {
            Self::Sandbox => Tier::Sandbox,
            Self::PayAsYouGo { .. } => Tier::PayAsYouGo,
            Self::Enterprise => Tier::Enterprise,
        }
    }

    /// Returns the most credits that are metered in a month; `None` where none are.
    pub fn monthly_cap(self) -> Option<Credits> {
        match self {
            Self::PayAsYouGo { monthly_cap } => Some(monthly_cap),
            Self::Sandbox | Self::Enterprise => None,
        }
    }
}

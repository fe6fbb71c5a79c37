//! Access tiers and organization plans.

use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

use super::{Credits, PrepaidKind, UnknownName};

/// An organization's access tier.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<Tier>)]
pub enum Tier {
    /// The tier that organizations start in when they sign up.
    Sandbox,
    /// The tier with metered credits, up to a monthly cap.
    PayAsYouGo,
    /// The tier for strategic partners, whose grants are set individually.
    Enterprise,
}

/// The tier that applies to a caller, who may be anonymous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessTier {
    /// Callers without credentials, who use anonymous sessions.
    Anonymous,
    /// Callers that belong to an organization.
    Organization(Tier),
}

/// The sign-up grant: the credits that a new account starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignUpGrant {
    pub kind: PrepaidKind,
    pub credits: Credits,
    /// The number of days until the credits expire.
    pub days: i64,
}

impl SignUpGrant {
    /// The grant for an anonymous session. The session ends when this grant expires.
    pub const OF_SESSION: Self = Self { kind: PrepaidKind::Promotional, credits: 100, days: 1 };

    /// The grant for a Sandbox organization.
    const OF_SANDBOX: Self = Self { kind: PrepaidKind::Allocated, credits: 2_000, days: 60 };
}

/// The maximum monthly cap, in credits. It's low enough that sums of caps fit in 64 bits.
pub const MAX_MONTHLY_CAP: Credits = 1_000_000_000_000;

/// An organization's plan: a tier and the settings that are specific to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The Sandbox tier, which includes a sign-up grant.
    Sandbox,
    /// The pay-as-you-go tier, with metered credits.
    PayAsYouGo {
        /// The maximum number of metered credits per calendar month in UTC.
        monthly_cap: Credits,
    },
    /// The Enterprise tier, with individual grants.
    Enterprise,
}

/// A row in the tier table.
struct Row {
    calls_per_minute: u32,
    sign_up_grant: Option<SignUpGrant>,
}

impl AccessTier {
    /// Returns the tier's row. A test compares this table with docs/reference/products.md.
    fn row(self) -> Row {
        match self {
            // The columns are the calls per minute and the sign-up grant.
            Self::Anonymous => row(5, Some(SignUpGrant::OF_SESSION)),
            Self::Organization(Tier::Sandbox) => row(10, Some(SignUpGrant::OF_SANDBOX)),
            Self::Organization(Tier::PayAsYouGo) => row(100, None),
            Self::Organization(Tier::Enterprise) => row(1_000, None),
        }
    }

    /// Returns the tier's name in storage and in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Organization(tier) => tier.into(),
        }
    }

    /// Returns the number of calls allowed per clock minute.
    pub fn calls_per_minute(self) -> u32 {
        self.row().calls_per_minute
    }

    /// Returns the grant that new accounts in this tier start with, if any.
    pub fn sign_up_grant(self) -> Option<SignUpGrant> {
        self.row().sign_up_grant
    }
}

fn row(calls_per_minute: u32, sign_up_grant: Option<SignUpGrant>) -> Row {
    Row { calls_per_minute, sign_up_grant }
}

impl Plan {
    pub fn tier(self) -> Tier {
        match self {
            Self::Sandbox => Tier::Sandbox,
            Self::PayAsYouGo { .. } => Tier::PayAsYouGo,
            Self::Enterprise => Tier::Enterprise,
        }
    }

    /// Returns the maximum number of metered credits per month, or `None` if the plan has no metered credits.
    pub fn monthly_cap(self) -> Option<Credits> {
        match self {
            Self::PayAsYouGo { monthly_cap } => Some(monthly_cap),
            Self::Sandbox | Self::Enterprise => None,
        }
    }
}

//! Grants, and the credits drawn from them.

use std::str::FromStr;

use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use super::ids::InvalidId;
use super::{Month, Timestamp, UnknownName};

pub type Credits = u64;

/// Converts credits to a signed number. Values over [`i64::MAX`] become [`i64::MAX`].
pub fn signed(credits: Credits) -> i64 {
    i64::try_from(credits).unwrap_or(i64::MAX)
}

/// The kinds of credits that are granted before they're used, in draw order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter, EnumString)]
#[strum(
    serialize_all = "snake_case",
    parse_err_ty = UnknownName,
    parse_err_fn = UnknownName::among::<PrepaidKind>
)]
pub enum PrepaidKind {
    /// Free credits.
    Promotional,
    /// Credits that are part of a tier or a contract.
    Allocated,
    /// Credits that were paid for in advance.
    Purchased,
}

/// The kinds of grants, in draw order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub enum GrantKind {
    /// Credits that are granted before they're used.
    #[display("{_0}")]
    Prepaid(PrepaidKind),
    /// Pay-as-you-go credits, created each month up to the organization's cap.
    #[display("metered")]
    Metered,
}

impl GrantKind {
    /// Iterates over all kinds, in draw order.
    pub fn all() -> impl Iterator<Item = Self> {
        PrepaidKind::iter().map(Self::Prepaid).chain([Self::Metered])
    }

    /// Returns the letter that represents the kind in storage. One letter keeps accounts small.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Prepaid(PrepaidKind::Promotional) => "p",
            Self::Prepaid(PrepaidKind::Allocated) => "a",
            Self::Prepaid(PrepaidKind::Purchased) => "b",
            Self::Metered => "m",
        }
    }

    /// Returns the kind that is stored under a letter, or `None` for an unknown letter.
    pub fn of_letter(letter: &str) -> Option<Self> {
        Self::all().find(|kind| kind.letter() == letter)
    }
}

/// The ID of a grant in its account: 1 to 16 lowercase letters or digits.
///
/// IDs are short because an account contains the ID of each grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub struct GrantId(String);

impl GrantId {
    /// Creates the ID of a new grant from random bytes.
    pub fn from_random(bytes: [u8; 4]) -> Self {
        Self(hex::encode(bytes))
    }

    /// Returns the ID of a month's metered grant, such as `m202612`.
    pub fn metered(month: Month) -> Self {
        Self(format!("m{month}").replace('-', ""))
    }

    /// Returns the ID of a kind's refund grant, which receives refunds that can't return to their original
    /// grants.
    pub fn of_refunds(kind: PrepaidKind) -> Self {
        Self(format!("r{}", GrantKind::Prepaid(kind).letter()))
    }
}

impl FromStr for GrantId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if (1..=16).contains(&text.len()) && text.bytes().all(allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must be 1 to 16 lowercase letters or digits"))
    }
}

/// Credits that were granted together and expire together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The kind of credits.
    pub kind: GrantKind,
    /// The number of credits granted.
    pub granted: Credits,
    /// The number of credits left.
    pub left: Credits,
    /// When the remaining credits expire, or `None` if they don't.
    pub expires_at: Option<Timestamp>,
}

impl Grant {
    /// Returns whether the grant can be drawn on at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.left > 0 && !self.is_expired(now)
    }

    /// Returns the credits that were drawn from the grant and not refunded.
    pub fn used(&self) -> Credits {
        self.granted.saturating_sub(self.left)
    }

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|expiry| expiry <= now)
    }

    /// Describes a draw of credits from this grant. The grant itself isn't changed.
    pub fn draw(&self, id: &GrantId, credits: Credits) -> Drawdown {
        Drawdown { grant: id.clone(), kind: self.kind, expires_at: self.expires_at, credits }
    }

    /// Returns the sort key for draw order: by kind, then by expiry. Within a kind, grants that don't expire
    /// come last.
    pub fn draw_order(&self) -> (GrantKind, bool, Option<Timestamp>) {
        draw_order(self.kind, self.expires_at)
    }
}

/// Returns the sort key for draw order. If two grants have equal keys, the grant with the lower ID is drawn
/// first.
pub fn draw_order(kind: GrantKind, expires_at: Option<Timestamp>) -> (GrantKind, bool, Option<Timestamp>) {
    (kind, expires_at.is_none(), expires_at)
}

/// Why a grant has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GrantEnd {
    /// The grant expired with credits left.
    Expired,
    /// All credits were used.
    UsedUp,
    /// An administrator revoked the remaining credits.
    Revoked,
}

/// The credits that a charge drew from one grant, with the data that a refund needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawdown {
    pub grant: GrantId,
    pub kind: GrantKind,
    /// When the grant expires, or `None` if it doesn't.
    pub expires_at: Option<Timestamp>,
    pub credits: Credits,
}

//! Grants and the credits drawn from them.

use std::str::FromStr;

use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use super::ids::InvalidId;
use super::{Month, Timestamp, UnknownName};

pub type Credits = u64;

/// Converts credits to a signed number, capped at [`i64::MAX`].
pub fn signed(credits: Credits) -> i64 {
    i64::try_from(credits).unwrap_or(i64::MAX)
}

/// A kind of prepaid credits. The variants are in draw order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter, EnumString)]
#[strum(
    serialize_all = "snake_case",
    parse_err_ty = UnknownName,
    parse_err_fn = UnknownName::among::<PrepaidKind>
)]
pub enum PrepaidKind {
    /// Free credits.
    Promotional,
    /// Credits included in a tier or a contract.
    Allocated,
    /// Credits paid for in advance.
    Purchased,
}

/// A kind of grant. The variants are in draw order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub enum GrantKind {
    /// Credits granted before they're used.
    #[display("{_0}")]
    Prepaid(PrepaidKind),
    /// Pay-as-you-go credits, granted each month up to the organization's cap.
    #[display("metered")]
    Metered,
}

impl GrantKind {
    /// Iterates over all kinds, in draw order.
    pub fn all() -> impl Iterator<Item = Self> {
        PrepaidKind::iter().map(Self::Prepaid).chain([Self::Metered])
    }

    /// Returns the kind's code in storage. It's a single letter to keep account items small.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Prepaid(PrepaidKind::Promotional) => "p",
            Self::Prepaid(PrepaidKind::Allocated) => "a",
            Self::Prepaid(PrepaidKind::Purchased) => "b",
            Self::Metered => "m",
        }
    }

    /// Returns the kind with this storage code, or `None` for an unknown letter.
    pub fn of_letter(letter: &str) -> Option<Self> {
        Self::all().find(|kind| kind.letter() == letter)
    }
}

/// A grant's ID, unique within its account: 1 to 16 lowercase letters or digits.
///
/// IDs are short because an account's item contains the IDs of all its grants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub struct GrantId(String);

impl GrantId {
    /// Creates an ID for a new grant from random bytes.
    pub fn from_random(bytes: [u8; 4]) -> Self {
        Self(hex::encode(bytes))
    }

    /// Returns the ID of the metered grant for a month, such as `m202612`.
    pub fn metered(month: Month) -> Self {
        Self(format!("m{month}").replace('-', ""))
    }

    /// Returns the ID of the refund grant for a kind of credits. Refunds go to this grant if they can't
    /// return to their original grants.
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
    pub kind: GrantKind,
    /// The number of credits granted.
    pub granted: Credits,
    /// The credits that haven't been drawn.
    pub left: Credits,
    /// When the remaining credits expire, or `None` if they don't.
    pub expires_at: Option<Timestamp>,
}

impl Grant {
    /// Returns whether the grant can be drawn on at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.left > 0 && !self.is_expired(now)
    }

    /// Returns the credits drawn from the grant, less refunds.
    pub fn used(&self) -> Credits {
        self.granted.saturating_sub(self.left)
    }

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|expiry| expiry <= now)
    }

    /// Returns a record of drawing `credits` from this grant. The grant itself isn't changed.
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

/// Why a grant ended.
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

/// The credits that a charge drew from one grant, along with the grant's data that a refund needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawdown {
    pub grant: GrantId,
    pub kind: GrantKind,
    /// When the grant expires, or `None` if it doesn't.
    pub expires_at: Option<Timestamp>,
    pub credits: Credits,
}

//! Credits: what is granted, and what a charge draws on.

use std::str::FromStr;

use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use super::ids::InvalidId;
use super::{Month, Timestamp, UnknownName};

pub type Credits = u64;

/// Returns credits as a number that can be negative.
pub fn signed(credits: Credits) -> i64 {
    i64::try_from(credits).unwrap_or(i64::MAX)
}

/// Where credits come from that are there before they are used, in the order in which they are burned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter, EnumString)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<PrepaidKind>)]
pub enum PrepaidKind {
    /// Given away.
    Promotional,
    /// Part of a tier or a contract.
    Allocated,
    /// Bought in advance.
    Purchased,
}

/// Where a grant's credits come from, in the order in which they are burned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub enum GrantKind {
    /// They are granted before they are used.
    #[display("{_0}")]
    Prepaid(PrepaidKind),
    /// Pay-as-you-go: they come with the month, up to the organization's cap.
    #[display("metered")]
    Metered,
}

impl GrantKind {
    /// Iterates over every kind, in the order of burning.
    pub fn all() -> impl Iterator<Item = Self> {
        PrepaidKind::iter().map(Self::Prepaid).chain([Self::Metered])
    }

    /// Returns the kind's letter, by which it is stored: it keeps accounts small.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Prepaid(PrepaidKind::Promotional) => "p",
            Self::Prepaid(PrepaidKind::Allocated) => "a",
            Self::Prepaid(PrepaidKind::Purchased) => "b",
            Self::Metered => "m",
        }
    }

    /// Returns the kind of a letter.
    pub fn of_letter(letter: &str) -> Option<Self> {
        Self::all().find(|kind| kind.letter() == letter)
    }
}

/// A grant's name in its account: 1 to 16 lower-case letters or digits.
///
/// An account carries one for each of its grants, so it is short.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub struct GrantId(String);

impl GrantId {
    /// Returns the name of a grant that is made once, from random bytes.
    pub fn from_random(bytes: [u8; 4]) -> Self {
        Self(hex::encode(bytes))
    }

    /// Returns the name of a month's metered grant.
    pub fn metered(month: Month) -> Self {
        Self(format!("m{month}").replace('-', ""))
    }

    /// Returns the name of the grant that takes refunds of a kind whose own grants are gone.
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

    /// Returns the credits drawn and not refunded.
    pub fn used(&self) -> Credits {
        self.granted.saturating_sub(self.left)
    }

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|expiry| expiry <= now)
    }

    /// Returns the part of a charge that the grant gives under its name.
    pub fn draw(&self, id: &GrantId, credits: Credits) -> Draw {
        Draw { grant: id.clone(), kind: self.kind, expires_at: self.expires_at, credits }
    }

    /// Returns what grants are sorted by to be burned: kind first, then the soonest expiry, never last.
    pub fn burn_order(&self) -> (GrantKind, bool, Option<Timestamp>) {
        burn_order(self.kind, self.expires_at)
    }
}

/// Returns what grants are sorted by to be burned; of two that are equal, the lower id burns first.
pub fn burn_order(kind: GrantKind, expires_at: Option<Timestamp>) -> (GrantKind, bool, Option<Timestamp>) {
    (kind, expires_at.is_none(), expires_at)
}

/// Why nothing can be drawn from a grant any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GrantEnd {
    /// Its time was over while something was left.
    Expired,
    /// Nothing was left.
    UsedUp,
    /// The operator took what was left away.
    Revoked,
}

/// A part of a charge: credits that one grant gave, and what is needed to give them back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub grant: GrantId,
    pub kind: GrantKind,
    /// When it expires; `None` for never.
    pub expires_at: Option<Timestamp>,
    pub credits: Credits,
}

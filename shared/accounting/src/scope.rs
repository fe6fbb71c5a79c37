//! The scopes of API keys: what a key opens, whatever else its organization may do.

use std::collections::BTreeSet;

use serde_with::SerializeDisplay;
use strum::{Display, EnumCount, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use super::UnknownName;

/// What an API key may be used for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Display,
    EnumCount,
    EnumIter,
    EnumString,
    IntoStaticStr,
    SerializeDisplay,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<Scope>)]
pub enum Scope {
    /// Reading both scenario libraries.
    #[strum(serialize = "scenarios:read")]
    ScenariosRead,
    /// Creating, editing and deleting scenario assets.
    #[strum(serialize = "scenarios:write")]
    ScenariosWrite,
    Inventory,
    /// Places, cohorts, population and markets.
    Analytics,
    Tiles,
    /// The organization's credits.
    Billing,
}

impl Scope {
    pub fn all() -> Scopes {
        Self::iter().collect()
    }

    /// Returns the name under which the scope is stored, shown and minted.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The scopes of one key, in the order of the enum.
pub type Scopes = BTreeSet<Scope>;

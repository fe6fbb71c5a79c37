//! The scopes of API keys: what a key opens, whatever else its organization may do.

use std::collections::BTreeSet;

use serde_with::SerializeDisplay;
use strum::{Display, EnumCount, EnumIter, EnumString, IntoEnumIterator};

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
    Display,
    EnumCount,
    EnumIter,
    EnumString,
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
}

/// The scopes of one key, in the order of the enum.
pub type Scopes = BTreeSet<Scope>;

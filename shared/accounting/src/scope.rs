//! API key scopes, which limit what a key can be used for.

use std::collections::BTreeSet;

use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoEnumIterator};

use super::UnknownName;

/// A permission that an API key can have.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter, EnumString, SerializeDisplay,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<Scope>)]
pub enum Scope {
    /// Read and estimate campaigns and events.
    #[strum(serialize = "scenarios:read")]
    ScenariosRead,
    /// Create, edit, and delete campaigns, events, and client links.
    #[strum(serialize = "scenarios:write")]
    ScenariosWrite,
    /// Buy measurements.
    Measurements,
    Inventory,
    /// Read places, cohorts, resident population, and markets.
    Analytics,
    Tiles,
    /// Read the organization's credits, usage, grants, and bills.
    Billing,
}

impl Scope {
    pub fn all() -> Scopes {
        Self::iter().collect()
    }
}

/// An API key's scopes, in declaration order.
pub type Scopes = BTreeSet<Scope>;

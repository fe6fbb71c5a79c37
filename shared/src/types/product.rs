use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::BillingName;

/// What a route sells: its billing name, its price and who may call it (Specification, Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Product {
    /// The campaign library.
    ScenarioCampaignCrud,
    /// The event library.
    ScenarioEventCrud,
    /// Inventory search, on the search gateway.
    InventorySearch,
    /// Place search.
    PlaceSearch,
    /// One place's profile.
    PlaceProfile,
    /// Place audience reports.
    PlaceReport,
    /// Cohort search.
    CohortSearch,
    /// Population at home by geography.
    PopulationAtHome,
    /// The list of markets.
    Markets,
    /// An organization's credits.
    BillingCredits,
    /// Management of vector-tile grants.
    TileGrants,
    /// The description of a grant's tiles, for map libraries.
    Tilejson,
    /// A vector tile.
    Tile,
    /// The health endpoint.
    Health,
    /// The interface description.
    Openapi,
}

/// Which credentials a product takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Anybody; no credential is looked at.
    Open,
    /// Anybody, unmetered; a credential that is sent is checked all the same.
    Public,
    /// An API key in `X-API-Key`.
    Key,
    /// An API key in `apikey`, the search gateway's header.
    SearchKey,
    /// An API key or a bearer token.
    KeyOrBearer,
    /// An API key, a bearer token, or an anonymous session.
    Anyone,
}

impl Product {
    /// Every product.
    pub const ALL: [Self; 15] = [
        Self::ScenarioCampaignCrud,
        Self::ScenarioEventCrud,
        Self::InventorySearch,
        Self::PlaceSearch,
        Self::PlaceProfile,
        Self::PlaceReport,
        Self::CohortSearch,
        Self::PopulationAtHome,
        Self::Markets,
        Self::BillingCredits,
        Self::TileGrants,
        Self::Tilejson,
        Self::Tile,
        Self::Health,
        Self::Openapi,
    ];

    /// Returns the billing name, which is also `meta.product`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ScenarioCampaignCrud => "scenario_campaign_crud",
            Self::ScenarioEventCrud => "scenario_event_crud",
            Self::InventorySearch => "inventory_search",
            Self::PlaceSearch => "place_search",
            Self::PlaceProfile => "place_profile",
            Self::PlaceReport => "place_report",
            Self::CohortSearch => "cohort_search",
            Self::PopulationAtHome => "population_at_home",
            Self::Markets => "markets",
            Self::BillingCredits => "billing_credits",
            Self::TileGrants => "tile_grants",
            Self::Tilejson => "tilejson",
            Self::Tile => "tile",
            Self::Health => "health",
            Self::Openapi => "openapi",
        }
    }

    /// Returns the billing name as a parsed value.
    pub fn billing_name(self) -> BillingName {
        BillingName::known(self.name())
    }

    /// Returns the price of one call, in credits.
    pub fn credits(self) -> u32 {
        match self {
            Self::ScenarioCampaignCrud
            | Self::ScenarioEventCrud
            | Self::InventorySearch
            | Self::PlaceSearch
            | Self::PlaceProfile
            | Self::PlaceReport => 1,
            Self::PopulationAtHome => 2,
            Self::CohortSearch
            | Self::Markets
            | Self::BillingCredits
            | Self::TileGrants
            | Self::Tilejson
            | Self::Tile
            | Self::Health
            | Self::Openapi => 0,
        }
    }

    /// Returns who may call.
    pub fn audience(self) -> Audience {
        match self {
            Self::ScenarioCampaignCrud
            | Self::ScenarioEventCrud
            | Self::PlaceProfile
            | Self::PlaceReport
            | Self::BillingCredits => Audience::KeyOrBearer,
            Self::InventorySearch => Audience::SearchKey,
            Self::PlaceSearch | Self::CohortSearch | Self::PopulationAtHome => Audience::Anyone,
            Self::Markets | Self::TileGrants => Audience::Key,
            Self::Health => Audience::Public,
            // Tiles are seen by whoever has a capability: their handlers check it.
            Self::Tilejson | Self::Tile | Self::Openapi => Audience::Open,
        }
    }

    /// Tells whether the product is historical data, which anonymous callers cannot reach.
    pub fn is_historical(self) -> bool {
        match self {
            Self::PlaceProfile | Self::PlaceReport => true,
            Self::ScenarioCampaignCrud
            | Self::ScenarioEventCrud
            | Self::InventorySearch
            | Self::PlaceSearch
            | Self::CohortSearch
            | Self::PopulationAtHome
            | Self::Markets
            | Self::BillingCredits
            | Self::TileGrants
            | Self::Tilejson
            | Self::Tile
            | Self::Health
            | Self::Openapi => false,
        }
    }

    /// Returns the calls per clock minute that one key has besides its organization's rate.
    pub fn key_limit(self) -> Option<u32> {
        match self {
            Self::InventorySearch => Some(20),
            Self::ScenarioCampaignCrud
            | Self::ScenarioEventCrud
            | Self::PlaceSearch
            | Self::PlaceProfile
            | Self::PlaceReport
            | Self::CohortSearch
            | Self::PopulationAtHome
            | Self::Markets
            | Self::BillingCredits
            | Self::TileGrants
            | Self::Tilejson
            | Self::Tile
            | Self::Health
            | Self::Openapi => None,
        }
    }

    /// Returns the scope that an API key needs for a call; `safe` calls only read.
    pub fn scope(self, safe: bool) -> Option<Scope> {
        match self {
            Self::ScenarioCampaignCrud | Self::ScenarioEventCrud if safe => Some(Scope::ScenariosRead),
            Self::ScenarioCampaignCrud | Self::ScenarioEventCrud => Some(Scope::ScenariosWrite),
            Self::InventorySearch => Some(Scope::Inventory),
            Self::PlaceSearch
            | Self::PlaceProfile
            | Self::PlaceReport
            | Self::CohortSearch
            | Self::PopulationAtHome
            | Self::Markets => Some(Scope::Analytics),
            Self::BillingCredits => Some(Scope::Billing),
            Self::TileGrants => Some(Scope::Tiles),
            Self::Tilejson | Self::Tile | Self::Health | Self::Openapi => None,
        }
    }
}

/// What an API key may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Reading both scenario libraries.
    ScenariosRead,
    /// Creating, editing and deleting scenario assets.
    ScenariosWrite,
    /// Inventory search.
    Inventory,
    /// Places, cohorts, population and markets.
    Analytics,
    /// Vector-tile grants.
    Tiles,
    /// The organization's credits.
    Billing,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 6] =
        [Self::ScenariosRead, Self::ScenariosWrite, Self::Inventory, Self::Analytics, Self::Tiles, Self::Billing];

    /// Returns the scope's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ScenariosRead => "scenarios:read",
            Self::ScenariosWrite => "scenarios:write",
            Self::Inventory => "inventory",
            Self::Analytics => "analytics",
            Self::Tiles => "tiles",
            Self::Billing => "billing",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| format!("must be one of {}", Self::ALL.map(Self::as_str).join(", ")))
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A set of scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// Returns the set of all scopes.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Tells whether the set holds a scope.
    pub fn contains(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Iterates over the scopes in order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

//! The libraries of campaigns and events, each with its product, paths, and columns.

use accounting::Product;
use gateway::Table;
use scenario_bodies::{Campaign, Event, Scenario};

use crate::tables;

/// A family of scenarios with a library.
pub(crate) trait Listed: Scenario {
    /// The product that all operations are charged as.
    const PRODUCT: Product;
    const PATHS: Paths;
    /// A list's columns, for CSV responses.
    const TABLE: &'static Table;
}

/// The paths of a library's operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths {
    /// The path at which assets are listed and created.
    pub(crate) library: &'static str,
    /// The path at which assets are counted by state.
    pub(crate) summary: &'static str,
    /// The path that accepts several changes in one call.
    pub(crate) batch: &'static str,
    /// The path at which one asset is read, edited, and deleted.
    pub(crate) asset: &'static str,
    /// The path at which the asset with a `customer_scenario_id` is created or replaced.
    pub(crate) by_customer_scenario: &'static str,
}

impl Listed for Campaign {
    const PRODUCT: Product = Product::ScenarioCampaignCrud;
    const PATHS: Paths = Paths {
        library: "/v2/scenarios/campaigns",
        summary: "/v2/scenarios/campaigns/summary",
        batch: "/v2/scenarios/campaigns/batch",
        asset: "/v2/scenarios/campaigns/{asset_id}",
        by_customer_scenario: "/v2/scenarios/campaigns/by-customer-scenario-id/{customer_scenario_id}",
    };
    const TABLE: &'static Table = &tables::CAMPAIGNS;
}

impl Listed for Event {
    const PRODUCT: Product = Product::ScenarioEventCrud;
    const PATHS: Paths = Paths {
        library: "/v2/scenarios/events",
        summary: "/v2/scenarios/events/summary",
        batch: "/v2/scenarios/events/batch",
        asset: "/v2/scenarios/events/{asset_id}",
        by_customer_scenario: "/v2/scenarios/events/by-customer-scenario-id/{customer_scenario_id}",
    };
    const TABLE: &'static Table = &tables::EVENTS;
}

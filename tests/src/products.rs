//! The golden table of products: what each costs and whom it takes, written once for all tests.

use shared::types::{Audience, Credits, Product, Scope};

/// What the service promises of a product.
#[derive(Clone, Copy, Debug)]
pub struct ProductRow {
    pub product: Product,
    /// The billing name, which is `meta.product` too.
    pub name: &'static str,
    /// The price of a call.
    pub credits: u32,
    pub audience: Audience,
    /// The scopes that a key needs to read and to write.
    pub scopes: Option<[Scope; 2]>,
    /// The calls per minute that each key has, and all people together, besides the organization's rate.
    pub caller_limit: Option<u32>,
    pub is_historical: bool,
    /// The most bytes of a body.
    pub max_body_bytes: usize,
}

/// Every product, in the order of the enum. docs/products.md shows the same to customers.
pub const PRODUCTS: [ProductRow; 21] = {
    use Audience::{Anyone, KeyOrBearer, Member, Open, Person, Public, SearchKeyOrBearer};
    use Product::{
        Account, AccountKeys, AccountMembers, BillingCredits, BillingUsage, CohortSearch, DisplayLookup,
        Health, InventorySearch, Markets, Openapi, PlaceProfile, PlaceReport, PlaceSearch, PlaceTypes,
        PopulationAtHome, ScenarioCampaignCrud, ScenarioEventCrud, Tile, TileGrants, Tilejson,
    };
    let scenarios = Some([Scope::ScenariosRead, Scope::ScenariosWrite]);
    let inventory = Some([Scope::Inventory; 2]);
    let analytics = Some([Scope::Analytics; 2]);
    let billing = Some([Scope::Billing; 2]);
    let tiles = Some([Scope::Tiles; 2]);
    [
        row(ScenarioCampaignCrud, "scenario_campaign_crud", 1, KeyOrBearer, scenarios).with_large_bodies(),
        row(ScenarioEventCrud, "scenario_event_crud", 1, KeyOrBearer, scenarios).with_large_bodies(),
        row(InventorySearch, "inventory_search", 1, SearchKeyOrBearer, inventory).with_caller_limit(20),
        row(DisplayLookup, "display_lookup", 1, KeyOrBearer, inventory),
        row(PlaceSearch, "place_search", 1, Anyone, analytics),
        row(PlaceTypes, "place_types", 0, Anyone, analytics),
        row(PlaceProfile, "place_profile", 1, KeyOrBearer, analytics).of_history(),
        row(PlaceReport, "place_report", 1, KeyOrBearer, analytics).of_history(),
        row(CohortSearch, "cohort_search", 0, Anyone, analytics),
        row(PopulationAtHome, "population_at_home", 2, Anyone, analytics),
        row(Markets, "markets", 0, KeyOrBearer, analytics),
        row(BillingCredits, "billing_credits", 0, KeyOrBearer, billing),
        row(BillingUsage, "billing_usage", 0, KeyOrBearer, billing),
        row(Account, "account", 0, Person, None),
        row(AccountKeys, "account_keys", 0, Member, None),
        row(AccountMembers, "account_members", 0, Member, None),
        row(TileGrants, "tile_grants", 0, KeyOrBearer, tiles),
        row(Tilejson, "tilejson", 0, Open, None),
        row(Tile, "tile", 0, Open, None),
        row(Health, "health", 0, Public, None),
        row(Openapi, "openapi", 0, Open, None),
    ]
};

const fn row(
    product: Product,
    name: &'static str,
    credits: u32,
    audience: Audience,
    scopes: Option<[Scope; 2]>,
) -> ProductRow {
    ProductRow {
        product,
        name,
        credits,
        audience,
        scopes,
        caller_limit: None,
        is_historical: false,
        max_body_bytes: 65_536,
    }
}

impl ProductRow {
    const fn with_caller_limit(mut self, calls: u32) -> Self {
        self.caller_limit = Some(calls);
        self
    }

    const fn of_history(mut self) -> Self {
        self.is_historical = true;
        self
    }

    const fn with_large_bodies(mut self) -> Self {
        self.max_body_bytes = 6_291_456;
        self
    }

    /// Returns the scope that a key needs for a call; `safe` calls only read.
    pub fn scope(&self, safe: bool) -> Option<Scope> {
        self.scopes.map(|[reads, writes]| if safe { reads } else { writes })
    }
}

/// Returns a product's row.
pub fn product_row(product: Product) -> &'static ProductRow {
    let row = PRODUCTS.iter().find(|row| row.product == product);
    row.unwrap_or_else(|| panic!("{product:?} has no row in tests/src/products.rs"))
}

/// Returns the price of a call, in credits.
pub fn price(product: Product) -> Credits {
    product_row(product).credits.into()
}

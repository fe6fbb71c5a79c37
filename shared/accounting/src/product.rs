//! Products, with their prices and required credentials.

use strum::EnumIter;

use super::{Meter, Scope};

/// The product that an operation belongs to. Calls are billed under the product's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum Product {
    /// Operations on campaigns.
    ScenarioCampaignCrud,
    /// Operations on events.
    ScenarioEventCrud,
    /// The list of changes to an organization's assets.
    Changes,
    /// Links that let clients view a campaign without signing in.
    ClientLinks,
    /// A campaign as viewed through a client link.
    ClientView,
    /// Campaign estimates.
    CampaignEstimate,
    /// Event estimates.
    EventEstimate,
    /// This service's own measurements: purchases, which are priced separately, and reports.
    Measurements,
    /// Inventory search, on the search gateway.
    InventorySearch,
    /// Lookup of displays by ID.
    DisplayLookup,
    PlaceSearch,
    /// Matching addresses or points to places.
    PlaceMatch,
    /// The list of place types.
    PlaceTypes,
    /// The list of place brands.
    PlaceBrands,
    PlaceProfile,
    /// Place audience reports.
    PlaceReport,
    CohortSearch,
    /// Resident population by geography.
    PopulationAtHome,
    /// The list of markets.
    Markets,
    /// An organization's balance.
    BillingCredits,
    /// An organization's daily usage, grants, and bills.
    BillingUsage,
    /// A person's own account: sign-up, invitations, and organization.
    Account,
    /// API keys, managed by owners.
    AccountKeys,
    /// An organization's members and invitations.
    AccountMembers,
    /// Webhooks and their deliveries, managed by owners.
    AccountWebhooks,
    /// Management of tile grants.
    TileGrants,
    /// The TileJSON description of a grant's tiles, for map libraries.
    Tilejson,
    /// A vector tile.
    Tile,
    /// The base map's tiles and gazetteer.
    BaseMap,
    /// The health check.
    Health,
    /// The OpenAPI description.
    Openapi,
}

/// The credentials that a product accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthRequirement {
    /// No credentials are required or checked.
    Open,
    /// No credentials are required and calls are free, but credentials are checked if they're sent.
    Public,
    /// An API key, in the search gateway's header.
    SearchKey,
    /// An API key in the search gateway's header, or a bearer token.
    SearchKeyOrBearer,
    /// An API key or a bearer token.
    KeyOrBearer,
    /// An API key, a bearer token, or an anonymous session.
    Anyone,
    /// A bearer token for a person, with or without an organization.
    Person,
    /// A bearer token for a member of an organization.
    Member,
}

impl AuthRequirement {
    /// The search gateway's header for API keys.
    pub const SEARCH_KEY_HEADER: &'static str = "apikey";

    /// Returns the header for API keys, or `None` if the product accepts only bearer tokens.
    pub fn key_header(self) -> Option<&'static str> {
        match self {
            Self::SearchKey | Self::SearchKeyOrBearer => Some(Self::SEARCH_KEY_HEADER),
            Self::Open | Self::Public | Self::KeyOrBearer | Self::Anyone => Some("X-API-Key"),
            Self::Person | Self::Member => None,
        }
    }
}

/// A row in the product table.
struct Row {
    name: &'static str,
    credits: u32,
    auth: AuthRequirement,
    scope: ScopeRule,
    requires_account: bool,
    caller_limit: Option<u32>,
    max_body_bytes: usize,
}

/// The account API limit, in calls per clock minute for each person or key.
pub const ACCOUNT_API_CALLS_PER_MINUTE: u32 = 60;

/// The inventory limit, in calls per clock minute. It applies to each key and to all people in an
/// organization combined. Inventory search and display lookup share this limit.
const INVENTORY_CALLS_PER_MINUTE: u32 = 20;

/// The maximum size of a request body that contains a scenario, in bytes. Lambda doesn't accept larger
/// requests.
const SCENARIO_BYTES: usize = 6 * 1024 * 1024;

/// The maximum size of any other request body, in bytes. The largest useful body is 45 KB: a place search
/// with 1,000 places and 1,000 types in which every character is escaped.
const MAX_OTHER_BODY_BYTES: usize = 64 * 1024;

/// The scope that an API key needs for a call.
#[derive(Clone, Copy)]
enum ScopeRule {
    /// Any API key is accepted.
    Any,
    /// All calls need the same scope.
    Needs(Scope),
    /// Reads need the first scope, and writes need the second.
    ReadsAndWrites(Scope, Scope),
}

impl Product {
    /// Returns the product's row. A test compares this table with docs/reference/products.md and
    /// openapi.yaml.
    fn row(self) -> Row {
        use AuthRequirement::{Anyone, KeyOrBearer, Member, Open, Person, Public, SearchKeyOrBearer};
        use Scope::{Analytics, Billing, Inventory, Measurements, ScenariosRead, ScenariosWrite, Tiles};
        use ScopeRule::{Any, Needs, ReadsAndWrites};
        let scenarios = ReadsAndWrites(ScenariosRead, ScenariosWrite);
        match self {
            // The columns are the name, the credits per call, the accepted credentials, and the scope. Some
            // rows also set the maximum body size, the limit for each caller, or the account requirement.
            Self::ScenarioCampaignCrud => Row {
                max_body_bytes: SCENARIO_BYTES,
                ..row("scenario_campaign_crud", 1, KeyOrBearer, scenarios)
            },
            Self::ScenarioEventCrud => Row {
                max_body_bytes: SCENARIO_BYTES,
                ..row("scenario_event_crud", 1, KeyOrBearer, scenarios)
            },
            Self::Changes => row("changes", 0, KeyOrBearer, Needs(ScenariosRead)),
            Self::ClientLinks => row("client_links", 0, KeyOrBearer, scenarios),
            // The handler checks the client link's token, which is sent in a header.
            Self::ClientView => row("client_view", 0, Open, Any),
            Self::CampaignEstimate => Row {
                max_body_bytes: SCENARIO_BYTES,
                ..row("campaign_estimate", 5, KeyOrBearer, Needs(ScenariosRead))
            },
            Self::EventEstimate => Row {
                max_body_bytes: SCENARIO_BYTES,
                ..row("event_estimate", 5, KeyOrBearer, Needs(ScenariosRead))
            },
            Self::Measurements => {
                row("measurements", 0, KeyOrBearer, ReadsAndWrites(ScenariosRead, Measurements))
            }
            Self::InventorySearch => Row {
                caller_limit: Some(INVENTORY_CALLS_PER_MINUTE),
                ..row("inventory_search", 1, SearchKeyOrBearer, Needs(Inventory))
            },
            Self::DisplayLookup => Row {
                caller_limit: Some(INVENTORY_CALLS_PER_MINUTE),
                ..row("display_lookup", 0, KeyOrBearer, Needs(Inventory))
            },
            Self::PlaceSearch => row("place_search", 1, Anyone, Needs(Analytics)),
            Self::PlaceMatch => row("place_match", 5, KeyOrBearer, Needs(Analytics)),
            Self::PlaceTypes => row("place_types", 0, Anyone, Needs(Analytics)),
            Self::PlaceBrands => row("place_brands", 0, Anyone, Needs(Analytics)),
            Self::PlaceProfile => {
                Row { requires_account: true, ..row("place_profile", 1, KeyOrBearer, Needs(Analytics)) }
            }
            Self::PlaceReport => {
                Row { requires_account: true, ..row("place_report", 1, KeyOrBearer, Needs(Analytics)) }
            }
            Self::CohortSearch => row("cohort_search", 0, Anyone, Needs(Analytics)),
            Self::PopulationAtHome => row("population_at_home", 2, Anyone, Needs(Analytics)),
            Self::Markets => row("markets", 0, KeyOrBearer, Needs(Analytics)),
            Self::BillingCredits => row("billing_credits", 0, KeyOrBearer, Needs(Billing)),
            Self::BillingUsage => row("billing_usage", 0, KeyOrBearer, Needs(Billing)),
            Self::Account => row("account", 0, Person, Any),
            Self::AccountKeys => row("account_keys", 0, Member, Any),
            Self::AccountMembers => row("account_members", 0, Member, Any),
            Self::AccountWebhooks => row("account_webhooks", 0, Member, Any),
            Self::TileGrants => row("tile_grants", 0, KeyOrBearer, Needs(Tiles)),
            // The handlers check the tile grant's token, which is in the URL.
            Self::Tilejson => row("tilejson", 0, Open, Any),
            Self::Tile => row("tile", 0, Open, Any),
            Self::BaseMap => row("base_map", 0, Open, Any),
            Self::Health => row("health", 0, Public, Any),
            Self::Openapi => row("openapi", 0, Open, Any),
        }
    }

    /// Returns the billing name, which is also `meta.product` in responses.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the billing name as a [`Meter`].
    pub fn meter(self) -> Meter {
        Meter::of_product(self.name())
    }

    /// Returns the price of one call, in credits.
    pub fn credits(self) -> u32 {
        self.row().credits
    }

    pub fn auth(self) -> AuthRequirement {
        self.row().auth
    }

    /// Returns whether the product contains historical data, which isn't available to anonymous callers.
    pub fn requires_account(self) -> bool {
        self.row().requires_account
    }

    /// Returns whether suspended organizations can call the product, for example to see their balance and
    /// bills.
    pub fn is_for_suspended(self) -> bool {
        matches!(self, Self::BillingCredits | Self::BillingUsage | Self::Account)
    }

    /// Returns whether the account API limit applies. Calls with this limit are free, and they're counted per
    /// person or key.
    pub fn has_account_api_limit(self) -> bool {
        matches!(
            self,
            Self::BillingUsage
                | Self::Changes
                | Self::Account
                | Self::AccountKeys
                | Self::AccountMembers
                | Self::AccountWebhooks
        )
    }

    /// Returns the limit, in calls per clock minute, that applies to each key, and to all people in an
    /// organization combined, in addition to the organization's limit. Returns `None` if the product has no
    /// such limit.
    pub fn caller_limit(self) -> Option<u32> {
        self.row().caller_limit
    }

    /// Returns the maximum size of a request's body, in bytes.
    pub fn max_body_bytes(self) -> usize {
        self.row().max_body_bytes
    }

    /// Returns the scope that an API key needs for a call, or `None` if any key is accepted. `safe` is true
    /// for calls that only read.
    pub fn scope(self, safe: bool) -> Option<Scope> {
        match self.row().scope {
            ScopeRule::Any => None,
            ScopeRule::Needs(scope) => Some(scope),
            ScopeRule::ReadsAndWrites(reads, writes) => Some(if safe { reads } else { writes }),
        }
    }
}

fn row(name: &'static str, credits: u32, auth: AuthRequirement, scope: ScopeRule) -> Row {
    let (requires_account, caller_limit, max_body_bytes) = (false, None, MAX_OTHER_BODY_BYTES);
    Row { name, credits, auth, scope, requires_account, caller_limit, max_body_bytes }
}

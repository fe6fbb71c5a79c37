//! The table of products: names, prices, and who may call.

use strum::EnumIter;

use super::{BillingName, Scope};

/// What a route sells. Every operation has one, and is billed under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum Product {
    /// The campaign library.
    ScenarioCampaignCrud,
    /// The event library.
    ScenarioEventCrud,
    /// Inventory search, on the search gateway.
    InventorySearch,
    /// The displays of given ids.
    DisplayLookup,
    PlaceSearch,
    /// The types of places.
    PlaceTypes,
    PlaceProfile,
    /// Place audience reports.
    PlaceReport,
    CohortSearch,
    /// Population at home by geography.
    PopulationAtHome,
    /// The list of markets.
    Markets,
    /// An organization's credits.
    BillingCredits,
    /// What an organization used and paid: usage by day, grants and bills.
    BillingUsage,
    /// A person and their organization, and how they come to one.
    Account,
    /// Management of API keys, by owners.
    AccountKeys,
    /// The members of an organization, and invitations to it.
    AccountMembers,
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
    /// An API key, sent as the search gateway takes it.
    SearchKey,
    /// An API key, sent as the search gateway takes it, or a bearer token.
    SearchKeyOrBearer,
    /// An API key or a bearer token.
    KeyOrBearer,
    /// An API key, a bearer token, or an anonymous session.
    Anyone,
    /// A bearer token of anybody, with an organization or without.
    Person,
    /// A bearer token of a member of an organization.
    Member,
}

impl Audience {
    /// The header in which the search gateway takes API keys.
    pub const SEARCH_KEY_HEADER: &'static str = "apikey";

    /// Returns the header in which it sends API keys; `None` for people alone.
    pub fn key_header(self) -> Option<&'static str> {
        match self {
            Self::SearchKey | Self::SearchKeyOrBearer => Some(Self::SEARCH_KEY_HEADER),
            Self::Open | Self::Public | Self::KeyOrBearer | Self::Anyone => Some("X-API-Key"),
            Self::Person | Self::Member => None,
        }
    }
}

/// One row of the table of products.
struct Row {
    name: &'static str,
    credits: u32,
    audience: Audience,
    scope: ScopeRule,
    requires_account: bool,
    caller_limit: Option<u32>,
    max_body_bytes: usize,
}

/// The calls of the portal's products that one person or one key has in a clock minute.
pub const PORTAL_CALLS_PER_MINUTE: u32 = 60;

/// The largest body of a scenario, in bytes: Lambda takes no larger request.
const SCENARIO_BYTES: usize = 6 * 1024 * 1024;

/// The largest body of anything else, in bytes. The largest that is of use, a place search by 1,000 places
/// and 1,000 types that escapes every character of its texts, has 45 KB.
const QUESTION_BYTES: usize = 64 * 1024;

/// The scope that an API key needs for a call.
#[derive(Clone, Copy)]
enum ScopeRule {
    /// None: any key will do.
    Any,
    /// One for all calls.
    Needs(Scope),
    /// One for calls that only read, and one for those that write.
    ReadsAndWrites(Scope, Scope),
}

impl Product {
    /// Returns the product's row. docs/reference/products.md shows the table, and a test compares it and
    /// openapi.yaml with this one.
    fn row(self) -> Row {
        use Audience::{Anyone, KeyOrBearer, Member, Open, Person, Public, SearchKeyOrBearer};
        use Scope::{Analytics, Billing, Inventory, ScenariosRead, ScenariosWrite, Tiles};
        use ScopeRule::{Any, Needs, ReadsAndWrites};
        let scenarios = ReadsAndWrites(ScenariosRead, ScenariosWrite);
        match self {
            // Name, credits a call, who may call, scope of a key; and where they are not the same for most, the
            // calls a minute of each key and of all people together, and the bytes of a body.
            Self::ScenarioCampaignCrud => Row {
                max_body_bytes: SCENARIO_BYTES,
                ..row("scenario_campaign_crud", 1, KeyOrBearer, scenarios)
            },
            Self::ScenarioEventCrud => Row {
                max_body_bytes: SCENARIO_BYTES,
                ..row("scenario_event_crud", 1, KeyOrBearer, scenarios)
            },
            Self::InventorySearch => Row {
                caller_limit: Some(20),
                ..row("inventory_search", 1, SearchKeyOrBearer, Needs(Inventory))
            },
            Self::DisplayLookup => row("display_lookup", 1, KeyOrBearer, Needs(Inventory)),
            Self::PlaceSearch => row("place_search", 1, Anyone, Needs(Analytics)),
            Self::PlaceTypes => row("place_types", 0, Anyone, Needs(Analytics)),
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
            Self::TileGrants => row("tile_grants", 0, KeyOrBearer, Needs(Tiles)),
            // Tiles are seen by whoever has a capability: their handlers check it.
            Self::Tilejson => row("tilejson", 0, Open, Any),
            Self::Tile => row("tile", 0, Open, Any),
            Self::Health => row("health", 0, Public, Any),
            Self::Openapi => row("openapi", 0, Open, Any),
        }
    }

    /// Returns the billing name, which is also `meta.product`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the billing name as a parsed value.
    pub fn billing_name(self) -> BillingName {
        BillingName::of_product(self.name())
    }

    /// Returns the price of one call, in credits.
    pub fn credits(self) -> u32 {
        self.row().credits
    }

    pub fn audience(self) -> Audience {
        self.row().audience
    }

    /// Tells whether the product is historical data, which anonymous callers cannot reach.
    pub fn requires_account(self) -> bool {
        self.row().requires_account
    }

    /// Tells whether an organization that is suspended may call it too: what it has and what it owes.
    pub fn is_for_suspended(self) -> bool {
        matches!(self, Self::BillingCredits | Self::BillingUsage | Self::Account)
    }

    /// Tells whether it is one of the portal's: free, and counted by person or key and not in the account.
    pub fn is_of_portal(self) -> bool {
        matches!(self, Self::BillingUsage | Self::Account | Self::AccountKeys | Self::AccountMembers)
    }

    /// Returns the calls per clock minute that each key of an organization has, and all its people together,
    /// besides the organization's rate.
    pub fn caller_limit(self) -> Option<u32> {
        self.row().caller_limit
    }

    /// Returns the most bytes of a request's body.
    pub fn max_body_bytes(self) -> usize {
        self.row().max_body_bytes
    }

    /// Returns the scope that an API key needs for a call; `safe` calls only read.
    pub fn scope(self, safe: bool) -> Option<Scope> {
        match self.row().scope {
            ScopeRule::Any => None,
            ScopeRule::Needs(scope) => Some(scope),
            ScopeRule::ReadsAndWrites(reads, writes) => Some(if safe { reads } else { writes }),
        }
    }
}

fn row(name: &'static str, credits: u32, audience: Audience, scope: ScopeRule) -> Row {
    let (requires_account, caller_limit, max_body_bytes) = (false, None, QUESTION_BYTES);
    Row { name, credits, audience, scope, requires_account, caller_limit, max_body_bytes }
}

//! Replaces API Gateway. Routes each path to the same function as template.yaml does.

use std::collections::HashMap;
use std::sync::Arc;

use accounting::PurchaseNames;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use dataset::{Folder, ReleaseError};
use estimates::OwnMeasurement;
use gateway::App;
use http::StatusCode;
use tower::ServiceExt;

use crate::sweep::measurement_of;

/// A function behind the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The campaign library.
    Campaigns,
    /// The event library.
    Events,
    /// Place search, place matching, place types, brands, profiles, and reports.
    Places,
    /// Cohorts, resident population, and markets.
    Audiences,
    /// Estimates and measurements of campaigns and events.
    Estimates,
    /// Inventory search, display lookup, and the campaigns behind client links.
    Inventory,
    /// Vector tiles, tile grants, and the base map.
    Tiles,
    /// The portal.
    Portal,
    /// The MCP server for AI agents.
    Mcp,
    /// Accounts, billing, health checks, and all paths that don't belong to another function.
    Account,
}

/// The portal's paths outside its prefix.
pub const PORTAL_PATHS: [&str; 3] = ["/", "/llms.txt", "/openapi.json"];

/// The functions' path prefixes, as in template.yaml. All other paths belong to the account function.
pub const PREFIXES: [(&str, Function); 20] = [
    ("/v2/scenarios/campaigns", Function::Campaigns),
    ("/v2/scenarios/events", Function::Events),
    ("/v2/msearch", Function::Places),
    ("/v2/place", Function::Places),
    ("/v2/places/match", Function::Places),
    ("/v2/measures/place", Function::Places),
    ("/v2/cohorts", Function::Audiences),
    ("/v2/measures/population", Function::Audiences),
    ("/v2/markets", Function::Audiences),
    ("/v2/measures/campaigns", Function::Estimates),
    ("/v2/measures/events", Function::Estimates),
    ("/v2/displays/lookup", Function::Inventory),
    ("/v2/client-links", Function::Inventory),
    ("/v2/displays/tiles", Function::Tiles),
    ("/v2/places/tiles", Function::Tiles),
    ("/v2/basemap", Function::Tiles),
    (portal::PATH, Function::Portal),
    (mcp::PATH, Function::Mcp),
    // These are paths of the search gateway. The longer prefix must come first.
    ("/msearch/inventory", Function::Inventory),
    ("/msearch", Function::Places),
];

/// A data release, opened for each function that reads it.
#[derive(Clone, Debug)]
pub struct Releases {
    pub scenarios: scenarios::Release,
    pub places: Arc<places::Release>,
    pub audiences: Arc<audiences::Release>,
    pub estimates: Arc<estimates::Release>,
    pub inventory: Arc<inventory::Release>,
    pub tiles: Arc<tiles::Release>,
}

/// The routers of all functions, which share one address.
#[derive(Clone, Debug)]
pub struct Gateway(HashMap<Function, Router>);

impl Function {
    /// Returns the function that handles a path.
    pub fn of_path(path: &str) -> Self {
        if PORTAL_PATHS.contains(&path) {
            return Self::Portal;
        }
        let under = |prefix: &str| {
            path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        PREFIXES.into_iter().find(|(prefix, _)| under(prefix)).map_or(Self::Account, |(_, function)| function)
    }
}

impl Releases {
    /// Opens a release, whose files must already be verified.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self {
            scenarios: scenarios::Release::open(folder)?,
            places: Arc::new(places::Release::open(folder)?),
            audiences: Arc::new(audiences::Release::open(folder)?),
            estimates: Arc::new(estimates::Release::open(folder)?),
            inventory: Arc::new(inventory::Release::open(folder)?),
            tiles: Arc::new(tiles::Release::open(folder)?),
        })
    }
}

impl Gateway {
    /// Creates the routers of all functions except the portal and the MCP server, whose settings depend on
    /// the local process.
    pub fn new(app: &App, releases: &Releases) -> Self {
        let Releases { scenarios, places, audiences, estimates, inventory, tiles } = releases;
        Self(HashMap::from([
            (Function::Campaigns, scenarios::campaigns::router(app, scenarios.clone())),
            (Function::Events, scenarios::events::router(app, scenarios.clone())),
            (Function::Places, places::router(app, places.clone())),
            (Function::Audiences, audiences::router(app, audiences.clone())),
            (Function::Estimates, estimates::router(app, estimates.clone(), own_measurement(app))),
            (Function::Inventory, inventory::router(app, inventory.clone())),
            (Function::Tiles, tiles::router(app, tiles.clone())),
            (Function::Account, account::router(app)),
        ]))
    }

    /// Adds or replaces a function's router.
    pub fn with(mut self, function: Function, router: Router) -> Self {
        self.0.insert(function, router);
        self
    }

    /// Replaces each function's router with the result of `around`, which can add middleware, for example.
    pub fn wrap(self, around: impl Fn(Function, Router) -> Router) -> Self {
        Self(self.0.into_iter().map(|(function, router)| (function, around(function, router))).collect())
    }

    /// Returns a function's router. The portal's and the MCP server's routers are empty until they are added.
    pub fn function(&self, function: Function) -> Router {
        self.0.get(&function).cloned().unwrap_or_default()
    }

    /// Returns a router that passes each request to the function for its path.
    pub fn into_router(self) -> Router {
        Router::new().fallback(dispatch).with_state(self)
    }
}

/// Returns the local process's settings for selling measurements, or `None` if no price is configured.
fn own_measurement(app: &App) -> Option<OwnMeasurement> {
    let credits = app.config.measurement_credits?;
    Some(OwnMeasurement { app: measurement_of(app, PurchaseNames::default()), credits })
}

async fn dispatch(State(gateway): State<Gateway>, request: Request) -> Response {
    let function = gateway.function(Function::of_path(request.uri().path()));
    // Run the call in a separate task, so that it finishes even if the client disconnects, as in a Lambda
    // function.
    match tokio::spawn(function.oneshot(request)).await {
        Ok(Ok(response)) => response,
        Ok(Err(never)) => match never {},
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

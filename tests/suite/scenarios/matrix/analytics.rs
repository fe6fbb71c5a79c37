use std::collections::BTreeSet;

use harness::{Answer, Call, DocumentedOperation, Fault, World, samples};
use serde_json::{Value, json};
use shared::types::{Scopes, Tier};

use super::{busy, drop_table};

/// More than any call may send.
const OVERSIZED_BYTES: usize = 7 * 1024 * 1024;

/// One of the operations that answer from a data release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnalyticsOperation {
    SearchPlaces,
    SearchPlacesAtTheGateway,
    ReadProfile,
    ReportPlaces,
    SearchCohorts,
    ReadPopulation,
    ListMarkets,
    SearchInventory,
}

impl AnalyticsOperation {
    const ALL: [Self; 8] = [
        Self::SearchPlaces,
        Self::SearchPlacesAtTheGateway,
        Self::ReadProfile,
        Self::ReportPlaces,
        Self::SearchCohorts,
        Self::ReadPopulation,
        Self::ListMarkets,
        Self::SearchInventory,
    ];

    pub(super) fn of(documented: &DocumentedOperation) -> Option<Self> {
        let is_documented = |operation: &Self| {
            let method = if operation.takes_a_body() { "POST" } else { "GET" };
            documented.method == method && documented.path.replace("{place_id}", "") == operation.path()
        };
        Self::ALL.into_iter().find(is_documented)
    }

    /// Returns the statuses that the specification names.
    pub(super) fn specified(self) -> BTreeSet<u16> {
        let own: &[u16] = match self {
            Self::SearchPlaces | Self::SearchPlacesAtTheGateway => &[400, 402],
            Self::ReadProfile => &[402, 404],
            Self::ReportPlaces | Self::ReadPopulation => &[400, 402, 404],
            Self::SearchCohorts | Self::ListMarkets => &[400],
            Self::SearchInventory => &[400, 402, 500],
        };
        own.iter().chain(&[200, 401, 403, 429]).copied().collect()
    }

    /// Returns the path, which in a profile's case the place's id follows.
    fn path(self) -> &'static str {
        match self {
            Self::SearchPlaces => "/v2/msearch",
            Self::SearchPlacesAtTheGateway => "/msearch",
            Self::ReadProfile => "/v2/place/profiles/",
            Self::ReportPlaces => "/v2/measures/place/report",
            Self::SearchCohorts => "/v2/cohorts/search",
            Self::ReadPopulation => "/v2/measures/population/at_home",
            Self::ListMarkets => "/v2/markets",
            Self::SearchInventory => "/msearch/inventory",
        }
    }

    fn takes_a_body(self) -> bool {
        !matches!(self, Self::ReadProfile | Self::ListMarkets)
    }

    fn costs_credits(self) -> bool {
        !matches!(self, Self::SearchCohorts | Self::ListMarkets)
    }

    /// Starts a call that is valid but for its credentials.
    fn call(self, world: &World) -> Call<'_> {
        let body = match self {
            Self::SearchPlaces | Self::SearchPlacesAtTheGateway => {
                json!({ "filter": { "city": "San Francisco" } })
            }
            Self::ReportPlaces => json!({ "place_id": [samples::place().raw()] }),
            Self::SearchCohorts => json!({ "service_data_product_name": "Population At Home" }),
            Self::ReadPopulation => population_of(&samples::segment("age_18_34")),
            Self::SearchInventory => json!({ "filter": { "state": "NY" } }),
            Self::ReadProfile => return world.get(&format!("{}{}", self.path(), samples::place())),
            Self::ListMarkets => return world.get(self.path()),
        };
        world.post(self.path()).json(&body)
    }

    /// Starts a call that is refused for what it asks.
    fn invalid(self, world: &World) -> Call<'_> {
        match self {
            // Every id has a valid form; two credentials are too many.
            Self::ReadProfile => self.call(world).bearer("x.y.z"),
            Self::ListMarkets => world.get(&format!("{}?limit=0", self.path())),
            _ => world.post(self.path()).json(&json!({ "unknown": 1 })),
        }
    }

    /// Starts a call for what is not in the release; `None` where nothing is named.
    fn unknown(self, world: &World) -> Option<Call<'_>> {
        let body = match self {
            Self::ReadProfile => return Some(world.get(&format!("{}1", self.path()))),
            Self::ReportPlaces => json!({ "place_id": [1] }),
            Self::ReadPopulation => population_of("01999999-9999-5999-8999-999999999999"),
            _ => return None,
        };
        Some(world.post(self.path()).json(&body))
    }

    /// Drives the operation to a status; `None` when there is no case for it.
    pub(super) async fn drive(self, status: u16) -> Option<Answer> {
        let world = World::new().await;
        let org = world.org("org_a").await;
        let body = |content_type: &str, bytes: usize| {
            let body = json!({ "filter": { "city": "x".repeat(bytes) } });
            self.takes_a_body().then(|| world.post(self.path()).bytes(content_type, body.to_string()))
        };
        let (call, key) = match status {
            200 => (self.call(&world), org.key),
            400 => (self.invalid(&world), org.key),
            401 => (self.call(&world), "nonsense".to_owned()),
            402 if self.costs_credits() => {
                (self.call(&world), world.org_with("org_broke", Tier::Enterprise, 0).await.key)
            }
            403 => (self.call(&world), world.key(&org.id, Scopes::default()).await),
            404 => (self.unknown(&world)?, org.key),
            413 => (body("application/json", OVERSIZED_BYTES)?, org.key),
            415 => (body("text/plain", 1)?, org.key),
            429 => (self.call(&world), busy(&world).await.key),
            500 => {
                drop_table(&world, "accounts").await;
                (self.call(&world), org.key)
            }
            503 => {
                world.wire.break_with(|_| Fault::ErrorBeforeCommit);
                (self.call(&world), org.key)
            }
            _ => return None,
        };
        let at_the_gateway = matches!(self, Self::SearchPlacesAtTheGateway | Self::SearchInventory);
        let header = if at_the_gateway { "apikey" } else { "x-api-key" };
        Some(call.header(header, &key).send().await)
    }
}

fn population_of(segment: &str) -> Value {
    json!({ "service_segment_id": segment, "geography_type": ["DMA"] })
}

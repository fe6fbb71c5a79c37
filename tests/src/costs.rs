//! What each call costs in DynamoDB: its operations and their capacity units, counted at the SDK.

use axum::Router;
use serde_json::{Value, json};
use shared::types::Family;

use crate::{Call, PUBLIC_URL, Sent, TestOrg, World, samples};

/// The database operations of one call.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The call.
    pub call: String,
    /// Its operations, in no particular order where they run side by side.
    pub operations: Vec<Sent>,
}

impl Cost {
    /// Returns the calls of the database that read, and the units that they consume.
    pub fn reads(&self) -> (usize, f64) {
        sum(self.operations.iter().filter(|sent| !sent.is_write()))
    }

    /// Returns the calls of the database that write, and the units that they consume.
    pub fn writes(&self) -> (usize, f64) {
        sum(self.operations.iter().filter(|sent| sent.is_write()))
    }

    /// Shows the cost as a row of a table.
    pub fn row(&self) -> String {
        let ((reads, read_units), (writes, write_units)) = (self.reads(), self.writes());
        format!("{:<36} {reads} ({read_units}) {writes} ({write_units})  {}", self.call, self.names())
    }

    fn names(&self) -> String {
        let mut names: Vec<_> = self.operations.iter().map(|sent| sent.operation.as_str()).collect();
        names.sort_unstable();
        names.join(", ")
    }
}

fn sum<'a>(operations: impl Iterator<Item = &'a Sent>) -> (usize, f64) {
    operations.fold((0, 0.0), |(count, units), sent| (count + 1, units + sent.units))
}

/// Counts what the calls in a warm process cost.
pub struct Costs<'a> {
    world: &'a World,
    org: &'a TestOrg,
    router: Router,
    /// The costs so far.
    pub counted: Vec<Cost>,
}

impl<'a> Costs<'a> {
    /// Starts a process and warms it up for an organization: its key and its account are remembered.
    pub async fn new(world: &'a World, org: &'a TestOrg) -> Self {
        let (_, router) = world.another_process(5).await;
        let costs = Self { world, org, router, counted: Vec::new() };
        let warm = world.get("/v2/scenarios/campaigns/summary").key(&org.key);
        assert_eq!(warm.send_to(costs.router.clone()).await.status, 200);
        costs
    }

    /// Counts a call that must succeed, and returns its answer.
    pub async fn call(&mut self, name: &str, call: Call<'_>) -> crate::Answer {
        self.world.wire.record();
        let answer = call.key(&self.org.key).send_to(self.router.clone()).await;
        assert!(answer.status.is_success(), "{name}: {} {}", answer.status, answer.text());
        self.take(name);
        answer
    }

    /// Counts a measurement event that must be applied.
    pub async fn event(&mut self, path: &str, event_type: &str) {
        self.world.wire.record();
        let outcome = self.world.measure(self.org, path, event_type).await;
        assert_eq!(outcome, measurement::Outcome::Applied, "{event_type}");
        self.take(&format!("measurement {event_type}"));
    }

    fn take(&mut self, call: &str) {
        self.counted.push(Cost { call: call.to_owned(), operations: self.world.wire.take() });
    }
}

/// Counts every operation of the interface and every measurement event, on ordinary assets.
pub async fn count_all() -> Vec<Cost> {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut costs = Costs::new(&world, &org).await;
    for family in [Family::Campaign, Family::Event] {
        let library = samples::library(family);
        let short = library.trim_start_matches("/v2/scenarios");
        let body = samples::body(family);
        let created = costs.call(&format!("POST {short}"), world.post(library).json(&body)).await;
        let path = path_of(library, &created.data());
        costs.call(&format!("GET {short}/{{asset_id}}"), world.get(&path)).await;
        costs.call(&format!("PATCH {short}/{{asset_id}}"), world.patch(&path).json(&json!({}))).await;
        for _ in 0..29 {
            world.draft(&org, family).await;
        }
        costs.call(&format!("GET {short} (30)"), world.get(&format!("{library}?limit=30"))).await;
        let by_state = format!("{library}?state=draft&limit=30");
        costs.call(&format!("GET {short}?state (30)"), world.get(&by_state)).await;
        costs.call(&format!("GET {short}/summary"), world.get(&format!("{library}/summary"))).await;
        costs.call(&format!("DELETE {short}/{{asset_id}}"), world.delete(&path)).await;
        let queued = world.draft(&org, family).await;
        world.bring_to(&org, &queued, "queued").await;
        costs.call(&format!("DELETE {short}/{{asset_id}} queued"), world.delete(&queued)).await;
    }
    costs.call("GET /billing/credits", world.get("/v2/billing/credits")).await;
    costs.call("GET /health", world.get("/v2/health")).await;
    costs.call("GET /openapi.yaml", world.get("/v2/openapi.yaml")).await;
    let path = world.draft(&org, Family::Campaign).await;
    for event_type in ["purchased", "started", "measured", "completed"] {
        costs.event(&path, event_type).await;
    }
    let path = world.draft(&org, Family::Campaign).await;
    world.bring_to(&org, &path, "queued").await;
    costs.event(&path, "failed").await;
    let mut counted = costs.counted;
    counted.extend(count_analytics(&world).await);
    counted.extend(count_tiles(&world).await);
    counted
}

/// Counts the operations that a data release answers, for an organization that uses nothing else.
async fn count_analytics(world: &World) -> Vec<Cost> {
    let org = world.org("org_b").await;
    let mut costs = Costs::new(world, &org).await;
    let profile = format!("/v2/place/profiles/{}", samples::place());
    let report = json!({ "place_id": [samples::place().raw()] });
    let cohorts = json!({ "service_data_product_name": "Population At Home" });
    let at_home = json!({ "service_segment_id": samples::segment("age_18_34"), "geography_type": ["DMA"] });
    let posted = [
        ("/msearch", json!({})),
        ("/measures/place/report", report),
        ("/cohorts/search", cohorts),
        ("/measures/population/at_home", at_home),
    ];
    for (path, body) in posted {
        costs.call(&format!("POST {path}"), world.post(&format!("/v2{path}")).json(&body)).await;
    }
    costs.call("GET /place/profiles/{place_id}", world.get(&profile)).await;
    costs.call("GET /markets", world.get("/v2/markets")).await;
    let inventory = world.post("/msearch/inventory").header("apikey", &org.key);
    costs.call("POST /msearch/inventory", inventory.json(&json!({}))).await;
    costs.counted
}

/// Counts the calls about a grant, and what it shows in a process that remembers it.
async fn count_tiles(world: &World) -> Vec<Cost> {
    let org = world.org("org_c").await;
    let mut costs = Costs::new(world, &org).await;
    let grants = "/v2/places/tiles/grants";
    let body = json!({ "allowed_origins": ["https://maps.example.com"] });
    let minted = costs.call("POST /places/tiles/grants", world.post(grants).json(&body)).await.data();
    let grant = format!("{grants}/{}", minted["grant_id"].as_str().expect("an id"));
    costs.call("GET /places/tiles/grants", world.get(grants)).await;
    costs.call("GET /places/tiles/grants/{grant_id}", world.get(&grant)).await;
    let tilejson =
        costs.call("GET .../{grant_id}/tilejson", world.get(&format!("{grant}/tilejson"))).await.json();
    let tile = tilejson["tiles"][0].as_str().expect("an address").replace("{z}/{x}/{y}", "0/0/0");
    costs.call("GET /places/tiles/places/0/0/0.mvt", world.get(tile.trim_start_matches(PUBLIC_URL))).await;
    costs.call("DELETE /places/tiles/grants/{grant_id}", world.delete(&grant)).await;
    costs.counted
}

fn path_of(library: &str, asset: &Value) -> String {
    format!("{library}/{}", asset["asset_id"].as_str().expect("an id"))
}

/// Shows costs as a table.
pub fn table(costs: &[Cost]) -> String {
    let head = format!("{:<36} reads (units) writes (units)  operations\n", "call");
    head + &costs.iter().map(|cost| cost.row() + "\n").collect::<String>()
}

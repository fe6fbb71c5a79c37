//! What each call costs in DynamoDB: its operations and their capacity units, counted at the SDK.

use axum::Router;
use shared::types::Family;

use crate::{Call, FUNCTIONS, OPERATIONS, Sent, TestOrg, World, samples};

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

    /// Shows the cost: calls that read and that write, each with their units, and the names of all.
    pub fn bill(&self) -> String {
        let ((reads, read_units), (writes, write_units)) = (self.reads(), self.writes());
        let bill = format!("{reads} ({read_units}) {writes} ({write_units})  {}", self.names());
        bill.trim_end().to_owned()
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
    /// The process.
    pub router: Router,
    /// The costs so far.
    pub counted: Vec<Cost>,
}

impl<'a> Costs<'a> {
    /// Starts a process and warms it up for an organization: its key and its account are remembered.
    pub async fn new(world: &'a World, org: &'a TestOrg) -> Self {
        // A seed of its own: two processes that draw the same tokens look like one that repeats itself.
        let (_, router) = world.another_process(world.app.random.below(u64::MAX)).await;
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

/// Counts every call that [`count_operations`] and [`count_variants`] do.
pub async fn count_all() -> Vec<Cost> {
    let mut counted = count_operations().await;
    counted.extend(count_variants().await);
    counted
}

/// Counts a good call of each operation, in the order of the golden table. The organization that calls a
/// function uses nothing else; a library has 30 assets.
pub async fn count_operations() -> Vec<Cost> {
    let world = World::new().await;
    let mut counted = Vec::new();
    for (binary, function) in FUNCTIONS {
        let org = world.org(&format!("org_{binary}")).await;
        let mut costs = Costs::new(&world, &org).await;
        for operation in OPERATIONS.iter().filter(|operation| operation.function == function) {
            if let Some(family) = operation.family().filter(|_| costs.counted.is_empty()) {
                fill(&world, &org, family).await;
            }
            let path = operation.path_for(&world, &org, &costs.router).await;
            let call = operation.call(&world, &path);
            let call = match operation.key_header() {
                "x-api-key" => call,
                other => call.header(other, &org.key),
            };
            costs.call(&operation.name(), call).await;
        }
        counted.extend(costs.counted);
    }
    let place = |cost: &Cost| OPERATIONS.iter().position(|operation| operation.name() == cost.call);
    counted.sort_by_key(place);
    counted
}

/// Counts other calls of the libraries, and every measurement event, on ordinary assets.
pub async fn count_variants() -> Vec<Cost> {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut costs = Costs::new(&world, &org).await;
    for family in [Family::Campaign, Family::Event] {
        let library = samples::library(family);
        fill(&world, &org, family).await;
        for query in ["limit=30", "state=draft&limit=30"] {
            let path = format!("{library}?{query}");
            costs.call(&format!("GET {path}"), world.get(&path)).await;
        }
        let queued = world.draft(&org, family).await;
        world.bring_to(&org, &queued, "queued").await;
        costs.call(&format!("DELETE {library}/{{asset_id}} queued"), world.delete(&queued)).await;
    }
    let path = world.draft(&org, Family::Campaign).await;
    for event_type in ["purchased", "started", "measured", "completed"] {
        costs.event(&path, event_type).await;
    }
    let path = world.draft(&org, Family::Campaign).await;
    world.bring_to(&org, &path, "queued").await;
    costs.event(&path, "failed").await;
    costs.counted
}

async fn fill(world: &World, org: &TestOrg, family: Family) {
    for _ in 0..30 {
        world.draft(org, family).await;
    }
}

/// Shows costs as a table.
pub fn table(costs: &[Cost]) -> String {
    let head = format!("{:<52} reads (units) writes (units)  operations\n", "call");
    head + &costs.iter().map(|cost| format!("{:<52} {}\n", cost.call, cost.bill())).collect::<String>()
}

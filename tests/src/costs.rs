//! Measures the DynamoDB operations and capacity units that each call uses, as the engine reports them.

use accounting::{ACCOUNT_API_CALLS_PER_MINUTE, Scope, Tier};
use axum::Router;
use store::Family;

use crate::{Call, FUNCTIONS, OPERATIONS, Sent, TestOrg, World, samples};

#[derive(Clone, Debug)]
pub struct Cost {
    pub call: String,
    /// In the order in which they were sent, except that the order of concurrent operations is arbitrary.
    pub operations: Vec<Sent>,
}

impl Cost {
    pub fn reads(&self) -> (usize, f64) {
        sum(self.operations.iter().filter(|sent| !sent.is_write()))
    }

    pub fn writes(&self) -> (usize, f64) {
        sum(self.operations.iter().filter(|sent| sent.is_write()))
    }

    /// Formats the reads and the writes with their capacity units, followed by the names of all operations.
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

/// Measures the cost of calls in a warm process.
pub struct Costs<'a> {
    world: &'a World,
    org: &'a TestOrg,
    pub router: Router,
    pub counted: Vec<Cost>,
}

impl<'a> Costs<'a> {
    /// Starts a process and warms its cache with an organization's key and account.
    pub async fn new(world: &'a World, org: &'a TestOrg) -> Self {
        // The seed is unique because two processes with the same random tokens would look like one process
        // that retries.
        let (_, router) = world.another_process(world.app.random.below(u64::MAX)).await;
        let costs = Self { world, org, router, counted: Vec::new() };
        costs.warm_up().await;
        costs
    }

    /// Makes the process cache the account again after other processes have changed it.
    async fn warm_up(&self) {
        let warm = self.world.get("/v2/scenarios/campaigns/summary").key(&self.org.key);
        assert_eq!(warm.send_to(self.router.clone()).await.status, 200);
    }

    /// Makes the process cache a person, as the person's first call would.
    async fn meet(&self, (header, value): (&str, &str)) {
        let first = self.world.get("/v2/account").header(header, value);
        assert_eq!(first.send_to(self.router.clone()).await.status, 200);
    }

    /// Measures a call with the organization's key. The call must succeed.
    pub async fn call(&mut self, name: &str, call: Call<'_>) -> crate::Answer {
        self.send(name, call.key(&self.org.key)).await
    }

    /// Measures a call that already has credentials. The call must succeed.
    async fn send(&mut self, name: &str, call: Call<'_>) -> crate::Answer {
        self.start();
        let answer = call.send_to(self.router.clone()).await;
        assert!(answer.status.is_success(), "{name}: {} {}", answer.status, answer.text());
        self.take(name);
        answer
    }

    /// Measures the cost of processing a measurement event, which must be applied.
    pub async fn event(&mut self, path: &str, event_type: &str) {
        self.start();
        let outcome = self.world.measure(self.org, path, event_type).await;
        assert!(outcome.is_applied(), "{event_type}: {outcome:?}");
        self.take(&format!("measurement {event_type}"));
    }

    /// Advances the clock by a millisecond and starts recording. Two changes in the same millisecond would
    /// cost less than they do in production.
    fn start(&self) {
        self.world.clock.advance(1);
        self.world.wire.record();
    }

    fn take(&mut self, call: &str) {
        self.counted.push(Cost { call: call.to_owned(), operations: self.world.wire.take() });
    }
}

/// Measures everything that [`count_operations`], [`count_variants`], and [`count_refusals`] measure.
pub async fn count_all() -> Vec<Cost> {
    let mut counted = count_operations().await;
    counted.extend(count_variants().await);
    counted.extend(count_refusals().await);
    counted
}

/// Measures one successful call of each operation, in openapi.yaml's order. Each function gets its own
/// organization, and each library contains 30 assets.
pub async fn count_operations() -> Vec<Cost> {
    let world = World::new().await;
    let mut counted = Vec::new();
    for (binary, function) in FUNCTIONS {
        let org = world.org(&format!("org_{binary}")).await;
        let mut costs = Costs::new(&world, &org).await;
        for operation in OPERATIONS.iter().filter(|operation| operation.function == function) {
            if let Some(family) = operation.family().filter(|_| costs.counted.is_empty()) {
                fill(&world, &org, family).await;
                costs.warm_up().await;
            }
            let path = operation.path_for(&world, &org, &costs.router).await;
            let call = operation.call(&world, &path);
            let (header, value) = operation.credential(&world, &org).await;
            if operation.is_for_people() {
                costs.meet((header, &value)).await;
            }
            costs.send(&operation.name(), call.header(header, &value)).await;
        }
        counted.extend(costs.counted);
    }
    let place = |cost: &Cost| OPERATIONS.iter().position(|operation| operation.name() == cost.call);
    counted.sort_by_key(place);
    counted
}

/// Measures the remaining library calls and every type of measurement event, for assets of ordinary size.
pub async fn count_variants() -> Vec<Cost> {
    let (world, org) = World::with_org().await;
    let mut costs = Costs::new(&world, &org).await;
    for family in [Family::Campaign, Family::Event] {
        let library = samples::library(family);
        fill(&world, &org, family).await;
        costs.warm_up().await;
        let queries = [
            "limit=30",
            "state=draft&limit=30",
            "state=draft,queued&limit=30",
            "customer_scenario_id=other",
            "customer_id=0",
            "name=s&limit=30",
            "name=x",
        ];
        let (asset, mut moved) = (world.draft(&org, family).await, samples::body(family));
        moved["customer"]["customer_scenario_id"] = "other".into();
        let edit = || world.patch(&asset);
        costs
            .call(&format!("PATCH {library}/{{asset_id}} unchanged"), edit().json(&samples::body(family)))
            .await;
        costs.call(&format!("PATCH {library}/{{asset_id}} customer_scenario_id"), edit().json(&moved)).await;
        for query in queries {
            let path = format!("{library}?{query}");
            costs.call(&format!("GET {path}"), world.get(&path)).await;
        }
        let queued = world.draft(&org, family).await;
        world.bring_to(&org, &queued, "queued").await;
        costs.call(&format!("DELETE {library}/{{asset_id}} queued"), world.delete(&queued)).await;
        for name in ["with a new idempotency key", "with the same idempotency key"] {
            let create = world.post(library).json(&samples::body(family)).header("idempotency-key", "k-1");
            costs.call(&format!("POST {library} {name}"), create).await;
        }
    }
    let small = world.org_with("org_b", Tier::Enterprise, 2).await;
    let mut last = Costs::new(&world, &small).await;
    let summary = "/v2/scenarios/campaigns/summary";
    last.call(&format!("GET {summary}, using up a grant"), world.get(summary)).await;
    costs.counted.extend(last.counted);
    let path = world.draft(&org, Family::Campaign).await;
    for event_type in ["purchased", "started", "measured", "completed"] {
        costs.event(&path, event_type).await;
    }
    let path = world.draft(&org, Family::Campaign).await;
    world.bring_to(&org, &path, "queued").await;
    costs.event(&path, "failed").await;
    count_newcomer(&world, &mut costs).await;
    costs.counted
}

/// Measures a person's calls before and after they join an organization.
async fn count_newcomer(world: &World, costs: &mut Costs<'_>) {
    let (token, organization) = (world.newcomer_token(), "/v2/account/organization");
    costs.meet(("authorization", &format!("Bearer {token}"))).await;
    costs.send("GET /v2/account without an organization", world.get("/v2/account").bearer(&token)).await;
    let sign_up = || world.post(organization).json(&samples::sign_up()).bearer(&token);
    assert_eq!(sign_up().send().await.status, 200);
    costs.send(&format!("POST {organization} again"), sign_up()).await;
}

/// Measures refused calls for each kind of caller. The key and the account are already cached unless the
/// call's name says that it is the first one.
pub async fn count_refusals() -> Vec<Cost> {
    let world = World::new().await;
    let population = samples::population_at_home();
    let mut counted = Vec::new();
    let mut count = async |name: &str, status: u16, call: Call<'_>| {
        world.wire.record();
        let answer = call.send().await;
        assert_eq!(answer.status.as_u16(), status, "{name}: {}", answer.text());
        counted.push(Cost { call: format!("{status} {name}"), operations: world.wire.take() });
    };
    let ask = || world.post("/v2/measures/population/at_home").json(&population);

    let unknown = format!("mq_live_{}", "0".repeat(64));
    count("no key", 401, world.get("/v2/markets")).await;
    count("a malformed key", 401, world.get("/v2/markets").key("nonsense")).await;
    count("an unknown key", 401, world.get("/v2/markets").key(&unknown)).await;
    count("a malformed bearer token", 401, ask().bearer("x.y.z")).await;

    let org = world.org_with("org_spent", Tier::Sandbox, 0).await;
    let narrow = world.key(&org.id, [Scope::Tiles].into_iter().collect()).await;
    count("a key without the scope, first call", 403, ask().key(&narrow)).await;
    count("a key without the scope", 403, ask().key(&narrow)).await;
    while ask().key(&org.key).send().await.credits_remaining() > 0 {
        world.clock.advance(20_000);
    }
    world.clock.advance(60_000);
    count("a key without credits, first call of a minute", 402, ask().key(&org.key)).await;
    for _ in 0..8 {
        count("a key without credits", 402, ask().key(&org.key)).await;
    }
    let token = world.bearer(&org).await;
    count("a bearer token without credits, first call", 402, ask().bearer(&token)).await;
    count("a key over its rate limit", 429, ask().key(&org.key)).await;
    count("a bearer token over its rate limit", 429, ask().bearer(&token)).await;

    let org = world.org("org_suspended").await;
    assert_eq!(ask().key(&org.key).send().await.status, 200);
    world.administrator.suspend(&org.id).await.expect("a response");
    count("a key of a suspended organization, first call", 403, ask().key(&org.key)).await;
    count("a key of a suspended organization", 403, ask().key(&org.key)).await;
    world.clock.advance(30_000);
    count("a key of a suspended organization, after 30 s", 403, ask().key(&org.key)).await;

    for _ in 0..5 {
        assert_eq!(ask().send().await.status, 200);
    }
    count("a session over its rate limit", 429, ask()).await;
    let mut left = 1;
    while left > 0 {
        world.clock.advance(20_000);
        left = ask().send().await.credits_remaining();
    }
    world.clock.advance(60_000);
    count("a session without credits", 402, ask()).await;

    let token = world.newcomer_token();
    for _ in 0..ACCOUNT_API_CALLS_PER_MINUTE {
        assert_eq!(world.get("/v2/account").bearer(&token).send().await.status, 200);
    }
    count("a person over the account API limit", 429, world.get("/v2/account").bearer(&token)).await;
    counted.dedup_by(|one, other| one.call == other.call && one.bill() == other.bill());
    counted
}

async fn fill(world: &World, org: &TestOrg, family: Family) {
    for _ in 0..30 {
        world.draft(org, family).await;
    }
}

/// Formats the costs as a plain-text table.
pub fn table(costs: &[Cost]) -> String {
    let head = format!("{:<52} reads (units) writes (units)  operations\n", "call");
    head + &costs.iter().map(|cost| format!("{:<52} {}\n", cost.call, cost.bill())).collect::<String>()
}

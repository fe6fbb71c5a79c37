use std::collections::BTreeSet;

use harness::{Answer, Call, PUBLIC_URL, Sent, TestOrg, World, samples};
use measurement::Outcome;
use serde_json::{Value, json};
use shared::types::{Family, Scopes};

use super::template::{Statement, Template};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// What one request does to one item, or to one partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    action: String,
    table: String,
    index: Option<String>,
    partition: String,
}

impl Access {
    fn new(action: &str, request: &Value, partition: &Value) -> Self {
        let table = request["TableName"].as_str().expect("a table");
        Self {
            action: format!("dynamodb:{action}"),
            table: logical_name(table).to_owned(),
            index: request["IndexName"].as_str().map(str::to_owned),
            partition: partition.as_str().expect("a partition").to_owned(),
        }
    }

    /// Returns what IAM is asked for a request: a transaction needs the actions of its parts.
    fn of(sent: &Sent) -> Vec<Self> {
        let body = &sent.body;
        let keyed = |action: &str, request: &Value| {
            let key = if action == "PutItem" { "Item" } else { "Key" };
            Self::new(action, request, &request[key]["pk"]["S"])
        };
        match sent.operation.as_str() {
            "TransactWriteItems" => {
                let parts = body["TransactItems"].as_array().expect("writes").iter();
                parts
                    .flat_map(|part| part.as_object().expect("one write"))
                    .map(|(kind, request)| {
                        let action = if kind == "ConditionCheck" {
                            "ConditionCheckItem".to_owned()
                        } else {
                            format!("{kind}Item")
                        };
                        keyed(&action, request)
                    })
                    .collect()
            }
            "BatchGetItem" => {
                let tables = body["RequestItems"].as_object().expect("tables").iter();
                tables
                    .flat_map(|(table, wanted)| {
                        wanted["Keys"].as_array().expect("keys").iter().map(move |key| (table, key))
                    })
                    .map(|(table, key)| {
                        Self::new("BatchGetItem", &json!({ "TableName": table }), &key["pk"]["S"])
                    })
                    .collect()
            }
            "Query" => {
                let condition = body["KeyConditionExpression"].as_str().expect("a condition");
                let name = condition.split_whitespace().nth(2).expect("`pk = :value`");
                vec![Self::new("Query", body, &body["ExpressionAttributeValues"][name]["S"])]
            }
            action @ ("GetItem" | "PutItem" | "UpdateItem" | "DeleteItem") => vec![keyed(action, body)],
            other => panic!("no function may call {other}"),
        }
    }

    fn is_allowed_by(&self, statement: &Statement) -> bool {
        self.is_of(statement, &self.action)
            && statement.leading_keys.iter().any(|pattern| matches(pattern, &self.partition))
    }

    fn is_of(&self, statement: &Statement, action: &str) -> bool {
        let resource = statement.table() == Some((self.table.as_str(), self.index.as_deref()));
        resource && self.action == action && statement.actions.iter().any(|allowed| allowed == action)
    }
}

fn logical_name(table: &str) -> &'static str {
    match table {
        "marquee-accounts" => "AccountsTable",
        "marquee-credentials" => "CredentialsTable",
        "marquee-assets" => "AssetsTable",
        other => panic!("no table {other}"),
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => text.starts_with(prefix),
        None => text == pattern,
    }
}

/// A process of its own, whose memory is empty, and the database requests that it makes.
struct Observed<'a> {
    world: &'a World,
    router: axum::Router,
    seen: BTreeSet<Access>,
}

impl<'a> Observed<'a> {
    async fn new(world: &'a World) -> Self {
        // A seed of its own: two processes that draw the same tokens look like one that repeats itself.
        let (_, router) = world.another_process(world.app.random.below(u64::MAX)).await;
        Self { world, router, seen: BTreeSet::new() }
    }

    async fn send(&mut self, call: Call<'_>) -> Answer {
        self.world.wire.record();
        let answer = call.send_to(self.router.clone()).await;
        assert!(answer.status.is_success(), "{}: {}", answer.status, answer.text());
        self.note();
        answer
    }

    async fn measure(&mut self, org: &TestOrg, path: &str, event_type: &str) {
        self.world.wire.record();
        let outcome = self.world.measure(org, path, event_type).await;
        assert_eq!(outcome, Outcome::Applied, "{event_type}");
        self.note();
    }

    fn note(&mut self) {
        self.seen.extend(self.world.wire.take().iter().flat_map(Access::of));
    }

    /// Holds what was seen to a function's policy, both ways.
    fn assert_policy(&self, binary: &str) {
        let statements = Template::read().statements(binary);
        for access in &self.seen {
            let allowed = statements.iter().any(|statement| access.is_allowed_by(statement));
            assert!(allowed, "{binary} may not do what it does: {access:?}");
        }
        for statement in statements.iter().filter(|statement| statement.table().is_some()) {
            for action in &statement.actions {
                let used = self.seen.iter().any(|access| access.is_of(statement, action));
                assert!(used, "{binary} is allowed {action} on {} and never does it", statement.resource);
            }
            for pattern in &statement.leading_keys {
                let mut of_statement = self.seen.iter().filter(|access| access.is_allowed_by(statement));
                let used = of_statement.any(|access| matches(pattern, &access.partition));
                assert!(used, "{binary} is allowed {pattern} in {} and never uses it", statement.resource);
            }
        }
    }
}

/// Returns a body whose compressed form does not fit into one item.
fn large(world: &World, family: Family) -> Value {
    let mut body = samples::body(family);
    let digits = |_| char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[world.app.random.below(36) as usize]);
    let text: String = (0..1_200_000).map(digits).collect();
    match family {
        Family::Campaign => body["campaign"]["reference"] = text.into(),
        Family::Event => body["description"] = text.into(),
    }
    body
}

/// Calls every operation of a library, on small and large assets, by key and by token, today and tomorrow.
async fn use_library<'a>(world: &'a World, org: &TestOrg, family: Family) -> Observed<'a> {
    let library = samples::library(family);
    let mut observed = Observed::new(world).await;
    let mut paths = Vec::new();
    for body in [samples::body(family), large(world, family), samples::body(family)] {
        let created = observed.send(world.post(library).key(&org.key).json(&body)).await;
        paths.push(format!("{library}/{}", created.data()["asset_id"].as_str().expect("an id")));
    }
    let token = world.bearer(org).await;
    for path in
        [library, &format!("{library}?state=draft"), &format!("{library}/summary"), &paths[0], &paths[1]]
    {
        observed.send(world.get(path).key(&org.key)).await;
        observed.send(world.get(path).bearer(&token)).await;
    }
    let small = samples::body(family);
    observed.send(world.patch(&paths[1]).key(&org.key).json(&small)).await;
    world.bring_to(org, &paths[2], "queued").await;
    for path in &paths {
        observed.send(world.delete(path).key(&org.key)).await;
    }
    world.clock.advance(DAY_MILLIS);
    observed.send(world.get(library).key(&org.key)).await;
    observed
}

#[tokio::test]
async fn each_library_may_do_just_what_it_does() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (family, binary) in [(Family::Campaign, "campaigns"), (Family::Event, "events")] {
        use_library(&world, &org, family).await.assert_policy(binary);
    }
}

/// A call that a data release answers.
struct Asked<'a> {
    path: &'a str,
    /// What is posted; without, it is a `GET`.
    body: Option<Value>,
    takes_tokens: bool,
    takes_anyone: bool,
}

impl Asked<'_> {
    fn call<'a>(&self, world: &'a World) -> Call<'a> {
        match &self.body {
            Some(body) => world.post(self.path).json(body),
            None => world.get(self.path),
        }
    }
}

/// Makes calls by key, by token, and in an anonymous session, today and tomorrow.
async fn ask<'a>(world: &'a World, org: &TestOrg, calls: &[Asked<'_>]) -> Observed<'a> {
    let mut observed = Observed::new(world).await;
    let token = world.bearer(org).await;
    for asked in calls {
        observed.send(asked.call(world).key(&org.key)).await;
        if asked.takes_tokens {
            observed.send(asked.call(world).bearer(&token)).await;
        }
    }
    let mut session = String::new();
    for asked in calls.iter().filter(|asked| asked.takes_anyone) {
        let answer = observed.send(asked.call(world).header("x-session-token", &session)).await;
        if answer.headers.contains_key("x-session-token") {
            session = answer.header("x-session-token").to_owned();
        }
    }
    world.clock.advance(DAY_MILLIS);
    observed.send(calls[0].call(world).key(&org.key)).await;
    observed.send(calls[0].call(world).header("x-session-token", &session)).await;
    observed
}

#[tokio::test]
async fn places_and_audiences_may_do_just_what_they_do() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let report = json!({ "place_id": [samples::place().raw()] });
    let profile = format!("/v2/place/profiles/{}", samples::place());
    let cohorts = json!({ "service_data_product_name": "Population At Home" });
    let at_home = json!({ "service_segment_id": samples::segment("age_18_34"), "geography_type": ["DMA"] });
    let asked = |path, body, takes_tokens, takes_anyone| Asked { path, body, takes_tokens, takes_anyone };
    let of_places = [
        asked("/v2/msearch", Some(json!({})), true, true),
        asked("/v2/measures/place/report", Some(report), true, false),
        asked(&profile, None, true, false),
    ];
    ask(&world, &org, &of_places).await.assert_policy("places");
    let of_audiences = [
        asked("/v2/measures/population/at_home", Some(at_home), true, true),
        asked("/v2/cohorts/search", Some(cohorts), true, true),
        asked("/v2/markets", None, false, false),
    ];
    ask(&world, &org, &of_audiences).await.assert_policy("audiences");
}

#[tokio::test]
async fn inventory_may_do_just_what_it_does() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut observed = Observed::new(&world).await;
    let search = || world.post("/msearch/inventory").header("apikey", &org.key).json(&json!({}));
    observed.send(search()).await;
    world.clock.advance(DAY_MILLIS);
    observed.send(search()).await;
    // Those who may not search are looked up no further than it takes to say so.
    let other = world.key(&org.id, Scopes::default()).await;
    let token = world.bearer(&org).await;
    let refused = || world.post("/msearch/inventory").json(&json!({}));
    for (call, status) in [
        (refused(), 401),
        (refused().header("apikey", &other), 403),
        (refused().bearer(&token), 403),
        (refused().header("apikey", &org.key).bearer(&token), 400),
    ] {
        world.wire.record();
        assert_eq!(call.send_to(observed.router.clone()).await.status, status);
        observed.note();
    }
    observed.assert_policy("inventory");
}

#[tokio::test]
async fn tiles_may_do_just_what_they_do() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut observed = Observed::new(&world).await;
    let grants = "/v2/displays/tiles/grants";
    let body = json!({ "allowed_origins": ["https://maps.example.com"] });
    let minted = observed.send(world.post(grants).key(&org.key).json(&body)).await.data();
    let grant = format!("{grants}/{}", minted["grant_id"].as_str().expect("an id"));
    let tilejson = observed.send(world.get(&format!("{grant}/tilejson"))).await.json();
    let tile = tilejson["tiles"][0].as_str().expect("an address").replace("{z}/{x}/{y}", "0/0/0");
    observed.send(world.get(tile.trim_start_matches(PUBLIC_URL))).await;
    for path in [grants, &grant] {
        observed.send(world.get(path).key(&org.key)).await;
    }
    observed.send(world.delete(&grant).key(&org.key)).await;
    world.clock.advance(DAY_MILLIS);
    observed.send(world.get(grants).key(&org.key)).await;
    observed.assert_policy("tiles");
}

#[tokio::test]
async fn the_account_function_may_do_just_what_it_does() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut observed = Observed::new(&world).await;
    for path in ["/v2/health", "/v2/openapi.yaml"] {
        observed.send(world.get(path)).await;
    }
    observed.send(world.get("/v2/health").key(&org.key)).await;
    for _day in 0..2 {
        observed.send(world.get("/v2/billing/credits").key(&org.key)).await;
        world.clock.advance(DAY_MILLIS);
    }
    let token = world.bearer(&org).await;
    observed.send(world.get("/v2/billing/credits").bearer(&token)).await;
    observed.assert_policy("account");
}

#[tokio::test]
async fn measurement_may_do_just_what_it_does() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut observed = Observed::new(&world).await;
    for family in [Family::Campaign, Family::Event] {
        for lives in [["purchased", "started", "measured", "completed"].as_slice(), &["purchased", "failed"]]
        {
            let path = world.draft(&org, family).await;
            for event_type in lives {
                observed.measure(&org, &path, event_type).await;
            }
        }
        let path = world.draft(&org, family).await;
        world.clock.advance(DAY_MILLIS);
        observed.measure(&org, &path, "purchased").await;
        let deleted = world.delete(&path).key(&org.key).send().await;
        assert_eq!(deleted.status, 204);
        observed.measure(&org, &path, "failed").await;
    }
    observed.assert_policy("measurement");
}

#[test]
fn an_action_on_another_familys_partition_is_not_allowed() {
    let access = |partition: &str, action: &str| Access {
        action: action.to_owned(),
        table: "AssetsTable".to_owned(),
        index: None,
        partition: partition.to_owned(),
    };
    let cases = [
        ("campaigns", "campaign#org_a", "dynamodb:GetItem", true),
        ("campaigns", "event#org_a", "dynamodb:GetItem", false),
        ("campaigns", "measured#e-1", "dynamodb:PutItem", false),
        ("events", "event#org_a", "dynamodb:PutItem", true),
        ("events", "campaign#org_a", "dynamodb:PutItem", false),
        ("account", "campaign#org_a", "dynamodb:GetItem", false),
        ("measurement", "measured#e-1", "dynamodb:PutItem", true),
        ("measurement", "org#org_a", "dynamodb:PutItem", false),
        ("places", "campaign#org_a", "dynamodb:GetItem", false),
        ("audiences", "event#org_a", "dynamodb:Query", false),
        ("inventory", "campaign#org_a", "dynamodb:GetItem", false),
        ("tiles", "campaign#org_a", "dynamodb:GetItem", false),
    ];
    for (binary, partition, action, allowed) in cases {
        let access = access(partition, action);
        let statements = Template::read().statements(binary);
        let is_allowed = statements.iter().any(|statement| access.is_allowed_by(statement));
        assert_eq!(is_allowed, allowed, "{binary}: {access:?}");
    }
}

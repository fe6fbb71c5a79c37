//! Each function's policy allows exactly the database requests it makes, no more and no fewer.

use std::collections::BTreeSet;

use accounting::{Audience, Scopes};
use harness::{Access, Answer, Call, OPERATIONS, Operation, TestOrg, World, binary_of, note_access, samples};
use marquee::serve::Function;
use measurement::Outcome;
use serde_json::{Value, json};
use store::{Actor, Family, MAX_ENDED_KEYS, Role, TileProduct};

use super::template::{Statement, Template};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

fn is_allowed_by(access: &Access, statement: &Statement) -> bool {
    is_of(access, statement, &access.action)
        && statement.leading_keys.iter().any(|pattern| matches(pattern, &access.partition))
}

fn is_of(access: &Access, statement: &Statement, action: &str) -> bool {
    let resource = statement.table() == Some((logical_name(&access.table), access.index.as_deref()));
    resource && access.action == action && statement.actions.iter().any(|allowed| allowed == action)
}

fn logical_name(table: &str) -> &'static str {
    match table {
        "accounts" => "AccountsTable",
        "credentials" => "CredentialsTable",
        "assets" => "AssetsTable",
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

    /// Makes a good call with the first credential that is taken, or without credentials where none are looked at.
    async fn call_by_key(&mut self, org: &TestOrg, operation: &Operation) {
        let path = operation.path_for(self.world, org, &self.world.router()).await;
        let call = operation.call(self.world, &path);
        if matches!(operation.audience, Audience::Open | Audience::Public) {
            self.send(operation.call(self.world, &path)).await;
        }
        let (header, value) = operation.credential(self.world, org).await;
        self.send(call.header(header, &value)).await;
    }

    /// Makes a good call in an anonymous session, which the first call opens, and returns its token.
    async fn call_in_session(&mut self, operation: &Operation, session: String) -> String {
        let call = operation.call(self.world, operation.path).header("x-session-token", &session);
        let answer = self.send(call).await;
        match answer.header("x-session-token") {
            "" => session,
            opened => opened.to_owned(),
        }
    }

    async fn measure(&mut self, org: &TestOrg, path: &str, event_type: &str) -> Outcome {
        self.world.wire.record();
        let outcome = self.world.measure(org, path, event_type).await;
        self.note();
        outcome
    }

    fn note(&mut self) {
        let sent = self.world.wire.take();
        self.seen.extend(sent.iter().flat_map(|sent| Access::of(&sent.operation, &sent.body)));
    }

    /// Holds what was seen to a function's policy, both ways.
    fn assert_policy(&self, binary: &str) {
        let statements = Template::read().statements(binary);
        for access in &self.seen {
            note_access(binary, access);
            let allowed = statements.iter().any(|statement| is_allowed_by(access, statement));
            assert!(allowed, "{binary} may not do what it does: {access:?}");
        }
        for statement in statements.iter().filter(|statement| statement.table().is_some()) {
            for action in &statement.actions {
                let used = self.seen.iter().any(|access| is_of(access, statement, action));
                assert!(used, "{binary} is allowed {action} on {} and never does it", statement.resource);
            }
            for pattern in &statement.leading_keys {
                let mut of_statement = self.seen.iter().filter(|access| is_allowed_by(access, statement));
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

/// Makes good calls of every operation of a function, by each kind of credentials that it takes, today,
/// tomorrow and in another month.
async fn use_operations<'a>(world: &'a World, org: &TestOrg, function: Function) -> Observed<'a> {
    let mut observed = Observed::new(world).await;
    let operations: Vec<_> = OPERATIONS.iter().filter(|operation| operation.function == function).collect();
    let token = world.bearer(org).await;
    for operation in &operations {
        observed.call_by_key(org, operation).await;
        if matches!(
            operation.audience,
            Audience::KeyOrBearer | Audience::SearchKeyOrBearer | Audience::Anyone
        ) {
            let path = operation.path_for(world, org, &world.router()).await;
            observed.send(operation.call(world, &path).bearer(&token)).await;
        }
    }
    let of_anyone = operations.iter().filter(|operation| operation.audience == Audience::Anyone);
    let mut session = String::new();
    for operation in of_anyone.clone() {
        session = observed.call_in_session(operation, session).await;
    }
    world.clock.advance(DAY_MILLIS);
    for operation in &operations {
        observed.call_by_key(org, operation).await;
    }
    for operation in of_anyone {
        session = observed.call_in_session(operation, session).await;
    }
    // The first charge of a month reads the days of the month before.
    world.clock.advance(31 * DAY_MILLIS);
    for operation in operations.iter().filter(|operation| !operation.product.is_of_portal()) {
        observed.call_by_key(org, operation).await;
    }
    observed
}

#[tokio::test]
async fn each_library_may_do_just_what_it_does() {
    let (world, org) = World::with_org().await;
    for (family, function) in [(Family::Campaign, Function::Campaigns), (Family::Event, Function::Events)] {
        let mut observed = use_operations(&world, &org, function).await;
        let library = samples::library(family);
        let mut paths = Vec::new();
        for body in [large(&world, family), samples::body(family)] {
            let created = observed.send(world.post(library).key(&org.key).json(&body)).await;
            paths.push(format!("{library}/{}", created.data()["asset_id"].as_str().expect("an id")));
        }
        for query in ["state=draft", "customer_scenario_id=x", "name=x"] {
            observed.send(world.get(&format!("{library}?{query}")).key(&org.key)).await;
        }
        observed.send(world.get(&paths[0]).key(&org.key)).await;
        observed.send(world.patch(&paths[0]).key(&org.key).json(&samples::edited(family))).await;
        world.bring_to(&org, &paths[1], "queued").await;
        for path in &paths {
            observed.send(world.delete(path).key(&org.key)).await;
        }
        observed.assert_policy(binary_of(function));
    }
}

#[tokio::test]
async fn places_and_audiences_may_do_just_what_they_do() {
    for function in [Function::Places, Function::Audiences] {
        let (world, org) = World::with_org().await;
        use_operations(&world, &org, function).await.assert_policy(binary_of(function));
    }
}

#[tokio::test]
async fn account_may_do_just_what_it_does() {
    let (world, org) = World::with_org().await;
    let mut observed = use_operations(&world, &org, Function::Account).await;
    // Whether somebody can sign up is looked up for those alone who belong to no organization.
    let token = world.newcomer_token();
    observed.send(world.get("/v2/account").bearer(&token)).await;
    for _ in 0..2 {
        let sign_up = world.post("/v2/account/organization").bearer(&token).json(&samples::sign_up());
        observed.send(sign_up).await;
    }
    // What a member made is revoked where the owner who removes them says so.
    let owner = world.owner_token(&org).await;
    let person = world.person("maker");
    world.joined(&org, &person, Role::Owner).await;
    let maker = person.subject.member_id();
    world.mint_key_by(&org, &person.subject, "theirs").await;
    world.mint_tile_grant_by(&org, Some(Actor::Member(maker.clone())), TileProduct::Places).await;
    let path = format!("/v2/account/members/{maker}?revoke=keys,tile_grants");
    observed.send(world.delete(&path).bearer(&owner)).await;
    // Only a mint beside as many keys as are remembered forgets one.
    for _ in 0..=MAX_ENDED_KEYS {
        let spare = world.key_to_revoke(&org).await;
        world.operator.revoke_key(&org.id, &spare).await.expect("a live key");
    }
    let mint = world.post("/v2/account/keys").bearer(&owner);
    observed.send(mint.json(&samples::api_key())).await;
    observed.assert_policy("account");
}

#[tokio::test]
async fn tiles_may_do_just_what_they_do() {
    let (world, org) = World::with_org().await;
    let observed = use_operations(&world, &org, Function::Tiles).await;
    observed.assert_policy("tiles");
}

#[tokio::test]
async fn inventory_may_do_just_what_it_does() {
    let (world, org) = World::with_org().await;
    let mut observed = use_operations(&world, &org, Function::Inventory).await;
    // Those who may not search are looked up no further than it takes to say so.
    let other = world.key(&org.id, Scopes::default()).await;
    let token = world.token(&world.person("nobody"));
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
async fn measurement_may_do_just_what_it_does() {
    let (world, org) = World::with_org().await;
    let mut observed = Observed::new(&world).await;
    for family in [Family::Campaign, Family::Event] {
        for lives in [["purchased", "started", "measured", "completed"].as_slice(), &["purchased", "failed"]]
        {
            let path = world.draft(&org, family).await;
            for event_type in lives {
                assert!(observed.measure(&org, &path, event_type).await.is_applied(), "{event_type}");
            }
        }
        let path = world.draft(&org, family).await;
        world.clock.advance(31 * DAY_MILLIS);
        assert!(observed.measure(&org, &path, "purchased").await.is_applied());
        let deleted = world.delete(&path).key(&org.key).send().await;
        assert_eq!(deleted.status, 204);
        assert_eq!(observed.measure(&org, &path, "failed").await, Outcome::Deleted { refunded: 24 });
    }
    observed.assert_policy("measurement");
}

#[test]
fn no_policy_allows_anything_twice() {
    let template = Template::read();
    for (binary, _) in template.functions() {
        let mut allowed = BTreeSet::new();
        for Statement { actions, resource, leading_keys } in template.statements(binary) {
            for (action, pattern) in
                actions.iter().flat_map(|action| leading_keys.iter().map(move |key| (action, key)))
            {
                let what = (resource.clone(), action.clone(), pattern.clone());
                assert!(allowed.insert(what.clone()), "{binary} is allowed {what:?} twice");
            }
        }
    }
}

#[test]
fn an_action_on_another_familys_partition_is_not_allowed() {
    let access = |partition: &str, action: &str| Access {
        action: action.to_owned(),
        table: "assets".to_owned(),
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
        let is_allowed = statements.iter().any(|statement| is_allowed_by(&access, statement));
        assert_eq!(is_allowed, allowed, "{binary}: {access:?}");
    }
}

//! The list of credit grants: live, used up, expired, and revoked.

use accounting::{PrepaidKind, Product, Scope, Tier};
use harness::{TestOrg, World, price};
use measurement::Outcome;
use serde_json::{Value, json};
use store::{Family, Role};

const GRANTS: &str = "/v2/billing/grants";
const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn returns_only_the_callers_own_grants_without_counting_the_call() {
    let world = World::new().await;
    let (org, other) = (world.org("org_a").await, world.org_with("org_b", Tier::Enterprise, 0).await);
    let billing = world.key(&org.id, [Scope::Billing].into_iter().collect()).await;
    let member = world.person("planner");
    world.member(&org, &member, Role::Member).await;
    for call in [world.get(GRANTS).key(&billing), world.get(GRANTS).bearer(&world.token(&member))] {
        let answer = call.send().await;
        assert_eq!((answer.status.as_u16(), answer.credits_used()), (200, 0), "{}", answer.text());
        let grant = json!({
            "kind": "purchased",
            "granted": 1_000_000,
            "remaining": 1_000_000,
            "expires_at": null,
            "joined_at": world.clock.now(),
            "state": "live",
            "ended_at": null,
        });
        assert_eq!(answer.data(), json!([grant]), "the grant has no ID, which only administrators see");
    }
    assert_eq!(grants(&world, &other).await, json!([]), "the other organization has no grants");
    assert!(world.account(&org).await.today.usage.is_empty(), "the call is not part of the usage");
}

#[tokio::test]
async fn grants_with_equal_expiry_are_ordered_as_in_the_balance() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 0).await;
    for credits in 1..=6 {
        world.administrator.grant(&org.id, PrepaidKind::Purchased, credits, None).await.expect("added");
        world.clock.advance(1_000);
    }
    let sizes = |grants: &Value| -> Vec<Value> {
        grants.as_array().expect("a list").iter().map(|grant| grant["granted"].clone()).collect()
    };
    let balance = world.get("/v2/billing/credits").key(&org.key).send().await.data();
    assert_eq!(sizes(&grants(&world, &org).await), sizes(&balance["grants"]));
}

#[tokio::test]
async fn live_grants_are_sorted_by_drawdown_order_and_ended_grants_by_end() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    let grant = async |kind, credits, days: Option<i64>| {
        world.clock.advance(1_000);
        let expires_at = days.map(|days| world.clock.now().plus_days(days));
        world.administrator.grant(&org.id, kind, credits, expires_at).await.expect("added")
    };
    let used_up = grant(PrepaidKind::Promotional, 7, Some(2)).await;
    let revoked = grant(PrepaidKind::Purchased, 8, None).await;
    grant(PrepaidKind::Allocated, 9, Some(3)).await;
    grant(PrepaidKind::Purchased, 10, None).await;
    grant(PrepaidKind::Purchased, 11, Some(90)).await;
    grant(PrepaidKind::Promotional, 12, None).await;
    spend(&world, &org, 7).await;
    assert_eq!(world.account(&org).await.grants[&used_up].left, 0);
    world.clock.advance(DAY);
    assert_eq!(world.administrator.revoke_credits(&org.id, &revoked).await.expect("the grant is live"), 8);
    spend(&world, &org, 2).await;
    world.clock.advance(3 * DAY);
    let shown = |grants: &Value| -> Vec<(String, u64, u64, String)> {
        let text = |grant: &Value, name: &str| grant[name].as_str().expect("a string").to_owned();
        let number = |grant: &Value, name: &str| grant[name].as_u64().expect("a number");
        let one = |grant: &Value| {
            (text(grant, "kind"), number(grant, "granted"), number(grant, "remaining"), text(grant, "state"))
        };
        grants.as_array().expect("a list").iter().map(one).collect()
    };
    let expected = [
        ("promotional", 12, 10, "live"),
        ("purchased", 11, 11, "live"),
        ("purchased", 10, 10, "live"),
        ("metered", 20_000, 20_000, "live"),
        ("allocated", 9, 9, "expired"),
        ("purchased", 8, 8, "revoked"),
        ("promotional", 7, 0, "used_up"),
    ]
    .map(|(kind, granted, left, state)| (kind.to_owned(), granted, left, state.to_owned()));
    let before = grants(&world, &org).await;
    assert_eq!(shown(&before), expected, "{before:#}");
    assert!(before.as_array().expect("a list")[4..].iter().all(|grant| grant["ended_at"].is_string()));
    // The next charge removes ended grants from the account, but not from the history.
    spend(&world, &org, 1).await;
    let after = grants(&world, &org).await;
    assert_eq!(after.as_array().expect("a list")[4..], before.as_array().expect("a list")[4..]);
}

#[tokio::test]
async fn grants_match_the_administrators_history() {
    let (world, org) = World::with_org_of(Tier::Sandbox, price(Product::ScenarioCampaignCrud)).await;
    let path = world.draft(&org, Family::Campaign).await;
    let event = world.event(&org, &path, "purchased", 1_999);
    assert!(harness::apply(&world.app, &event).await.expect("applied").is_applied());
    world.clock.advance(70 * DAY);
    // A refund is applied even after the grant has ended.
    assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
    let mut shown = grants(&world, &org).await.as_array().expect("a list").clone();
    let history = world.administrator.credits_history(&org.id).await.expect("an organization");
    let mut from_history: Vec<Value> = history
        .iter()
        .map(|life| {
            json!({
                "kind": life.kind,
                "granted": life.granted,
                "remaining": life.remaining,
                "expires_at": life.expires_at,
                "joined_at": life.joined_at,
                "state": life.state,
                "ended_at": life.ended_at,
            })
        })
        .collect();
    for list in [&mut shown, &mut from_history] {
        list.sort_by_key(Value::to_string);
    }
    assert_eq!(shown, from_history);
    assert!(shown.iter().any(|grant| grant["state"] == "live"), "{shown:#?}");
}

#[tokio::test]
async fn grant_added_during_the_read_is_live() {
    let world = std::sync::Arc::new(World::new().await);
    let org = world.org("org_a").await;
    let (operator, id) = (world.administrator.clone(), org.id.clone());
    let is_history = |sent: &harness::Sent| sent.operation == "Query";
    world.wire.before_first(is_history, async move {
        operator.grant(&id, PrepaidKind::Promotional, 5, None).await.expect("added");
    });
    let shown = grants(&world, &org).await;
    world.wire.stop_faults().await;
    assert_eq!((&shown[0]["granted"], &shown[0]["remaining"]), (&json!(5), &json!(5)), "{shown:#}");
    assert_eq!((&shown[0]["state"], &shown[0]["ended_at"]), (&json!("live"), &Value::Null));
}

/// Spends credits on place searches.
async fn spend(world: &World, org: &TestOrg, credits: u64) {
    for _ in 0..credits / price(Product::PlaceSearch) {
        let search = world.post("/v2/msearch").key(&org.key).json(&json!({}));
        assert_eq!(search.send().await.status, 200);
    }
}

async fn grants(world: &World, org: &TestOrg) -> Value {
    let answer = world.get(GRANTS).key(&org.key).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data()
}

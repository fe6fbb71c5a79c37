//! Inventory searches by people: an organization's members share a limit of 20 searches per minute, in
//! addition to the organization's rate limit.

use std::collections::BTreeMap;

use accounting::{LimitedCaller, Product, RateLimitOf, Refusal, Tier};
use gateway::RequestCredentials;
use harness::{Call, TestOrg, World, price};
use runtime::Clock;
use serde_json::json;
use store::{Person, Role};
use tokio::task::JoinSet;

use super::{admit, assert_whole, counted, refusal};

const SEARCH: &str = "/msearch/inventory";

#[tokio::test]
async fn twenty_first_search_of_two_people_returns_429_without_affecting_other_callers() {
    let (world, org, other) = World::with_two_orgs().await;
    let tokens = two_people(&world, &org).await;
    for number in 0..20 {
        let answer = search(&world).bearer(&tokens[number % 2]).send().await;
        assert_eq!(answer.status, 200, "{number}: {}", answer.text());
        assert_eq!(answer.credits_used(), price(Product::InventorySearch));
        assert_eq!(answer.number("x-ratelimit-remaining"), 19 - number as i64);
    }
    for token in &tokens {
        let refused = search(&world).bearer(token).send().await;
        assert_eq!(refused.status, 429);
        let message = "your organization's members share a limit of 20 requests of this type per minute; \
                       try again in 30 s";
        let details = json!({ "limit": 20, "window": "minute", "retry_after_seconds": 30, "of": "people" });
        let error = json!({ "code": "RATE_LIMIT_EXCEEDED", "message": message, "details": details });
        assert_eq!(refused.json(), json!({ "error": error }));
        assert_eq!(refused.header("retry-after"), "30");
        assert_eq!(refused.credits_used(), 0);
        assert_eq!((refused.number("x-ratelimit-limit"), refused.number("x-ratelimit-remaining")), (20, 0));
        let policy = "\"minute\";q=1000;w=60, \"inventory\";q=20;w=60";
        assert_eq!(refused.header("ratelimit-policy"), policy);
        assert_eq!(refused.header("ratelimit"), "\"minute\";r=980;t=30, \"inventory\";r=0;t=30");
    }
    // Each key has its own limit of 20. Other products and other organizations aren't affected.
    for _ in 0..20 {
        assert_eq!(search(&world).header("apikey", &org.key).send().await.status, 200);
    }
    assert_eq!(
        search(&world).header("apikey", &org.key).send().await.json()["error"]["details"]["of"],
        "key"
    );
    assert_eq!(world.get("/v2/markets").bearer(&tokens[0]).send().await.status, 200);
    let elsewhere = world.owner_token(&other).await;
    assert_eq!(search(&world).bearer(&elsewhere).send().await.status, 200);
    let account = world.account(&org).await;
    assert_eq!(account.totals.used, 40 * price(Product::InventorySearch), "rejected calls are not charged");
    assert_eq!(account.window.calls, 41, "rejected calls are not counted");
    world.clock.advance(30_000);
    // The limit resets in the next minute.
    assert_eq!(search(&world).bearer(&tokens[1]).send().await.status, 200);
    assert_whole(&world.account(&org).await);
}

#[tokio::test]
async fn lower_organization_limit_is_reached_first() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let token = world.owner_token(&org).await;
    for _ in 0..10 {
        assert_eq!(search(&world).bearer(&token).send().await.status, 200);
    }
    let refused = search(&world).bearer(&token).send().await;
    assert_eq!(refused.json()["error"]["details"]["of"], "organization");
    assert_eq!(refused.number("x-ratelimit-limit"), 10);
}

#[tokio::test]
async fn full_window_is_cached_and_costs_no_database_call() {
    let (world, org) = World::with_org().await;
    let token = world.owner_token(&org).await;
    for _ in 0..20 {
        assert_eq!(search(&world).bearer(&token).send().await.status, 200);
    }
    world.wire.record();
    assert_eq!(search(&world).bearer(&token).send().await.status, 429);
    assert_eq!(world.wire.take().len(), 0);
    let (_, cold) = world.another_process(8).await;
    // Another process also rejects the call.
    assert_eq!(search(&world).bearer(&token).send_to(cold).await.status, 429);
}

#[tokio::test]
async fn slow_clock_does_not_move_the_people_window_back() {
    let (world, org) = World::with_org().await;
    let token = format!("Bearer {}", world.owner_token(&org).await);
    let presented = RequestCredentials { authorization: Some(&token), ..RequestCredentials::default() };
    let (behind, _) = world.another_process_at(8, Clock::fixed(world.clock.now())).await;
    world.clock.advance(60_000);
    for _ in 0..10 {
        admit(&world.app, Product::InventorySearch, presented).await.expect("admitted");
        admit(&behind, Product::InventorySearch, presented).await.expect("admitted");
    }
    let there = refusal(admit(&behind, Product::InventorySearch, presented).await);
    assert_eq!(there, Refusal::RateLimited { limit: 20, retry_after: 90, of: RateLimitOf::People });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_people_in_two_processes_share_twenty_searches_per_minute() {
    let (world, org) = World::with_org().await;
    let tokens = two_people(&world, &org).await;
    for minute in 1..=2 {
        let mut running = JoinSet::new();
        let mut routers = Vec::new();
        for process in 0..2 {
            routers.push(world.another_process(100 + process).await.1);
        }
        for number in 0..100 {
            let router = routers[number % 2].clone();
            running.spawn(search(&world).bearer(&tokens[number / 2 % 2]).send_to(router));
        }
        let answers = running.join_all().await;
        assert_eq!(counted(&answers), BTreeMap::from([(200, 20), (429, 80)]));
        let account = world.account(&org).await;
        assert_eq!(account.callers, BTreeMap::from([(LimitedCaller::People, 20)]));
        assert_eq!(account.totals.used, minute * 20 * price(Product::InventorySearch));
        assert_whole(&account);
        world.clock.advance(60_000);
    }
}

/// Adds two people to an organization and returns their tokens.
async fn two_people(world: &World, org: &TestOrg) -> [String; 2] {
    let people: [Person; 2] = ["planner", "buyer"].map(|name| world.person(name));
    for person in &people {
        world.member(org, person, Role::Member).await;
    }
    people.map(|person| world.token(&person))
}

fn search(world: &World) -> Call<'_> {
    world.post(SEARCH).json(&json!({ "fieldSet": ["id"], "pagination": { "page_size": 1 } }))
}

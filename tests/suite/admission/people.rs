//! Inventory search by people: 20 a minute for all people of an organization together, besides its own rate.
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
async fn the_twenty_first_search_of_two_people_together_is_429_and_all_others_go_on() {
    let (world, org, other) = World::with_two_orgs().await;
    let tokens = two_people(&world, &org).await;
    for number in 0..20 {
        let answer = search(&world).bearer(&tokens[number % 2]).send().await;
        assert_eq!(answer.status, 200, "{number}: {}", answer.text());
        assert_eq!(answer.credits_used(), price(Product::InventorySearch));
        assert_eq!(answer.number("x-ratelimit-limit"), 1_000, "what is left of the organization's rate");
    }
    for token in &tokens {
        let refused = search(&world).bearer(token).send().await;
        assert_eq!(refused.status, 429);
        let message = "your organization's members share 20 of these requests per minute; try again in 30 s";
        let details = json!({ "limit": 20, "window": "minute", "retry_after_seconds": 30, "of": "people" });
        let error = json!({ "code": "RATE_LIMIT_EXCEEDED", "message": message, "details": details });
        assert_eq!(refused.json(), json!({ "error": error }));
        assert_eq!(refused.header("retry-after"), "30");
        assert_eq!(refused.credits_used(), 0);
        assert_eq!((refused.number("x-ratelimit-limit"), refused.number("x-ratelimit-remaining")), (20, 0));
        assert_eq!(refused.header("ratelimit-policy"), "\"minute\";q=20;w=60");
        assert_eq!(refused.header("ratelimit"), "\"minute\";r=0;t=30");
    }
    // Keys have their own 20, other products none, and another organization its own.
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
    assert_eq!(account.totals.used, 40 * price(Product::InventorySearch), "what is refused costs nothing");
    assert_eq!(account.window.calls, 41, "and does not count");
    world.clock.advance(30_000);
    assert_eq!(search(&world).bearer(&tokens[1]).send().await.status, 200, "the next minute is a new one");
    assert_whole(&world.account(&org).await);
}

#[tokio::test]
async fn the_organizations_rate_is_reached_first_where_it_is_lower() {
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
async fn a_full_window_is_remembered_and_costs_no_database_call() {
    let (world, org) = World::with_org().await;
    let token = world.owner_token(&org).await;
    for _ in 0..20 {
        assert_eq!(search(&world).bearer(&token).send().await.status, 200);
    }
    world.wire.record();
    assert_eq!(search(&world).bearer(&token).send().await.status, 429);
    assert_eq!(world.wire.take().len(), 0);
    let (_, cold) = world.another_process(8).await;
    assert_eq!(search(&world).bearer(&token).send_to(cold).await.status, 429, "it is found full elsewhere");
}

#[tokio::test]
async fn a_window_of_people_does_not_move_back_for_a_clock_that_is_behind() {
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
async fn a_hundred_searches_of_two_people_over_two_processes_are_twenty_in_a_minute() {
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

/// Takes two people into an organization, and returns their tokens.
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

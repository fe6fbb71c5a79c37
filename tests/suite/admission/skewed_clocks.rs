//! Clock skew: a process rejects charges while its clock is more than five minutes off the database's.

use accounting::Product;
use axum::Router;
use gateway::App;
use harness::{Answer, AnswerDate, Logs, TestOrg, World, price, samples};
use http::StatusCode;
use measurement::{ApplyError, Outcome};
use runtime::Clock;
use serde_json::json;
use store::Family;

use super::{admit, assert_whole, with_key};

const MINUTE: i64 = 60_000;
const TWO_DAYS: i64 = 2 * 24 * 60 * MINUTE;

/// Creates a process whose clock is ahead of the database's by the given number of milliseconds.
async fn skewed(world: &World, millis: i64) -> (App, Router) {
    let clock = Clock::fixed(world.clock.now());
    clock.advance(millis);
    world.another_process_at(8, clock).await
}

async fn read(world: &World, org: &TestOrg, path: &str, router: &Router) -> Answer {
    world.get(path).key(&org.key).send_to(router.clone()).await
}

#[tokio::test]
async fn skewed_process_returns_503_and_changes_no_account() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let before = world.stored_account(&org).await;
    for millis in [TWO_DAYS, -TWO_DAYS, 5 * MINUTE + 1_000, -5 * MINUTE - 1_000] {
        let (_, router) = skewed(&world, millis).await;
        for times in 1..=3 {
            let logs = Logs::capture();
            let answers = [
                read(&world, &org, &path, &router).await,
                world.get("/v2/markets").key(&org.key).send_to(router.clone()).await,
                world.delete(&path).key(&org.key).send_to(router.clone()).await,
            ];
            for answer in &answers {
                assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{millis} ms, {times}");
                assert_eq!(answer.header("retry-after"), "2");
                assert_eq!(answer.header("x-credits-used"), "0");
            }
            let logged: Vec<_> =
                logs.of("clock_skewed").iter().map(|line| line["fields"]["seconds_ahead"].clone()).collect();
            assert_eq!(logged, vec![json!(millis / 1_000); answers.len()], "every call logs the skew once");
        }
        assert_eq!(world.stored_account(&org).await, before, "{millis} ms");
    }
    assert_eq!(world.get(&path).key(&org.key).send().await.status, StatusCode::OK);
}

#[tokio::test]
async fn skewed_process_rejects_changes_by_people() {
    let (world, org) = World::with_org().await;
    let token = world.owner_token(&org).await;
    let before = world.administrator.keys(&org.id).await.expect("a response");
    for millis in [5 * MINUTE + 1_000, -5 * MINUTE - 1_000] {
        let (_, router) = skewed(&world, millis).await;
        let create = world.post("/v2/account/keys").bearer(&token).json(&samples::api_key());
        for call in [create, world.get("/v2/account").bearer(&token)] {
            let answer = call.send_to(router.clone()).await;
            assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{millis} ms");
        }
    }
    assert_eq!(world.administrator.keys(&org.id).await.expect("a response"), before);
}

#[tokio::test]
async fn process_within_five_minutes_is_served() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    for millis in [4 * MINUTE, -4 * MINUTE, 5 * MINUTE, -5 * MINUTE] {
        let (_, router) = skewed(&world, millis).await;
        assert_eq!(read(&world, &org, &path, &router).await.status, StatusCode::OK, "{millis} ms");
    }
    assert_whole(&world.account(&org).await);
}

#[tokio::test]
async fn next_call_succeeds_after_the_clock_is_corrected() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    for millis in [TWO_DAYS, -TWO_DAYS] {
        let (process, router) = skewed(&world, millis).await;
        assert_eq!(read(&world, &org, &path, &router).await.status, StatusCode::SERVICE_UNAVAILABLE);
        process.clock.advance(-millis);
        assert_eq!(read(&world, &org, &path, &router).await.status, StatusCode::OK, "{millis} ms");
        process.clock.advance(millis);
        assert_eq!(read(&world, &org, &path, &router).await.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    assert_whole(&world.account(&org).await);
}

#[tokio::test]
async fn call_with_a_cached_key_checks_the_clock_with_one_read() {
    let (world, org) = World::with_org().await;
    let (process, _) = skewed(&world, TWO_DAYS).await;
    admit(&process, Product::PlaceSearch, with_key(&org)).await.expect_err("the clock is two days ahead");
    world.wire.record();
    admit(&process, Product::PlaceSearch, with_key(&org)).await.expect_err("the clock is two days ahead");
    let sent: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
    assert_eq!(sent, ["GetItem"], "the key is cached, so the only read checks the clock");
    // The database's clock catches up. The process's clock doesn't move, so the key stays cached.
    world.clock.advance(TWO_DAYS);
    admit(&process, Product::PlaceSearch, with_key(&org)).await.expect("the clock matches the database's");
    let sent: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
    assert_eq!(sent.first().map(String::as_str), Some("GetItem"));
    admit(&process, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
    let sent: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
    assert_eq!(sent, ["UpdateItem"], "a correct clock needs no read");
}

#[tokio::test]
async fn response_without_a_valid_date_is_ignored() {
    let (world, org) = World::with_org().await;
    for date in [AnswerDate::Missing, AnswerDate::Text("yesterday")] {
        let (process, _) = skewed(&world, TWO_DAYS).await;
        admit(&process, Product::PlaceSearch, with_key(&org)).await.expect_err("the clock is two days ahead");
        world.wire.date(date);
        let refused = admit(&process, Product::PlaceSearch, with_key(&org)).await;
        refused.expect_err("the known skew still applies");
        let (unknown, _) = world.another_process(9).await;
        admit(&unknown, Product::PlaceSearch, with_key(&org)).await.expect("no skew is known");
        world.wire.date(AnswerDate::Present);
    }
    assert_eq!(world.account(&org).await.totals.used, 2 * price(Product::PlaceSearch));
}

#[tokio::test]
async fn skewed_process_neither_opens_nor_ends_sessions() {
    let world = World::new().await;
    let body = json!({ "filter": { "place_name": "starbucks" } });
    let search = |router: Router| world.post("/v2/msearch").json(&body).send_to(router);
    for millis in [TWO_DAYS, -TWO_DAYS] {
        let (_, router) = skewed(&world, millis).await;
        assert_eq!(search(router).await.status, StatusCode::SERVICE_UNAVAILABLE, "{millis} ms");
    }
    let sessions = async || {
        let items = world.stored("accounts").await.into_iter();
        items.filter(|item| item["pk"].as_s().is_ok_and(|pk| pk.starts_with("session#"))).collect::<Vec<_>>()
    };
    assert!(sessions().await.is_empty());
    let opened = search(world.router()).await;
    assert_eq!(opened.status, StatusCode::OK);
    let open = sessions().await;
    let (_, router) = skewed(&world, TWO_DAYS).await;
    let presented =
        world.post("/v2/msearch").json(&body).header("x-session-token", opened.header("x-session-token"));
    assert_eq!(presented.send_to(router.clone()).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(search(router).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(sessions().await, open);
}

#[tokio::test]
async fn uncounted_operations_are_served_despite_clock_skew() {
    let world = World::new().await;
    let (_, router) = skewed(&world, TWO_DAYS).await;
    for path in ["/v2/openapi.yaml", "/v2/health"] {
        assert_eq!(world.get(path).send_to(router.clone()).await.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn skewed_process_postpones_purchases_and_refunds() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Event).await;
    let (process, _) = skewed(&world, TWO_DAYS).await;
    let before = world.stored_account(&org).await;
    let purchased = world.event(&org, &path, "purchased", 25);
    let logs = Logs::capture();
    let refused = harness::apply(&process, &purchased).await;
    assert!(matches!(refused, Err(ApplyError::ClockSkewed(_))), "{refused:?}");
    assert_eq!(
        refused.expect_err("the clock is two days ahead").to_string(),
        "this process's clock is 172800 s ahead of the database's"
    );
    assert_eq!(logs.of("clock_skewed").len(), 1);
    assert_eq!(world.stored_account(&org).await, before);
    process.clock.advance(-TWO_DAYS);
    assert!(harness::apply(&process, &purchased).await.expect("the clock is correct").is_applied());
    let used = world.account(&org).await.totals.used;

    process.clock.advance(TWO_DAYS);
    let failed = world.event(&org, &path, "failed", 0);
    let refused = harness::apply(&process, &failed).await;
    assert!(matches!(refused, Err(ApplyError::ClockSkewed(_))), "{refused:?}");
    process.clock.advance(-TWO_DAYS);
    assert_eq!(harness::apply(&process, &failed).await.expect("applied"), Outcome::Applied);
    let account = world.account(&org).await;
    assert_eq!((account.totals.used, account.today.day), (used - 24, world.clock.now().day()));
    assert_whole(&account);
    let body = samples::body(Family::Event);
    let created = world.post(samples::library(Family::Event)).key(&org.key).json(&body).send().await;
    assert_eq!(created.status, StatusCode::OK, "the account's day is not two days ahead");
}

#[tokio::test]
async fn skewed_process_still_refunds_an_admitted_call() {
    let (world, org) = World::with_org().await;
    let (process, _) = skewed(&world, 0).await;
    let mut admitted =
        admit(&process, Product::PlaceSearch, with_key(&org)).await.expect("the clock is correct");
    process.clock.advance(TWO_DAYS);
    admit(&process, Product::PlaceSearch, with_key(&org)).await.expect_err("the clock is two days ahead");
    process.admissions.refund(&mut admitted).await;
    let account = world.account(&org).await;
    assert_eq!((account.totals.used, account.today.day), (0, world.clock.now().day()));
    assert_whole(&account);
}

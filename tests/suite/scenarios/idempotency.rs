//! `Idempotency-Key`: repeating a create call is free and doesn't create another asset.

use accounting::{Product, Tier};
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{Answer, Call, TestOrg, World, paid, price, samples};
use http::Method;
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, assert_metered, changed, read, summary};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

fn post<'a>(world: &'a World, org: &TestOrg, family: Family, key: &str) -> Call<'a> {
    world.post(samples::library(family)).key(&org.key).header("idempotency-key", key)
}

async fn create(world: &World, org: &TestOrg, family: Family, key: &str) -> Answer {
    post(world, org, family, key).json(&samples::body(family)).send().await
}

fn path(family: Family, created: &Answer) -> String {
    format!("{}/{}", samples::library(family), created.data()["asset_id"].as_str().expect("an ID"))
}

/// Checks that a response returns an earlier call's asset and costs 0 credits.
#[track_caller]
fn assert_replayed(answer: &Answer, first: &Answer) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("idempotency-replayed"), "true");
    assert_eq!((answer.credits_used(), &answer.json()["meta"]["credits_used"]), (0, &json!(0)));
    assert_eq!(answer.data()["asset_id"], first.data()["asset_id"]);
}

#[tokio::test]
async fn replay_returns_the_current_asset_of_the_first_call() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let first = create(&world, &org, family, "k-1").await;
        assert_metered(&first, "the first");
        assert_eq!(first.header("idempotency-replayed"), "");
        let again = create(&world, &org, family, "k-1").await;
        assert_replayed(&again, &first);
        assert_eq!((again.data(), again.header("etag")), (first.data(), "\"1\""));

        let path = path(family, &first);
        let edit = json!({ "customer": samples::body(family)["customer"] });
        assert_eq!(world.patch(&path).key(&org.key).json(&edit).send().await.status, 200);
        world.bring_to(&org, &path, "queued").await;
        let now = read(&world, &org, &path).await;
        let again = create(&world, &org, family, "k-1").await;
        assert_replayed(&again, &first);
        assert_eq!((again.data(), again.header("etag")), (now.data(), now.header("etag")));
        assert_eq!(again.data()["state"], "queued");
        assert_eq!(summary(&world, &org, family).await["total"], 1);
    }
}

#[tokio::test]
async fn replay_of_a_deleted_asset_returns_404() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let first = create(&world, &org, family, "k-1").await;
        assert_eq!(world.delete(&path(family, &first)).key(&org.key).send().await.status, 204);
        let again = create(&world, &org, family, "k-1").await;
        assert_eq!(again.error(), (404, "NOT_FOUND".to_owned()));
        assert_eq!((again.header("idempotency-replayed"), again.credits_used()), ("true", 0));
        assert_eq!(summary(&world, &org, family).await["total"], 0);
    }
}

#[tokio::test]
async fn same_key_with_a_different_body_returns_409_and_is_charged() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let body = samples::body(family).to_string();
        assert_eq!(create(&world, &org, family, "k-1").await.status, 200);
        let others = [format!("{body} "), "{}".to_owned(), "no JSON".to_owned(), String::new()];
        for other in others {
            let answer =
                post(&world, &org, family, "k-1").bytes("application/json", other.clone()).send().await;
            assert_eq!(answer.error(), (409, "IDEMPOTENCY_KEY_REUSED".to_owned()), "{other}");
            assert_eq!(
                (answer.credits_used(), answer.header("idempotency-replayed")),
                (paid(), ""),
                "{other}"
            );
        }
        assert_eq!(summary(&world, &org, family).await["total"], 1);
    }
}

#[tokio::test]
async fn creates_another_asset_without_a_key_or_with_a_new_one() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let without = || world.post(samples::library(family)).key(&org.key).json(&samples::body(family));
        for answer in [without().send().await, without().send().await] {
            assert_eq!((answer.credits_used(), answer.header("idempotency-replayed")), (paid(), ""));
        }
        let longest = "~".repeat(255);
        for key in ["!", "k-2", "K-2", "\"k-2\"", "a,b", &longest] {
            assert_eq!(create(&world, &org, family, key).await.credits_used(), paid(), "{key}");
            assert_eq!(create(&world, &org, family, key).await.credits_used(), 0, "{key}");
        }
        assert_eq!(summary(&world, &org, family).await["total"], 8);
    }
}

#[tokio::test]
async fn key_is_scoped_to_organization_and_library() {
    let world = World::new().await;
    let (one, other) = (world.org("org_a").await, world.org("org_b").await);
    let mut ids = Vec::new();
    for org in [&one, &other] {
        for family in FAMILIES {
            let created = create(&world, org, family, "k-1").await;
            assert_eq!((created.credits_used(), created.header("idempotency-replayed")), (paid(), ""));
            ids.push(created.data()["asset_id"].clone());
        }
    }
    let token = world.bearer(&one).await;
    let again = world.post(samples::library(Family::Event)).bearer(&token).header("idempotency-key", "k-1");
    let again = again.json(&samples::event()).send().await;
    // The call can be repeated with any of the organization's credentials.
    assert_eq!((again.credits_used(), &again.data()["asset_id"]), (0, &ids[1]));
}

#[tokio::test]
async fn key_expires_after_24_hours_even_if_still_stored() {
    let (world, org) = World::with_org().await;
    let first = create(&world, &org, Family::Event, "k-1").await;
    world.clock.advance(DAY_MILLIS - 1);
    assert_replayed(&create(&world, &org, Family::Event, "k-1").await, &first);
    world.clock.advance(1);
    let second = create(&world, &org, Family::Event, "k-1").await;
    assert_eq!((second.credits_used(), second.header("idempotency-replayed")), (paid(), ""));
    assert_ne!(second.data()["asset_id"], first.data()["asset_id"]);
    world.clock.advance(DAY_MILLIS - 1);
    assert_replayed(&create(&world, &org, Family::Event, "k-1").await, &second);
}

#[tokio::test]
async fn malformed_idempotency_key_returns_400() {
    let (world, org) = World::with_org().await;
    let long = "k".repeat(256);
    let bad: [&[u8]; 6] = [b"", b"a b", b"\t", "schl\u{fc}ssel".as_bytes(), b"\xff", long.as_bytes()];
    for family in FAMILIES {
        for key in bad {
            let call =
                world.post(samples::library(family)).key(&org.key).header_bytes("idempotency-key", key);
            let answer = call.json(&samples::body(family)).send().await;
            answer.assert_invalid(&[("Idempotency-Key", "1 to 255 visible ASCII")], &format!("{key:?}"));
            assert_eq!(answer.credits_used(), paid());
        }
        let twice = post(&world, &org, family, "k-1").header("idempotency-key", "k-1");
        let answer = twice.json(&samples::body(family)).send().await;
        answer.assert_invalid(&[("Idempotency-Key", "once")], "twice");
        assert_eq!(summary(&world, &org, family).await["total"], 0);
    }
}

#[tokio::test]
async fn failed_create_does_not_use_its_key() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let invalid =
            changed(&samples::body(family), "/cohort/geography_ids", Some(json!(["US2020XDMA999"])));
        let large = " ".repeat(7 * 1024 * 1024);
        for (media_type, body, status) in [
            ("application/json", invalid.to_string(), 400),
            ("application/json", "no JSON".to_owned(), 400),
            ("text/plain", samples::body(family).to_string(), 415),
            ("application/json", large, 413),
        ] {
            let answer = post(&world, &org, family, "k-1").bytes(media_type, body).send().await;
            assert_eq!(
                (answer.status.as_u16(), answer.credits_used()),
                (status, paid()),
                "{}",
                answer.text()
            );
        }
        let created = create(&world, &org, family, "k-1").await;
        assert_eq!((created.status.as_u16(), created.header("idempotency-replayed")), (200, ""));
    }
}

#[tokio::test]
async fn replay_never_returns_402_and_counts_as_a_call() {
    let (world, org) = World::with_org_of(Tier::Enterprise, paid()).await;
    let first = create(&world, &org, Family::Campaign, "k-1").await;
    assert_eq!(first.credits_remaining(), 0);
    assert_eq!(create(&world, &org, Family::Campaign, "k-2").await.error().0, 402);
    let before = world.account(&org).await;
    assert_replayed(&create(&world, &org, Family::Campaign, "k-1").await, &first);
    let after = world.account(&org).await;
    assert_eq!(after.window.calls, before.window.calls + 1);
    assert_eq!(after.totals, before.totals);
    let line = after.today.usage.values().next().copied().expect("a line of usage");
    // Both calls are counted, but only one is charged.
    assert_eq!((line.calls, line.credits.unsigned_abs()), (2, paid()));
}

#[tokio::test]
async fn replay_over_the_rate_limit_returns_429_without_database_calls() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let first = create(&world, &org, Family::Campaign, "k-1").await;
    for _ in 0..9 {
        assert_replayed(&create(&world, &org, Family::Campaign, "k-1").await, &first);
    }
    world.wire.record();
    for key in ["k-1", "k-2", "not a key"] {
        assert_eq!(
            create(&world, &org, Family::Campaign, key).await.error(),
            (429, "RATE_LIMITED".to_owned())
        );
    }
    assert_eq!(world.wire.take(), []);
    // A process with an empty cache reads the key and the account, and also refuses the call.
    let (_, router) = world.another_process(11).await;
    let call = post(&world, &org, Family::Campaign, "k-1").json(&samples::campaign());
    assert_eq!(call.send_to(router).await.error().0, 429);
    world.clock.advance(60_000);
    assert_replayed(&create(&world, &org, Family::Campaign, "k-1").await, &first);
}

#[tokio::test]
async fn other_operations_ignore_the_header() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let library = samples::library(Family::Campaign);
    let edit = json!({ "flight": { "start_date": "2026-05-01", "end_date": "2026-05-02" } });
    for (method, path, body) in [
        (Method::GET, library, None),
        (Method::PATCH, path.as_str(), Some(&edit)),
        (Method::PATCH, path.as_str(), Some(&samples::campaign())),
        (Method::POST, "/v2/measures/population/at_home", Some(&samples::population_at_home())),
        (Method::POST, "/v2/measures/population/at_home", Some(&samples::population_at_home())),
    ] {
        for key in ["k-1", "not a key"] {
            let call = world.call(method.clone(), path).key(&org.key).header("idempotency-key", key);
            let call = body.into_iter().fold(call, |call, body: &Value| call.json(body));
            let answer = call.send().await;
            assert_eq!(answer.status, 200, "{method} {path}: {}", answer.text());
            let product = if path.starts_with(library) {
                Product::ScenarioCampaignCrud
            } else {
                Product::PopulationAtHome
            };
            assert_eq!(answer.credits_used(), price(product), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn failed_key_lookup_returns_503_and_is_free() {
    let (world, org) = World::with_org().await;
    let first = create(&world, &org, Family::Campaign, "k-1").await;
    let before = world.account(&org).await;
    world.wire.inject_faults(|sent| {
        let is_lookup = sent.operation == "GetItem" && sent.touches("assets");
        if is_lookup { harness::Fault::ErrorBeforeCommit } else { harness::Fault::None }
    });
    let answer = create(&world, &org, Family::Campaign, "k-1").await;
    world.wire.stop_faults().await;
    assert_eq!((answer.error().0, answer.credits_used()), (503, 0));
    assert_eq!(world.account(&org).await.totals, before.totals);
    assert_replayed(&create(&world, &org, Family::Campaign, "k-1").await, &first);
}

#[tokio::test]
async fn stored_key_item_expires_and_contains_neither_key_nor_body() {
    let (world, org) = World::with_org().await;
    assert_eq!(create(&world, &org, Family::Campaign, "secret-key").await.status, 200);
    let items = world.stored("assets").await;
    let is_of_key = |sk: &AttributeValue| sk.as_s().is_ok_and(|sk| sk == "create");
    let item = items.iter().find(|item| is_of_key(&item["sk"])).expect("the item of the key");
    assert!(!format!("{item:?}").contains("secret-key"));
    let ttl: i64 = item["ttl"].as_n().expect("a number").parse().expect("seconds");
    let end = world.clock.now().unix_seconds() + DAY_MILLIS / 1000;
    assert_eq!(ttl, end + 3_600, "the item outlives the key by an hour to allow for clock differences");
}

//! Inventory search errors: three errors have their own format, and all others use the standard envelope.

use std::time::Duration;

use accounting::{Product, Scope, Scopes, Tier};
use harness::{Answer, Contract, Fault, World, WorldOptions, price};
use serde_json::{Value, json};

use super::{SEARCH, assert_refused, call};

async fn search_now(world: &World, key: &str) -> Answer {
    world.post(SEARCH).header("apikey", key).json(&json!({ "fieldSet": ["id"] })).send().await
}

fn example(name: &str) -> Value {
    Contract::get().document()["components"]["examples"][name]["value"].clone()
}

fn assert_headers(answer: &Answer) {
    for name in [
        "x-request-id",
        "x-credits-used",
        "x-credits-remaining",
        "x-ratelimit-limit",
        "ratelimit",
        "ratelimit-policy",
    ] {
        assert!(answer.headers.contains_key(name), "{name}: {:?}", answer.headers);
    }
    assert_eq!(answer.header("content-type"), "application/json");
}

/// Returns the values of the rate limit headers.
fn rate_shown(answer: &Answer) -> [&str; 4] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "ratelimit-policy", "ratelimit"]
        .map(|name| answer.header(name))
}

#[tokio::test]
async fn array_as_a_filter_value_returns_the_documented_400() {
    let (world, org) = World::with_org().await;
    let answer = call(&world, &org, &json!({ "filter": { "state": ["NY", "CA"] } })).send().await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json(), example("InventoryInvalid"));
    assert_headers(&answer);
    assert_eq!(answer.credits_used(), price(Product::InventorySearch));
}

#[tokio::test]
async fn twenty_first_search_of_a_key_returns_429_without_affecting_other_keys() {
    let (world, org) = World::with_org().await;
    world.clock.advance(30_000);
    for _ in 0..20 {
        assert_eq!(search_now(&world, &org.key).await.status, 200);
    }
    let refused = search_now(&world, &org.key).await;
    assert_eq!(refused.status, 429);
    let wait = refused.number("retry-after");
    let mut expected = example("InventoryRateLimited");
    expected["error"]["details"]["retry_after_seconds"] = json!(wait);
    expected["error"]["message"] = json!(format!(
        "this API key is limited to 20 requests of this type per minute; try again in {wait} s"
    ));
    assert_eq!(refused.json(), expected);
    assert_headers(&refused);
    let remaining = format!("\"minute\";r=980;t={wait}, \"inventory\";r=0;t={wait}");
    let policy = "\"minute\";q=1000;w=60, \"inventory\";q=20;w=60";
    assert_eq!(rate_shown(&refused), ["20", "0", policy, &remaining]);
    assert_eq!(refused.number("x-credits-used"), 0);
    assert_eq!(world.account(&org).await.totals.used, 20 * price(Product::InventorySearch));

    // The limit doesn't affect other products.
    assert_eq!(world.get("/v2/markets").key(&org.key).send().await.status, 200);
    let other = world.key(&org.id, [Scope::Inventory].into_iter().collect::<Scopes>()).await;
    let found = search_now(&world, &other).await;
    assert_eq!(found.status, 200);
    let remaining = format!("\"minute\";r=978;t={wait}, \"inventory\";r=19;t={wait}");
    assert_eq!(rate_shown(&found), ["20", "19", policy, &remaining], "the tightest limit is shown");
    world.clock.advance(wait * 1_000);
    assert_eq!(search_now(&world, &org.key).await.status, 200);
}

#[tokio::test]
async fn tier_limit_returns_429_in_the_same_shape() {
    let world = World::new().await;
    let org = world.org_with("org_sandbox", Tier::Sandbox, 100).await;
    for _ in 0..10 {
        assert_eq!(search_now(&world, &org.key).await.status, 200);
    }
    let refused = search_now(&world, &org.key).await;
    assert_eq!(refused.status, 429);
    let wait = refused.number("retry-after");
    let expected = json!({
        "error": {
            "code": "RATE_LIMIT_EXCEEDED",
            "message": format!("your tier allows 10 requests per minute; try again in {wait} s"),
            "details": { "limit": 10, "window": "minute", "retry_after_seconds": wait, "of": "organization" },
        },
    });
    assert_eq!(refused.json(), expected);
    assert_headers(&refused);
    let remaining = format!("\"minute\";r=0;t={wait}, \"inventory\";r=10;t={wait}");
    let policy = "\"minute\";q=10;w=60, \"inventory\";q=20;w=60";
    assert_eq!(rate_shown(&refused), ["10", "0", policy, &remaining]);
}

#[tokio::test]
async fn database_outage_returns_the_search_gateways_500() {
    let options = WorldOptions { attempt_timeout: Duration::from_millis(50), ..WorldOptions::default() };
    let world = World::with(options).await;
    let org = world.org("org_a").await;
    for fault in [Fault::ErrorBeforeCommit, Fault::RequestLost, Fault::Throttled] {
        let before = world.account(&org).await.totals;
        let (_, fresh) = world.another_process(9).await;
        for (process, about) in [(world.router(), "the charge"), (fresh, "the key lookup")] {
            world.wire.inject_faults(move |_| fault);
            let failed = call(&world, &org, &json!({})).send_to(process).await;
            world.wire.inject_faults(|_| Fault::None);
            assert_eq!(failed.status, 500, "{fault:?} in {about}: {}", failed.text());
            let mut expected = example("InventoryFailed");
            expected["message"]["message"] = json!("the service is temporarily unavailable; try again");
            assert_eq!(failed.json(), expected, "{fault:?} of {about}");
            assert!(failed.number("retry-after") > 0);
            assert_eq!(failed.number("x-credits-used"), 0);
        }
        assert_eq!(world.account(&org).await.totals, before, "{fault:?}");
    }
}

#[tokio::test]
async fn server_error_returns_the_documented_500_uncharged() {
    let (world, org) = World::with_org().await;
    world.engine().delete_table().table_name("marquee-accounts").send().await.expect("a response");
    let answer = search_now(&world, &org.key).await;
    assert_eq!(answer.status, 500, "{}", answer.text());
    assert_eq!(answer.json(), example("InventoryFailed"));
    assert_eq!(answer.number("x-credits-used"), 0);
    assert!(!answer.header("x-request-id").is_empty());
}

#[tokio::test]
async fn lists_two_hundred_and_fifty_violations() {
    let (world, org) = World::with_org().await;
    let filter: serde_json::Map<String, Value> =
        (0..250).map(|number| (format!("x{number:03}"), json!(0))).collect();
    let answer = call(&world, &org, &json!({ "filter": filter })).send().await;
    let names: Vec<String> =
        (0..250).map(|number| format!("/filter/x{number:03} is an unknown member")).collect();
    let expected: Vec<(&str, &str)> = names.iter().map(|words| ("invalid_filter", words.as_str())).collect();
    assert_refused(&answer, &expected, "250 violations");
}

#[tokio::test]
async fn lists_every_violation_at_once() {
    let (world, org) = World::with_org().await;
    let body = json!({
        "filter": {
            "state": ["NY"], "dma_name": " ", "digital": 1, "id_min": 3, "id_max": 2, "search": "!", "x": 0,
            "geo_distance": { "lat": 91, "distance": "5 parsecs" },
            "geo_bounding_box": { "top_left": {} },
        },
        "fieldSet": ["id", "x", 1],
        "pagination": { "page": 0, "page_size": 0 },
        "sort": { "field": "x", "order": "x" },
        "y": 0,
    });
    let expected = [
        ("invalid_field_set", "/fieldSet/1 must be the path of a field"),
        ("invalid_field_set", "/fieldSet/2 must be a string"),
        ("invalid_filter", "/filter/digital must be a boolean"),
        ("invalid_filter", "/filter/dma_name must not be blank"),
        ("invalid_filter", "/filter/geo_bounding_box/top_left/lat is required"),
        ("invalid_filter", "/filter/geo_bounding_box/top_left/lon is required"),
        ("invalid_filter", "/filter/geo_bounding_box/bottom_right is required"),
        ("invalid_filter", "/filter/geo_distance/distance has the unknown unit \"parsecs\""),
        ("invalid_filter", "/filter/geo_distance/lat must be from"),
        ("invalid_filter", "/filter/geo_distance/lon is required"),
        ("invalid_filter", "/filter/search must contain a letter or a digit, got \"!\""),
        ("invalid_filter", "/filter/state must be a single value"),
        ("invalid_filter", "/filter/x is an unknown member"),
        ("invalid_filter", "/filter/id_min must not exceed id_max"),
        ("invalid_pagination", "/pagination/page must be at least 1"),
        ("invalid_pagination", "/pagination/page_size must be from 1"),
        ("invalid_sort", "/sort/field must be the path of a field"),
        ("invalid_sort", "/sort/order must be asc or desc"),
        (
            "unknown_member",
            "/y is an unknown member; allowed members: filter, filters, fieldSet, pagination, sort",
        ),
    ];
    let answer = call(&world, &org, &body).send().await;
    assert_refused(&answer, &expected, "all violations");
    let reason = answer.json()["error"]["reason"].take();
    assert!(
        reason.as_str().is_some_and(|reason| reason.ends_with("; and 18 more, see root_cause")),
        "{reason}"
    );
}

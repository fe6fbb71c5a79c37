//! The errors of inventory search: three shapes that it has alone, and the envelope for the rest.

use std::time::Duration;

use accounting::{Product, Scope, Scopes, Tier};
use harness::{Answer, Contract, Fault, TestOrg, World, WorldOptions, price};
use serde_json::{Value, json};

use super::{SEARCH, assert_refused, call};

type Headers<'a> = &'a [(&'a str, &'a str)];

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

/// Returns the headers that show a limit, and what of it is left.
fn rate_shown(answer: &Answer) -> [&str; 4] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "ratelimit-policy", "ratelimit"]
        .map(|name| answer.header(name))
}

#[tokio::test]
async fn an_array_for_a_filter_is_the_400_of_the_contracts_example() {
    let (world, org) = World::with_org().await;
    let answer = call(&world, &org, &json!({ "filter": { "state": ["NY", "CA"] } })).send().await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json(), example("InventoryInvalid"));
    assert_headers(&answer);
    assert_eq!(answer.credits_used(), price(Product::InventorySearch));
}

#[tokio::test]
async fn the_twenty_first_search_of_a_key_in_a_minute_is_429_and_other_keys_go_on() {
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
    expected["error"]["message"] =
        json!(format!("this API key admits 20 requests a minute; try again in {wait} s"));
    assert_eq!(refused.json(), expected);
    assert_headers(&refused);
    assert_eq!(
        rate_shown(&refused),
        ["20", "0", "\"minute\";q=20;w=60", &format!("\"minute\";r=0;t={wait}")]
    );
    assert_eq!(refused.number("x-credits-used"), 0);
    assert_eq!(world.account(&org).await.totals.used, 20 * price(Product::InventorySearch));

    let other = world.key(&org.id, [Scope::Inventory].into_iter().collect::<Scopes>()).await;
    let found = search_now(&world, &other).await;
    assert_eq!(found.status, 200);
    let of_organization = ["1000", "979", "\"minute\";q=1000;w=60", "\"minute\";r=979;t=60"];
    assert_eq!(rate_shown(&found), of_organization, "what a call left is the organization's");
    world.clock.advance(wait * 1_000);
    assert_eq!(search_now(&world, &org.key).await.status, 200);
}

#[tokio::test]
async fn the_tiers_limit_is_429_in_the_same_shape_and_says_whose_it_is() {
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
            "message": format!("your tier admits 10 requests a minute; try again in {wait} s"),
            "details": { "limit": 10, "window": "minute", "retry_after_seconds": wait, "of": "organization" },
        },
    });
    assert_eq!(refused.json(), expected);
    assert_headers(&refused);
    assert_eq!(
        rate_shown(&refused),
        ["10", "0", "\"minute\";q=10;w=60", &format!("\"minute\";r=0;t={wait}")]
    );
}

#[tokio::test]
async fn a_database_that_is_late_or_does_not_answer_is_the_500_of_the_search_gateway() {
    let options = WorldOptions { attempt_timeout: Duration::from_millis(50), ..WorldOptions::default() };
    let world = World::with(options).await;
    let org = world.org("org_a").await;
    for fault in [Fault::ErrorBeforeCommit, Fault::RequestLost, Fault::Throttled] {
        let before = world.account(&org).await.totals;
        let (_, fresh) = world.another_process(9).await;
        for (process, about) in [(world.router(), "its charge"), (fresh, "who calls")] {
            world.wire.break_with(move |_| fault);
            let failed = call(&world, &org, &json!({})).send_to(process).await;
            world.wire.break_with(|_| Fault::None);
            assert_eq!(failed.status, 500, "{fault:?} of {about}: {}", failed.text());
            let mut expected = example("InventoryFailed");
            expected["message"]["message"] = json!("the service cannot answer right now; try again");
            assert_eq!(failed.json(), expected, "{fault:?} of {about}");
            assert!(failed.number("retry-after") > 0);
            assert_eq!(failed.number("x-credits-used"), 0);
        }
        assert_eq!(world.account(&org).await.totals, before, "{fault:?}");
    }
}

#[tokio::test]
async fn a_fault_of_ours_is_the_500_of_the_contracts_example_and_costs_nothing() {
    let (world, org) = World::with_org().await;
    world.engine().delete_table().table_name("marquee-accounts").send().await.expect("the engine answers");
    let answer = search_now(&world, &org.key).await;
    assert_eq!(answer.status, 500, "{}", answer.text());
    assert_eq!(answer.json(), example("InventoryFailed"));
    assert_eq!(answer.number("x-credits-used"), 0);
    assert!(!answer.header("x-request-id").is_empty());
}

async fn refused(world: &World, org: &TestOrg, headers: Headers<'_>) -> (u16, String) {
    let call = headers.iter().fold(world.post(SEARCH), |call, (name, value)| call.header(name, value));
    let answer = call.json(&json!({})).send().await;
    assert_eq!(answer.number("x-credits-used"), 0, "{headers:?}");
    assert_eq!(answer.json()["error"]["status"], answer.status.as_u16(), "{headers:?}");
    assert_eq!(answer.json()["error"]["product"], "inventory_search", "{headers:?}");
    assert!(!answer.text().contains(&org.key), "{headers:?}");
    answer.error()
}

#[tokio::test]
async fn every_other_error_has_the_envelope() {
    let (world, org) = World::with_org().await;
    let bearer = format!("Bearer {}", world.token(&world.person("nobody")));
    let other = world.key(&org.id, [Scope::Analytics].into_iter().collect::<Scopes>()).await;
    let broke = world.org_with("org_broke", Tier::Enterprise, 0).await;
    let key = org.key.as_str();
    let cases: [(Headers<'_>, u16, &str); 9] = [
        (&[], 401, "UNAUTHORIZED"),
        (&[("apikey", "nonsense")], 401, "UNAUTHORIZED"),
        (&[("x-api-key", key)], 401, "UNAUTHORIZED"),
        (&[("authorization", "Bearer nonsense")], 401, "UNAUTHORIZED"),
        (&[("x-session-token", "mqs_nonsense")], 401, "UNAUTHORIZED"),
        (&[("authorization", &bearer)], 403, "FORBIDDEN"),
        (&[("apikey", &other)], 403, "FORBIDDEN"),
        (&[("apikey", &broke.key)], 402, "QUOTA_EXCEEDED"),
        (&[("apikey", key), ("authorization", &bearer)], 400, "AMBIGUOUS_AUTH"),
    ];
    for (headers, status, code) in cases {
        assert_eq!(refused(&world, &org, headers).await, (status, code.to_owned()), "{headers:?}");
    }
    let of_type = |content_type: &str| world.post(SEARCH).header("apikey", key).bytes(content_type, "{}");
    assert_eq!(of_type("text/plain").send().await.error(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()));
    let oversized = format!("{{\"filter\":{{\"state\":\"{}\"}}}}", "x".repeat(7 * 1024 * 1024));
    let oversized =
        world.post(SEARCH).header("apikey", key).bytes("application/json", oversized).send().await;
    assert_eq!(oversized.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
    assert_eq!(world.get(SEARCH).send().await.error(), (405, "METHOD_NOT_ALLOWED".to_owned()));
    for path in ["/msearch/inventory/", "/msearch/inventory/more", "/v2/msearch/inventory"] {
        assert_eq!(world.post(path).send().await.error(), (404, "NOT_FOUND".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn a_great_many_violations_are_counted_and_the_first_thousand_listed() {
    let (world, org) = World::with_org().await;
    let filter: serde_json::Map<String, Value> =
        (0..250).map(|number| (format!("x{number:03}"), json!(0))).collect();
    let answer = call(&world, &org, &json!({ "filter": filter })).send().await;
    let names: Vec<String> = (0..250).map(|number| format!("/filter/x{number:03} is not a member")).collect();
    let expected: Vec<(&str, &str)> = names.iter().map(|words| ("invalid_filter", words.as_str())).collect();
    assert_refused(&answer, &expected, "two hundred and fifty");
}

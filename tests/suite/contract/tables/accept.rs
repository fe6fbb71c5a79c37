//! Content negotiation for tables (RFC 9110, section 12.5.1), which takes place before the call is charged.

use accounting::Tier;
use harness::{OPERATIONS, World, operation, samples};
use http::Method;
use serde_json::json;
use store::Family;

use super::{CSV, GEO_JSON, JSON, TableCall, table_of, tables};

const MARKETS: &str = "/v2/markets";
const PLACES: &str = "/v2/msearch";

/// `Accept` headers, and the expected media type of a table that is available as GeoJSON. An empty type means
/// a 406.
const CHOICES: [(&[&str], &str); 37] = [
    (&[], JSON),
    (&[""], JSON),
    (&["*/*"], JSON),
    (&["*"], JSON),
    (&["application/*"], JSON),
    (&["application/json"], JSON),
    (&["APPLICATION/JSON; charset=utf-8"], JSON),
    (&["application/json, text/plain, */*"], JSON),
    (&["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"], JSON),
    (&["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"], JSON),
    (&["text/csv"], CSV),
    (&["Text/CSV"], CSV),
    (&["text/csv; charset=utf-8; header=present"], CSV),
    (&["text/csv;header=absent"], CSV),
    (&["text/*"], CSV),
    (&["text/csv, */*"], CSV),
    (&["text/csv, */*;q=0.1"], CSV),
    (&["text/csv;q=0.5, */*"], JSON),
    (&["text/csv, application/json"], JSON),
    (&["text/csv, application/json;q=0.9"], CSV),
    (&["application/json;q=0.1, text/csv;q=0.2"], CSV),
    (&["application/json;q=0, */*"], CSV),
    (&["application/json;q=0", "*/*;q=0.1"], CSV),
    (&["application/*;q=0, */*"], CSV),
    (&["text/csv;q=0, text/*"], ""),
    (&["application/geo+json"], GEO_JSON),
    (&["application/geo+json", "text/csv;q=0.9"], GEO_JSON),
    (&["application/geo+json, application/*"], GEO_JSON),
    (&["application/json;q=0, text/csv;q=0, */*;q=0.001"], GEO_JSON),
    (&["application/xml"], ""),
    (&["text/html"], ""),
    (&["image/*"], ""),
    (&["*/*;q=0"], ""),
    (&["text/csv;q=0"], ""),
    (&["text/csv;q=much"], ""),
    (&["csv"], ""),
    (&["application/*;q=0.0, text/csv;q=0.000"], ""),
];

#[tokio::test]
async fn response_has_the_preferred_media_type() {
    let (world, org) = World::with_org().await;
    let body = json!({ "filter": { "state": "DC" }, "pagination": { "page_size": 1 } });
    for (values, form) in CHOICES {
        let call = world.post(PLACES).key(&org.key).json(&body);
        let answer = values.iter().fold(call, |call, value| call.header("accept", value)).send().await;
        if form.is_empty() {
            assert_eq!(answer.error(), (406, "NOT_ACCEPTABLE".to_owned()), "{values:?}");
            continue;
        }
        assert_eq!(answer.status, 200, "{values:?}: {}", answer.text());
        let answered = answer.header("content-type").split(';').next().unwrap_or_default();
        assert_eq!(answered, form, "{values:?}");
        assert_eq!(answer.header("vary"), "accept, accept-encoding", "{values:?}");
        assert_eq!(answer.header("content-disposition").is_empty(), form == JSON, "{values:?}");
    }
}

#[tokio::test]
async fn table_without_positions_is_not_available_as_geojson() {
    let (world, org) = World::with_org().await;
    for (operation, table) in tables(&world) {
        let call = operation.call(&world, operation.path).header(operation.key_header(), &org.key);
        let answer = call.header("accept", GEO_JSON).send().await;
        let expected = if table.feature.is_some() { 200 } else { 406 };
        assert_eq!(answer.status, expected, "{}: {}", operation.name(), answer.text());
        if expected == 406 {
            let message = answer.json()["error"]["message"].as_str().expect("a text").to_owned();
            assert_eq!(
                message,
                "`Accept` matches no available media type; available types: application/json, text/csv"
            );
        }
    }
}

#[tokio::test]
async fn unacceptable_media_type_returns_406_uncharged_and_uncounted() {
    let world = World::new().await;
    let org = world.org_with("org_s", Tier::Sandbox, 100).await;
    let before = world.account(&org).await;
    for (operation, _) in tables(&world) {
        let name = operation.name();
        let call = operation.call(&world, operation.path).header(operation.key_header(), &org.key);
        let answer = call.header("accept", "application/xml").send().await;
        assert_eq!(answer.error(), (406, "NOT_ACCEPTABLE".to_owned()), "{name}");
        assert_eq!(answer.credits_used(), 0, "{name}");
        assert_eq!(answer.json()["error"]["product"], operation.product.name(), "{name}");
    }
    assert_eq!(world.account(&org).await, before);
}

#[tokio::test]
async fn authentication_is_checked_before_accept() {
    let world = World::new().await;
    for accept in ["application/xml", CSV] {
        let answer = world.get(MARKETS).header("accept", accept).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{accept}");
    }
}

#[tokio::test]
async fn errors_are_always_json() {
    let (world, org) = World::with_org().await;
    let broke = world.org_with("org_broke", Tier::Enterprise, 0).await;
    let at_home = "/v2/measures/population/at_home";
    let unknown = json!({
        "service_segment_id": "01999999-9999-5999-8999-999999999999",
        "geography_type": ["DMA"],
    });
    for (call, status) in [
        (world.get("/v2/markets?limit=0").key(&org.key), 400),
        (world.post(PLACES).key(&org.key).json(&json!({ "x": 1 })), 400),
        (world.post("/msearch/inventory").header("apikey", &org.key).json(&json!({ "x": 1 })), 400),
        (world.get(MARKETS).key("nonsense"), 401),
        (world.post(PLACES).key(&broke.key).json(&json!({})), 402),
        (world.post(at_home).key(&org.key).json(&unknown), 404),
        (world.post(PLACES).key(&org.key).bytes("text/plain", "{}"), 415),
        (world.get("/v2/nothing").key(&org.key), 404),
    ] {
        let answer = call.header("accept", CSV).send().await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (status, JSON));
        assert!(answer.json()["error"].is_object(), "{status}");
    }
}

#[tokio::test]
async fn server_error_is_json_and_is_refunded() {
    let (world, org) = World::with_org().await;
    world.draft(&org, Family::Campaign).await;
    let before = world.account(&org).await.totals;
    world.engine().delete_table().table_name("marquee-assets").send().await.expect("a response");
    let call = TableCall::get("GET /v2/scenarios/campaigns", "");
    let answer = call.answer(&world, &org, CSV).await;
    assert_eq!(answer.error(), (500, "INTERNAL_ERROR".to_owned()));
    assert_eq!((answer.header("content-type"), answer.header("content-disposition")), (JSON, ""));
    assert_eq!((answer.credits_used(), world.account(&org).await.totals), (0, before));
}

#[tokio::test]
async fn operations_without_a_table_ignore_accept() {
    let (world, org) = World::with_org().await;
    let mut others = 0;
    for operation in OPERATIONS.iter().filter(|one| table_of(&world, one).is_none()) {
        let path = operation.path_for(&world, &org, &world.router()).await;
        let (header, value) = operation.credential(&world, &org).await;
        let call = operation.call(&world, &path).header(header, &value);
        let answer = call.header("accept", "text/csv").send().await;
        assert_eq!(answer.status.as_u16(), operation.success(), "{}", operation.name());
        assert_ne!(answer.header("content-type"), "text/csv", "{}", operation.name());
        others += 1;
    }
    assert!(others > 20, "{others}");
}

#[tokio::test]
async fn head_and_anonymous_callers_get_files() {
    let (world, org) = World::with_org().await;
    let headed = world.call(Method::HEAD, MARKETS).key(&org.key).header("accept", CSV).send().await;
    assert_eq!((headed.status.as_u16(), headed.body.len()), (200, 0));
    assert_eq!(headed.header("content-disposition"), "attachment; filename=\"markets.csv\"");
    let search = operation("POST /v2/msearch");
    let answer = search.call(&world, PLACES).header("accept", CSV).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(!answer.header("x-session-token").is_empty());
    let refused = search.call(&world, PLACES).from("203.0.113.10").header("accept", "image/png").send().await;
    assert_eq!(refused.error().0, 406);
}

#[tokio::test]
async fn file_has_the_price_and_account_headers_of_json() {
    let (world, org) = World::with_org().await;
    let body = samples::population_at_home();
    let call = TableCall::post("POST /v2/measures/population/at_home", body);
    let (json, csv) = (call.answer(&world, &org, JSON).await, call.answer(&world, &org, CSV).await);
    assert_eq!(json.credits_used(), csv.credits_used());
    assert_eq!(json.credits_remaining(), csv.credits_remaining() + csv.credits_used());
    for name in ["x-ratelimit-limit", "x-ratelimit-reset", "ratelimit-policy"] {
        assert_eq!(json.header(name), csv.header(name), "{name}");
    }
    assert_eq!(json.number("x-ratelimit-remaining"), csv.number("x-ratelimit-remaining") + 1);
}

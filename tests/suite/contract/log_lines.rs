//! Every request leaves exactly one log line, with known fields and a request id of our own.

use std::collections::BTreeSet;

use harness::{Logs, World, price, samples};
use http::Method;
use serde_json::{Value, json};
use shared::types::{Product, Tier};

const CAMPAIGNS: &str = "/v2/scenarios/campaigns";

#[tokio::test]
async fn each_request_leaves_one_line_that_says_what_it_was() {
    let world = World::new().await;
    let paid = price(Product::ScenarioCampaignCrud);
    assert_eq!(paid, price(Product::ScenarioEventCrud), "two calls use the credits up");
    let org = world.org_with("org_a", Tier::Enterprise, 2 * paid).await;
    let token = world.bearer(&org).await;
    // The call, and its line's method, organization, product, status and credits.
    let cases = [
        (
            world.post(CAMPAIGNS).key(&org.key).json(&samples::campaign()),
            "POST",
            Some("org_a"),
            "scenario_campaign_crud",
            200,
            paid,
        ),
        (
            world.get("/v2/scenarios/events/unknown").bearer(&token),
            "GET",
            Some("org_a"),
            "scenario_event_crud",
            404,
            paid,
        ),
        (world.get(CAMPAIGNS).key(&org.key), "GET", Some("org_a"), "scenario_campaign_crud", 402, 0),
        (world.get("/v2/billing/credits").key(&org.key), "GET", Some("org_a"), "billing_credits", 200, 0),
        (world.get("/v2/health"), "GET", None, "health", 200, 0),
        (world.get(CAMPAIGNS), "GET", None, "scenario_campaign_crud", 401, 0),
        (world.get("/v2/nothing").key(&org.key), "GET", None, "platform", 404, 0),
        (world.delete("/v2/health"), "DELETE", None, "platform", 405, 0),
        (world.call(Method::HEAD, "/v2/openapi.yaml"), "HEAD", None, "openapi", 200, 0),
    ];
    for (call, method, org, product, status, credits) in cases {
        let logs = Logs::capture();
        let answer = call.send().await;
        let lines = logs.of("request");
        assert_eq!(lines.len(), 1, "{method} {product}: {:?}", logs.lines());
        let fields = &lines[0]["fields"];
        assert_eq!(fields["request_id"], answer.header("x-request-id"));
        assert_eq!((&fields["method"], &fields["product"]), (&json!(method), &json!(product)));
        assert_eq!(
            (&fields["status"], &fields["credits"]),
            (&json!(status), &json!(credits)),
            "{method} {product}"
        );
        assert_eq!(fields.get("org").and_then(Value::as_str), org, "{method} {product}");
        assert!(fields["ms"].as_u64().is_some());
        let known = ["event", "request_id", "method", "org", "product", "status", "credits", "ms", "message"];
        let names: BTreeSet<_> = fields.as_object().expect("fields").keys().map(String::as_str).collect();
        assert!(names.iter().all(|name| known.contains(name)), "{names:?}");
    }
}

#[tokio::test]
async fn request_ids_are_unique_and_not_the_callers() {
    let world = World::new().await;
    let mut seen = BTreeSet::new();
    for _ in 0..20 {
        let answer = world.get("/v2/health").header("x-request-id", "chosen-by-the-caller").send().await;
        seen.insert(answer.header("x-request-id").to_owned());
    }
    assert_eq!(seen.len(), 20);
    assert!(!seen.contains("chosen-by-the-caller"));
}

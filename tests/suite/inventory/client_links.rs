//! Display rates in campaigns that are shared with client links.

use harness::{World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{record, release_with, router_of};

const RATED: u64 = 30_600_001;
const WITHOUT_RATE: u64 = 30_600_002;

#[tokio::test]
async fn rates_are_shown_only_by_links_that_include_them() {
    let rate = json!({ "amount": 1250, "currency": "USD", "weeks": 4 });
    let records = [record(RATED, json!({ "rate": rate })), record(WITHOUT_RATE, json!({}))];
    let release = release_with(&records, "client-links");
    let (world, org) = World::with_org().await;
    let mut body = samples::campaign();
    body["spots"] = json!([
        { "display_id": RATED.to_string(), "spot_id": 1 },
        { "display_id": WITHOUT_RATE.to_string(), "spot_id": 2 },
    ]);
    let library = samples::library(Family::Campaign);
    let campaign = world.post(library).key(&org.key).json(&body).send().await.data();
    let links = format!("{library}/{}/links", campaign["asset_id"].as_str().expect("an ID"));
    for (include_rates, expected) in [(true, [rate, Value::Null]), (false, [Value::Null, Value::Null])] {
        let asked = json!({ "include_rates": include_rates });
        let link = world.post(&links).key(&org.key).json(&asked).send().await.data();
        let token = link["url"].as_str().and_then(|url| url.split('#').nth(1)).expect("a token");
        let view = world.get("/v2/client-links/campaign").header("x-client-link", token);
        let shown = view.send_to(router_of(&world, &release)).await.data();
        let displays = shown["displays"].as_array().expect("an array");
        assert_eq!(displays.len(), expected.len(), "{shown}");
        for (display, rate) in displays.iter().zip(&expected) {
            assert_eq!(display.get("rate"), Some(rate).filter(|rate| !rate.is_null()), "{include_rates}");
        }
    }
}

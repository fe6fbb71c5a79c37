//! The first event that each function handles after a cold start. Its response depends on the release.

use harness::{PUBLIC_URL, TestOrg, World, root, samples};
use serde_json::{Value, json};

const ORIGIN: &str = "https://maps.example.com";

/// A New York City tile at a zoom level that shows individual displays.
const NEW_YORK: &str = "10/301/384";

/// Returns the first event for a function.
pub(crate) async fn event(world: &World, org: &TestOrg, function: &str) -> String {
    match function {
        "inventory" => with_body("inventory/search-inventory.json", org, &broadway_page()),
        "places" => {
            with_body("places/search-places.json", org, &json!({ "filter": { "place_name": "starbucks" } }))
        }
        "audiences" => with_body(
            "audiences/read-population-at-home.json",
            org,
            &json!({ "service_segment_id": samples::segment("hispanic"), "geography_type": ["DMA"] }),
        ),
        "estimates" => with_body("estimates/estimate-campaign.json", org, &samples::estimated_campaign()),
        "campaigns" => with_body("campaigns/create-campaign.json", org, &samples::campaign()),
        "tiles" => tile(world, org).await,
        other => panic!("{other} must read a release"),
    }
}

/// Returns an inventory search for one page of complete records.
fn broadway_page() -> Value {
    json!({ "filter": { "search": "broadway" }, "pagination": { "page_size": 50 } })
}

fn with_body(file: &str, org: &TestOrg, body: &Value) -> String {
    let mut event = read(file);
    let headers = event["headers"].as_object_mut().expect("headers");
    headers.remove("content-length");
    for name in ["apikey", "x-api-key"] {
        if let Some(key) = headers.get_mut(name) {
            *key = org.key.as_str().into();
        }
    }
    event["body"] = body.to_string().into();
    event.to_string()
}

async fn tile(world: &World, org: &TestOrg) -> String {
    let grants = "/v2/displays/tiles/grants";
    let grant = json!({ "allowed_origins": [ORIGIN] });
    let grant = world.post(grants).key(&org.key).json(&grant).send().await.data();
    let tilejson = format!("{grants}/{}/tilejson", grant["grant_id"].as_str().expect("an ID"));
    let tilejson = world.get(&tilejson).header("origin", ORIGIN).send().await.json();
    let address = tilejson["tiles"][0].as_str().expect("an address").replace("{z}/{x}/{y}", NEW_YORK);
    let (path, query) =
        address.strip_prefix(PUBLIC_URL).and_then(|own| own.split_once('?')).expect("a URL of the service");
    let mut event = read("tiles/read-tile.json");
    event["headers"]["origin"] = ORIGIN.into();
    event["rawPath"] = path.into();
    event["requestContext"]["http"]["path"] = path.into();
    event["rawQueryString"] = query.into();
    event["queryStringParameters"] = json!({ "token": query.trim_start_matches("token=") });
    event.to_string()
}

fn read(file: &str) -> Value {
    let text = std::fs::read_to_string(root().join("events").join(file)).expect("an event");
    serde_json::from_str(&text).expect("JSON")
}

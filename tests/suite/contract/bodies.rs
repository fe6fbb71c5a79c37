//! Every body of the interface, each with every member that it may have.

use harness::{TestOrg, World, samples};
use http::Method;
use serde_json::{Value, json};
use shared::types::Family;

/// An operation that takes a body, and a valid one with every member.
pub(super) struct Body {
    pub(super) name: &'static str,
    pub(super) method: Method,
    pub(super) path: String,
    /// The header that takes the key.
    pub(super) key_header: &'static str,
    pub(super) valid: Value,
}

impl Body {
    fn post(name: &'static str, path: &str, valid: Value) -> Self {
        Self { name, method: Method::POST, path: path.to_owned(), key_header: "x-api-key", valid }
    }
}

/// Returns every operation that takes a body.
pub(super) async fn all(world: &World, org: &TestOrg) -> Vec<Body> {
    let mut bodies = Vec::new();
    for (family, [create, edit]) in [
        (Family::Campaign, ["create campaign", "edit campaign"]),
        (Family::Event, ["create event", "edit event"]),
    ] {
        bodies.push(Body::post(create, samples::library(family), samples::body(family)));
        let path = world.draft(org, family).await;
        bodies.push(Body { method: Method::PATCH, ..Body::post(edit, &path, samples::body(family)) });
    }
    let search = Body::post("search inventory", "/msearch/inventory", inventory_search());
    bodies.push(Body { key_header: "apikey", ..search });
    bodies.push(Body::post("search places", "/v2/msearch", place_search()));
    let report = json!({ "place_id": [samples::place().raw(), "825250465966"] });
    bodies.push(Body::post("report places", "/v2/measures/place/report", report));
    let cohorts = json!({ "service_data_product_name": "Population At Home", "search_text": "women" });
    bodies.push(Body::post("search cohorts", "/v2/cohorts/search", cohorts));
    bodies.push(Body::post("population at home", "/v2/measures/population/at_home", at_home()));
    let grant = json!({
        "allowed_origins": ["https://maps.example.com", "http://localhost:5173"],
        "label": "store finder",
        "expires_in_days": 90,
    });
    bodies.push(Body::post("mint grant", "/v2/places/tiles/grants", grant));
    bodies
}

fn inventory_search() -> Value {
    json!({
        "filter": {
            "dma_name": "New York",
            "state": "NY",
            "zip_code": "10036",
            "cbsa_name": "New York-Newark-Jersey City, NY-NJ-PA",
            "county_name": "New York",
            "media_type_name": "Street Furniture",
            "media_name": "LinkNYC Link1.0 kiosk",
            "construction_type_name": "Kiosk",
            "illumination_type_name": "LED",
            "primary_artery": "broadway",
            "digital": true,
            "full_motion": true,
            "interactive": true,
            "rotating": true,
            "audio": false,
            "id_min": 1,
            "id_max": 4_294_967_295_u32,
            "search": "broadway kio",
            "geo_distance": { "lat": 40.758, "lon": -73.9855, "distance": "500 m" },
            "geo_bounding_box": { "top_left": { "lat": 41, "lon": -75 }, "bottom_right": { "lat": 40, "lon": -73 } },
        },
        "fieldSet": ["id", "location.state"],
        "pagination": { "page": 1, "page_size": 5 },
        "sort": { "field": "location.dma_name", "order": "desc" },
    })
}

fn place_search() -> Value {
    json!({
        "filter": {
            "place_name": "starbucks",
            "place_type_name": "Coffee Shop",
            "city": "San Francisco",
            "state": "CA",
            "zip_code": "94103",
            "dma_name": "San Francisco-Oak-San Jose",
            "address": "market",
            "place_ids": [825250465966_u64, "825250465966"],
            "place_type_ids": [1, "2"],
        },
        "pagination": { "page": 1, "page_size": 5 },
        "sort": { "active": "city", "direction": "desc" },
    })
}

fn at_home() -> Value {
    json!({
        "service_segment_id": samples::segment("hispanic"),
        "geography_type": ["STATE"],
        "pagination": { "page": 1, "page_size": 5 },
    })
}

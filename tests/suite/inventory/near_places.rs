//! Displays near places. The places come from a place search, and the tests compute the distances themselves.

use harness::World;
use serde_json::{Value, json};

use super::geo::{km, point};
use super::{PACE_MILLIS, ask, assert_refused, found_by, id, records, search};

/// Distances for tests in Manhattan, each with its value in kilometers.
const MANHATTAN: [(&str, f64); 2] = [("100 m", 0.1), ("0.5 mi", 0.804_672)];

/// Returns the positions of the places that a place search finds.
async fn places(world: &World, key: &str, filter: &Value) -> Vec<(f64, f64)> {
    world.clock.advance(PACE_MILLIS);
    let body = json!({ "filter": filter, "fieldSet": ["location"], "pagination": { "page_size": 5_000 } });
    let found = world.post("/v2/msearch").key(key).json(&body).send().await.json();
    let results = found["data"]["results"].as_array().expect("a list");
    let degrees = |place: &Value, name: &str| place["location"][name].as_f64().expect("a number");
    results.iter().map(|place| (degrees(place, "lat"), degrees(place, "lon"))).collect()
}

#[tokio::test]
async fn finds_the_displays_near_any_matching_place_or_all_others() {
    let (world, org) = World::with_org().await;
    let filter = json!({ "brand": "Starbucks", "county_name": "New York County, NY" });
    let places = places(&world, &org.key, &filter).await;
    assert!(places.len() > 10, "{places:?}");
    for (distance, radius) in MANHATTAN {
        let is_near = |record: &&Value| places.iter().any(|place| km(*place, point(record)) <= radius);
        let (near, far): (Vec<&Value>, Vec<&Value>) = records().iter().partition(is_near);
        assert!(!near.is_empty() && !far.is_empty(), "{distance}");
        for (name, expected) in [("near_places", near), ("not_near_places", far)] {
            let filter = json!({ name: { "filter": filter, "distance": distance } });
            let expected: Vec<u64> = expected.into_iter().map(id).collect();
            assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
        }
    }
}

#[tokio::test]
async fn criteria_on_places_combine_with_each_other_and_with_other_criteria() {
    let (world, org) = World::with_org().await;
    let starbucks = json!({ "brand": "Starbucks", "state": "NY" });
    let target = json!({ "brand": "Target", "state": "NY" });
    let (near, avoided) =
        (places(&world, &org.key, &starbucks).await, places(&world, &org.key, &target).await);
    let is_within = |record: &Value, places: &[(f64, f64)], radius: f64| {
        places.iter().any(|place| km(*place, point(record)) <= radius)
    };
    let expected = records().iter().filter(|record| {
        is_within(record, &near, 0.3) && !is_within(record, &avoided, 0.5) && record["digital"] == true
    });
    let expected: Vec<u64> = expected.map(id).collect();
    assert!(!expected.is_empty());
    let filter = json!({
        "near_places": { "filter": starbucks, "distance": 300 },
        "not_near_places": { "filter": target, "distance": "500m" },
        "digital": true,
    });
    assert_eq!(found_by(&world, &org, &filter).await, expected);
}

#[tokio::test]
async fn places_that_match_nothing_exclude_all_or_no_displays() {
    let (world, org) = World::with_org().await;
    let all: Vec<u64> = records().iter().map(id).collect();
    let near = json!({ "filter": { "place_ids": [1] }, "distance": "1km" });
    assert_eq!(found_by(&world, &org, &json!({ "near_places": near })).await, [0; 0]);
    assert_eq!(found_by(&world, &org, &json!({ "not_near_places": near })).await, all);
    for nothing in [json!({ "near_places": null }), json!({ "not_near_places": null })] {
        assert_eq!(found_by(&world, &org, &nothing).await, all);
    }
}

#[tokio::test]
async fn unknown_brand_adds_a_warning() {
    let (world, org) = World::with_org().await;
    let near = json!({ "filter": { "brand": "Starbuks" }, "distance": "1km" });
    let found = search(&world, &org, &json!({ "filters": { "not_near_places": near } })).await;
    let warning = json!({
        "pointer": "/filters/not_near_places/filter/brand",
        "detail": "\"Starbuks\" is not a brand in this release; the closest match is \"Starbucks\"",
    });
    assert_eq!(found["meta"]["warnings"], json!([warning]));
    let near = json!({ "filter": { "brand": "Starbucks", "zip_code": "10036" }, "distance": "1km" });
    let found = search(&world, &org, &json!({ "filter": { "near_places": near } })).await;
    assert_eq!(found["meta"].get("warnings"), None);
}

#[tokio::test]
async fn invalid_criteria_on_places_return_400_with_the_rule() {
    let (world, org) = World::with_org().await;
    let all = json!({ "fieldSet": ["place_id"], "pagination": { "page_size": 1 } });
    let found = world.post("/v2/msearch").key(&org.key).json(&all).send().await.json();
    let total = found["data"]["pagination"]["total_results"].clone();
    let too_many = format!(
        "/filter/near_places/filter must match at most 5000 places, but matches {total}; add criteria, such as \
         county_name, brand, or geo_distance"
    );
    let cases = [
        (json!({ "distance": "1km" }), too_many.as_str()),
        (json!({ "filter": {}, "distance": "1km" }), &too_many),
        (json!({ "filter": { "brand": "Starbucks" } }), "/filter/near_places/distance is required"),
        (
            json!({ "filter": {}, "distance": "1 parsec" }),
            "/filter/near_places/distance has the unknown unit",
        ),
        (json!([]), "/filter/near_places must be a single value, got an array"),
        (json!("Starbucks"), "/filter/near_places must be an object, got a string"),
        (
            json!({ "filter": { "brands": ["Starbucks"] }, "distance": 1 }),
            "/filter/near_places/filter/brands is an unknown member",
        ),
        (
            json!({ "filter": { "county_name": "Kngs" }, "distance": 1 }),
            "/filter/near_places/filter/county_name must be a known county",
        ),
        (
            json!({ "filter": { "place_type_name": "Cofee Shop" }, "distance": 1 }),
            "/filter/near_places/filter/place_type_name must be a known place type",
        ),
    ];
    for (near, detail) in cases {
        let body = json!({ "filter": { "near_places": near } });
        assert_refused(&ask(&world, &org, &body).await, &[("invalid_filter", detail)], &body.to_string());
    }
}

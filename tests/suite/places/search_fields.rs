//! `fieldSet` in place search.
use harness::World;
use serde_json::{Map, Value, json};

use super::{results, search};

const MEMBERS: [&str; 17] = [
    "place_id",
    "place_name",
    "brand",
    "place_type_id",
    "place_type_name",
    "street_address",
    "city",
    "state",
    "zip_code",
    "dma_id",
    "dma_name",
    "county_id",
    "county_name",
    "cbsa_code",
    "cbsa_name",
    "weekly_visits",
    "maturity",
];

fn body(paths: &Value) -> Value {
    json!({
        "filter": { "geo_distance": { "lat": 37.785, "lon": -122.42, "distance": "2km" } },
        "fieldSet": paths,
        "pagination": { "page_size": 20 },
    })
}

/// Returns a place with only the members that the paths select.
fn kept(place: &Value, paths: &[&str]) -> Value {
    let mut kept = Map::new();
    for path in paths {
        match path.split_once('.') {
            None => drop(kept.insert((*path).to_owned(), place[*path].clone())),
            Some((object, member)) => {
                let inside = kept.entry(object).or_insert_with(|| json!({}));
                inside[member] = place[object][member].clone();
            }
        }
    }
    kept.into()
}

#[tokio::test]
async fn results_contain_only_the_selected_fields() {
    let (world, org) = World::with_org().await;
    let whole = search(&world, &org, &body(&json!(null))).await;
    let members: Vec<&String> = results(&whole)[0].as_object().expect("an object").keys().collect();
    assert_eq!(members.len(), MEMBERS.len() + 2, "{members:?}");
    let mut cases: Vec<Vec<&str>> = MEMBERS.iter().map(|member| vec![*member]).collect();
    cases.extend([
        vec!["location"],
        vec!["location.lat"],
        vec!["location.lat", "location.lon"],
        vec!["distance"],
        vec!["weekly_visits", "place_name", "location.lon", "place_name"],
    ]);
    for paths in cases {
        let found = search(&world, &org, &body(&json!(paths))).await;
        let expected: Vec<Value> = results(&whole).iter().map(|place| kept(place, &paths)).collect();
        assert_eq!(results(&found), expected, "{paths:?}");
        assert_eq!(found["pagination"], whole["pagination"]);
    }
    for all in [json!([]), json!(null)] {
        assert_eq!(search(&world, &org, &body(&all)).await, whole);
    }
}

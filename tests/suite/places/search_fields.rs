//! What a `fieldSet` leaves of the places that a search finds.
use harness::World;
use serde_json::{Map, Value, json};

use super::{SEARCH, ask, results, search};

const MEMBERS: [&str; 15] = [
    "place_id",
    "place_name",
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
];

fn body(paths: &Value) -> Value {
    json!({
        "filter": { "geo_distance": { "lat": 37.785, "lon": -122.42, "distance": "2km" } },
        "fieldSet": paths,
        "pagination": { "page_size": 20 },
    })
}

/// Returns of a whole place what lies at paths.
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
async fn a_place_has_what_its_paths_name_and_nothing_else() {
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

#[tokio::test]
async fn refuses_paths_that_name_nothing() {
    let (world, org) = World::with_org().await;
    let unknown = "is no member of a place; members are place_id, place_name, ";
    for path in ["", ".", "id", "place", "Place_id", "location.", "location.x", ".lat", "city.x", "*"] {
        let answer = ask(&world, &org, SEARCH, &json!({ "fieldSet": ["city", path] })).await;
        answer.assert_invalid(&[("/fieldSet/1", unknown)], path);
    }
    for (paths, pointer, words) in [
        (json!([1]), "/fieldSet/0", "must be a string, is an integer"),
        (json!([null]), "/fieldSet/0", "must be a string, is null"),
        (json!("city"), "/fieldSet", "must be an array, is a string"),
        (json!(vec!["city"; 201]), "/fieldSet", "must have 0 to 200 items, has 201"),
    ] {
        let answer = ask(&world, &org, SEARCH, &json!({ "fieldSet": paths })).await;
        answer.assert_invalid(&[(pointer, words)], &paths.to_string());
    }
}

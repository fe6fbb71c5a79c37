//! The list of place types and the place type filter.
use std::collections::BTreeMap;

use accounting::Product;
use dataset::normalize;
use harness::{World, price};
use serde_json::{Value, json};

use super::{SEARCH, all_places, ask, search, total};

const TYPES: &str = "/v2/place/types";

#[tokio::test]
async fn lists_place_types_by_name_with_place_counts() {
    let (world, org) = World::with_org().await;
    let answer = world.get(TYPES).key(&org.key).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!((answer.credits_used(), price(Product::PlaceTypes)), (0, 0));
    assert_eq!(answer.json()["meta"]["product"], "place_types");
    let mut expected: BTreeMap<String, (&str, u32, usize)> = BTreeMap::new();
    for place in all_places() {
        let entry = expected.entry(normalize(place.place_type));
        entry.or_insert((place.place_type, place.place_type_id, 0)).2 += 1;
    }
    let expected: Vec<Value> = expected
        .into_values()
        .map(|(name, id, count)| json!({ "place_type_id": id, "place_type_name": name, "count": count }))
        .collect();
    assert_eq!(answer.data(), json!(expected));
    for listed in expected {
        for filter in [
            json!({ "place_type_name": listed["place_type_name"] }),
            json!({ "place_type_ids": [listed["place_type_id"]] }),
        ] {
            let found = search(&world, &org, &json!({ "filter": filter })).await;
            assert_eq!(json!(total(&found)), listed["count"], "{filter}");
        }
    }
}

#[tokio::test]
async fn unknown_place_type_returns_400_with_the_nearest_name() {
    let (world, org) = World::with_org().await;
    for (name, nearest) in [
        ("Cofee Shop", "Coffee Shop"),
        ("coffee-shop", "Coffee Shop"),
        ("COFFEESHOPS", "Coffee Shop"),
        ("airprot", "Airport"),
        ("Groceries", "Grocery"),
    ] {
        let answer = ask(&world, &org, SEARCH, &json!({ "filter": { "place_type_name": name } })).await;
        let detail = format!(
            "got \"{name}\"; the closest match is \"{nearest}\"; for the full list, see GET /v2/place/types"
        );
        answer.assert_invalid(&[("/filter/place_type_name", &detail)], name);
    }
}

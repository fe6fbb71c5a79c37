//! The list of brands.
use std::collections::{BTreeMap, BTreeSet};

use accounting::Product;
use dataset::{Place, normalize};
use harness::{World, price};
use serde_json::{Value, json};

use super::{all_places, search, total};

/// Returns a brand's list entry, computed from its places.
fn entry(places: &[Place<'_>], all_states: &BTreeSet<&str>) -> Value {
    let (mut states, mut types) = (BTreeMap::new(), BTreeMap::new());
    for place in places {
        *states.entry(place.state).or_insert(0) += 1;
        types.entry(place.place_type).or_insert((place.place_type_id, 0)).1 += 1;
    }
    let of_type = |(name, (id, count)): (&&str, &(u32, u32))| json!({ "place_type_id": id, "place_type_name": name, "count": count });
    let in_state = |(state, count): (&&str, &u32)| json!({ "state": state, "count": count });
    json!({
        "brand": places[0].brand,
        "count": places.len(),
        "place_types": types.iter().map(of_type).collect::<Vec<_>>(),
        "states": states.iter().map(in_state).collect::<Vec<_>>(),
        "states_without_places":
            all_states.iter().filter(|state| !states.contains_key(*state)).collect::<Vec<_>>(),
    })
}

#[tokio::test]
async fn lists_brands_by_name_with_place_counts_by_state() {
    let (world, org) = World::with_org().await;
    let answer = world.get("/v2/place/brands").key(&org.key).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!((answer.credits_used(), price(Product::PlaceBrands)), (0, 0));
    assert_eq!(answer.json()["meta"]["product"], "place_brands");
    let mut places: BTreeMap<String, Vec<Place<'_>>> = BTreeMap::new();
    for place in all_places() {
        places.entry(normalize(place.brand.unwrap_or_default())).or_default().push(place);
    }
    assert!(places.remove("").is_some_and(|without_brand| !without_brand.is_empty()));
    let states = all_places().map(|place| place.state).collect();
    let expected: Vec<Value> = places.values().map(|places| entry(places, &states)).collect();
    assert_eq!(answer.data(), json!(expected));
    for listed in expected {
        let found = search(&world, &org, &json!({ "filter": { "brand": listed["brand"] } })).await;
        assert_eq!(json!(total(&found)), listed["count"], "{listed}");
    }
}

#[tokio::test]
async fn missing_states_of_a_brand_agree_with_the_known_gap() {
    let (world, org) = World::with_org().await;
    let answer = world.get("/v2/place/brands").key(&org.key).send().await;
    let gap = &answer.json()["meta"]["provenance"]["known_gaps"][0];
    assert!(gap.as_str().is_some_and(|gap| gap.contains("none in Maine or New Hampshire")), "{gap}");
    let brands = answer.data();
    let starbucks = brands.as_array().expect("a list").iter().find(|one| one["brand"] == "Starbucks");
    assert_eq!(starbucks.expect("a listed brand")["states_without_places"], json!(["ME", "NH"]));
}

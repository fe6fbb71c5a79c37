//! Visits in place search: in results, as a sort field, and for anonymous callers.
use std::collections::BTreeMap;
use std::sync::OnceLock;

use accounting::Product;
use dataset::{Measures, PlaceId};
use harness::{Answer, World, price, sample_release};
use serde_json::{Value, json};

use super::{SEARCH, all_places, ask, ids, results, search, total};

/// Returns the weekly visits to each place in California, according to the sample release.
fn visits() -> &'static BTreeMap<u64, u64> {
    static VISITS: OnceLock<BTreeMap<u64, u64>> = OnceLock::new();
    VISITS.get_or_init(|| {
        let measures = Measures::open(sample_release()).expect("the sample's measures");
        let of = |place: PlaceId| Some((place.raw(), measures.get(place).expect("a valid record")?.visits()));
        all_places().filter(|place| place.state == "CA").filter_map(|place| of(place.id)).collect()
    })
}

fn by_visits(direction: &str, page: usize, size: usize) -> Value {
    json!({
        "filter": { "state": "CA" },
        "sort": { "active": "weekly_visits", "direction": direction },
        "pagination": { "page": page, "page_size": size },
    })
}

async fn search_anonymously(world: &World, body: &Value) -> Answer {
    world.post(SEARCH).json(body).send().await
}

#[tokio::test]
async fn sorts_by_visits_and_shows_them() {
    let (world, org) = World::with_org().await;
    for direction in ["asc", "desc"] {
        let mut expected: Vec<(u64, u64)> = visits().iter().map(|(id, visits)| (*visits, *id)).collect();
        let key = |(visits, id): &(u64, u64)| {
            let visits = visits.cast_signed();
            (if direction == "asc" { visits } else { -visits }, *id)
        };
        expected.sort_by_key(key);
        let mut shown = Vec::new();
        for page in 1..=3 {
            let found = search(&world, &org, &by_visits(direction, page, 333)).await;
            assert_eq!(total(&found), expected.len());
            let visits =
                results(&found).iter().map(|place| place["weekly_visits"].as_u64().expect("a count"));
            shown.extend(visits.zip(ids(&found)));
        }
        assert_eq!(shown, expected[..999], "{direction}");
    }
}

#[tokio::test]
async fn visits_equal_those_of_the_profile() {
    let (world, org) = World::with_org().await;
    let found = search(&world, &org, &json!({ "pagination": { "page_size": 5 } })).await;
    for place in results(&found) {
        let path = format!("/v2/place/profiles/{}", place["place_id"].as_str().expect("a string"));
        let profile = world.get(&path).key(&org.key).send().await.data();
        assert_eq!(place["weekly_visits"], profile["visits"]);
    }
}

#[tokio::test]
async fn meta_names_the_source_of_visits_if_they_are_used() {
    let (world, org) = World::with_org().await;
    let cases = [
        (json!({}), "synthetic-only"),
        (json!({ "fieldSet": ["weekly_visits"] }), "synthetic-only"),
        (json!({ "fieldSet": ["city"], "sort": { "active": "weekly_visits" } }), "synthetic-only"),
        (json!({ "fieldSet": ["city"] }), "production"),
        (json!({ "filter": { "place_name": "no such name" } }), "production"),
    ];
    for (body, maturity) in cases {
        let answer = ask(&world, &org, SEARCH, &body).await;
        assert_eq!(answer.json()["meta"]["provenance"]["data_maturity"], maturity, "{body}");
    }
    let anonymous = search_anonymously(&world, &json!({})).await;
    assert_eq!(anonymous.json()["meta"]["provenance"]["data_maturity"], "production");
}

#[tokio::test]
async fn anonymous_callers_get_no_visits() {
    let world = World::new().await;
    for body in [json!({}), json!({ "fieldSet": ["place_id", "weekly_visits"] })] {
        let answer = search_anonymously(&world, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let found = answer.data();
        assert_eq!(results(&found).len(), 50);
        assert!(results(&found).iter().all(|place| place["weekly_visits"].is_null()));
        assert!(results(&found).iter().all(|place| place.get("weekly_visits").is_some()));
    }
}

#[tokio::test]
async fn sorting_by_visits_without_a_key_returns_401_for_free() {
    let world = World::new().await;
    let body = by_visits("desc", 1, 50);
    let refused = search_anonymously(&world, &body).await;
    assert_eq!(refused.error(), (401, "UNAUTHORIZED".to_owned()));
    let text = refused.text();
    assert!(
        text.contains("anonymous callers cannot sort by visits") && text.contains("`X-API-Key`"),
        "{text}"
    );
    assert_eq!(refused.header("www-authenticate"), "ApiKey header=\"X-API-Key\", Bearer");
    assert_eq!((refused.credits_used(), refused.credits_remaining()), (0, 100));
    // Validation errors take precedence over the missing key.
    let mut wrong = body.clone();
    wrong["pagination"]["page"] = json!(0);
    search_anonymously(&world, &wrong)
        .await
        .assert_invalid(&[("/pagination/page", "got 0")], "validation precedes the 401");
    let left = search_anonymously(&world, &json!({})).await;
    assert_eq!(left.credits_remaining(), 100 - 2 * price(Product::PlaceSearch));

    let org = world.org("org_a").await;
    let bearer = world.bearer(&org).await;
    let answer = world.post(SEARCH).bearer(&bearer).json(&body).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

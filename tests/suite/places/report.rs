//! Place reports on 1 to 1,000 places, in any order, with or without unknown IDs.
use harness::{World, samples};
use serde_json::json;
use store::escaped_len;

use super::{
    LAMBDA_RESPONSE_BYTES, REPORT, all_places, ask, ids, place, report, search, some_places, without_meta,
};

#[tokio::test]
async fn report_of_one_place_has_its_name_and_numeric_id() {
    let (world, org) = World::with_org().await;
    let id = samples::place();
    let body = report(&world, &org, &json!([id.raw()])).await;
    let reported = &body["places"][0];
    assert_eq!((&reported["place_id"], &reported["name"]), (&json!(id.raw()), &json!(place(id).name)));
    assert_eq!((&body["place_count"], &body["invalid_ids"]), (&json!(1), &json!([])));
    assert!(reported["percentile"].is_u64() && reported["certified"].is_boolean(), "{reported}");
    // Most visitors live near the place.
    for (list, first) in [("county", "US2020STCO06075"), ("state", "US2020XXST06"), ("dma", "US2020XDMA807")]
    {
        assert_eq!(body[list][0]["id"], first, "{list}");
    }
    assert!(body["postal_code"][0]["id"].as_str().is_some_and(|id| id.starts_with("US2020ZCTA94")));
    let rich =
        body["segments"].as_array().expect("segments").iter().find(|one| one["id"] == "income_100k_plus");
    assert!(rich.expect("the cohort")["index"].as_f64().expect("a number") > 120.0);
}

#[tokio::test]
async fn order_type_and_repetition_of_ids_do_not_matter() {
    let (world, org) = World::with_org().await;
    let mut sorted = some_places(3, 5);
    sorted.sort_unstable();
    let [a, b, c, d, e] = sorted[..] else { panic!("five places") };
    let first = report(&world, &org, &json!([a, b, c, d, e])).await;
    assert_eq!(first["places"][0]["place_id"], json!(sorted));
    assert_eq!(first["places"][0]["name"], "5 places");
    assert_eq!(first["place_count"], 5);
    for same in [
        json!([e, d, c, b, a]),
        json!([c, a, e, b, d]),
        json!([a, a, b, c, d, e, e, e, a]),
        json!([a.to_string(), b, c, d.to_string(), e, d, format!("00{e}")]),
    ] {
        assert_eq!(without_meta(&report(&world, &org, &same).await), without_meta(&first), "{same}");
    }
    let single = report(&world, &org, &json!([a])).await;
    for same in [json!([a, a]), json!([a, a.to_string()]), json!(vec![a; 1_000])] {
        // A repeated ID counts once.
        assert_eq!(without_meta(&report(&world, &org, &same).await), without_meta(&single));
    }
}

#[tokio::test]
async fn unknown_ids_are_listed_and_ignored() {
    let (world, org) = World::with_org().await;
    let known = samples::place().raw();
    let mut expected = without_meta(&report(&world, &org, &json!([known])).await);
    expected["invalid_ids"] = json!([1, 7, 999_999_999_999_u64]);
    for body in [json!([7, known, 1, 999_999_999_999_u64]), json!(["7", 1, "999999999999", known, 7, 1])] {
        assert_eq!(without_meta(&report(&world, &org, &body).await), expected, "{body}");
    }
}

#[tokio::test]
async fn only_unknown_places_returns_404() {
    let (world, org) = World::with_org().await;
    for ids in
        [json!([1]), json!([1, 2, 3]), json!(["999999999999"]), json!((1..=1_000).collect::<Vec<u64>>())]
    {
        let answer = ask(&world, &org, REPORT, &json!({ "place_id": ids })).await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{ids:.60}");
        assert!(answer.text().contains("POST /v2/msearch"), "the error says how to find IDs");
        assert!(answer.body.len() < 1_000);
    }
}

#[tokio::test]
async fn reports_on_1000_places() {
    let (world, org) = World::with_org().await;
    // Places across the country have the most origins, so this is the largest response.
    let mut many = some_places(4, 1_000);
    let answer = ask(&world, &org, REPORT, &json!({ "place_id": many })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let bytes = escaped_len(&answer.body);
    assert!(bytes < LAMBDA_RESPONSE_BYTES, "{bytes} bytes");
    let body = answer.json();
    many.sort_unstable();
    assert_eq!((&body["place_count"], &body["places"][0]["place_id"]), (&json!(1_000), &json!(many)));
    assert_eq!(body["places"][0]["name"], "1000 places");
}

#[tokio::test]
async fn reports_on_a_brand_found_by_search() {
    let (world, org) = World::with_org().await;
    let filter = json!({ "place_name": "starbucks", "city": "San Francisco" });
    let found =
        ids(&search(&world, &org, &json!({ "filter": filter, "pagination": { "page_size": 1_000 } })).await);
    let body = report(&world, &org, &json!(found)).await;
    assert_eq!(body["place_count"], found.len());
    assert_eq!(body["places"][0]["name"], format!("{} places", found.len()));
    assert_eq!(body["places"][0]["percentile"], json!(null));
    let mut visits = 0;
    for id in &found {
        let one = report(&world, &org, &json!([id])).await;
        visits += one["places"][0]["visits"].as_u64().expect("a count");
    }
    assert_eq!(body["places"][0]["visits"], visits);
    assert!(
        all_places()
            .filter(|place| place.brand == Some("Starbucks") && place.city == "San Francisco")
            .count()
            <= found.len()
    );
}

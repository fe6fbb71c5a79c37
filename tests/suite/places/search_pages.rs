//! Sorting and paging in place search, and the largest page that Lambda allows.
use dataset::{PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey};
use harness::World;
use serde_json::{Value, json};
use store::escaped_len;

use super::{LAMBDA_RESPONSE_BYTES, SEARCH, ask, everything, found_of, ids, results, search, total};

/// Returns a query for all places in Washington, DC, sorted by `key`.
fn dc_places(key: PlaceSortKey<'static>, descending: bool) -> PlaceQuery<'static> {
    PlaceQuery { state: Some("DC".to_owned()), sort: PlaceSort { key, descending }, ..everything(10_000) }
}

#[tokio::test]
async fn sorts_by_every_field_in_both_directions() {
    let (world, org) = World::with_org().await;
    for field in PlaceSortField::ALL {
        for (direction, descending) in [("asc", false), ("desc", true)] {
            let sort = json!({ "active": field.as_str(), "direction": direction });
            let body =
                json!({ "filter": { "state": "DC" }, "sort": sort, "pagination": { "page_size": 10_000 } });
            let found = search(&world, &org, &body).await;
            let expected = found_of(&dc_places(PlaceSortKey::Field(field), descending));
            assert_eq!((total(&found), ids(&found)), expected, "{field:?} {direction}");
        }
    }
}

#[tokio::test]
async fn sorts_by_name_ascending_by_default() {
    let (world, org) = World::with_org().await;
    let filter = json!({ "state": "DC" });
    let by_name = search(&world, &org, &json!({ "filter": filter })).await;
    let default = found_of(&PlaceQuery { take: 50, ..dc_places(PlaceSortKey::default(), false) });
    assert_eq!((total(&by_name), ids(&by_name)), default);
    for sort in [
        Value::Null,
        json!({}),
        json!({ "active": null, "direction": null }),
        json!({ "active": "place_name" }),
        json!({ "direction": "asc" }),
        json!({ "active": "place_name", "direction": "asc" }),
    ] {
        assert_eq!(search(&world, &org, &json!({ "filter": filter, "sort": sort })).await, by_name, "{sort}");
    }
    let down = search(&world, &org, &json!({ "filter": filter, "sort": { "direction": "desc" } })).await;
    let default = found_of(&PlaceQuery { take: 50, ..dc_places(PlaceSortKey::default(), true) });
    assert_eq!((total(&down), ids(&down)), default);
}

#[tokio::test]
async fn pages_contain_every_result_once() {
    let (world, org) = World::with_org().await;
    let (_, whole) = found_of(&dc_places(PlaceSortKey::Field(PlaceSortField::State), true));
    assert_eq!(whole.len(), 373);
    for size in [93, 372, 1_000] {
        let (mut tiled, pages) = (Vec::new(), usize::div_ceil(373, size));
        for page in 1..=pages {
            let body = json!({
                "filter": { "state": "DC" },
                "sort": { "active": "state", "direction": "desc" },
                "pagination": { "page": page, "page_size": size },
            });
            let found = search(&world, &org, &body).await;
            let position =
                json!({ "page": page, "page_size": size, "total_results": 373, "total_pages": pages });
            assert_eq!(found["pagination"], position);
            tiled.extend(ids(&found));
        }
        assert_eq!(tiled, whole, "page size {size}");
    }
}

#[tokio::test]
async fn null_and_missing_page_members_use_defaults() {
    let (world, org) = World::with_org().await;
    let first = search(&world, &org, &json!({})).await;
    assert_eq!(first["pagination"]["page_size"], 50);
    for pagination in
        [Value::Null, json!({}), json!({ "page": null, "page_size": null }), json!({ "page": 1 })]
    {
        assert_eq!(search(&world, &org, &json!({ "pagination": pagination })).await, first);
    }
    for filter in [Value::Null, json!({}), json!({ "place_name": null, "place_ids": null, "state": null })] {
        assert_eq!(search(&world, &org, &json!({ "filter": filter })).await, first);
    }
}

#[tokio::test]
async fn pages_after_the_last_are_empty() {
    let (world, org) = World::with_org().await;
    for (page, size) in [(9, 50), (2, 373), (200, 50)] {
        let body = json!({ "filter": { "state": "DC" }, "pagination": { "page": page, "page_size": size } });
        let found = search(&world, &org, &body).await;
        assert_eq!((results(&found), total(&found)), (&[][..], 373));
        assert_eq!(
            (&found["pagination"]["page"], &found["pagination"]["page_size"]),
            (&json!(page), &json!(size))
        );
    }
}

#[tokio::test]
async fn pages_reach_at_most_10000_results() {
    let (world, org) = World::with_org().await;
    for (page, size) in [(200, 50), (1, 10_000), (10_000, 1), (2, 5_000), (100, 100)] {
        let found = search(&world, &org, &json!({ "pagination": { "page": page, "page_size": size } })).await;
        assert_eq!(results(&found).len(), size);
    }
    for (page, size) in [(201, 50), (2, 10_000), (10_001, 1), (2, 5_001), (101, 100), (i64::MAX, 10_000)] {
        let answer =
            ask(&world, &org, SEARCH, &json!({ "pagination": { "page": page, "page_size": size } })).await;
        let detail = "must not reach past result 10000 (page times page_size), got ";
        answer.assert_invalid(&[("/pagination", detail)], &format!("{page} x {size}"));
    }
    let answer = ask(&world, &org, SEARCH, &json!({ "pagination": { "page": 201 } })).await;
    answer.assert_invalid(&[("/pagination", "got 10050")], "page 201 with the default page size");
}

#[tokio::test]
async fn largest_page_fits_in_a_lambda_response() {
    let (world, org) = World::with_org().await;
    for field in ["cbsa_name", "place_name", "dma_name", "county_name", "place_type_name", "street_address"] {
        for direction in ["asc", "desc"] {
            let sort = json!({ "active": field, "direction": direction });
            let body = json!({ "sort": sort, "pagination": { "page_size": 10_000 } });
            let answer = ask(&world, &org, SEARCH, &body).await;
            assert_eq!(answer.status, 200);
            let bytes = escaped_len(&answer.body);
            assert!(bytes < LAMBDA_RESPONSE_BYTES, "{bytes} bytes by {field} {direction}");
        }
    }
}

#[tokio::test]
async fn total_pages_counts_only_reachable_pages() {
    let (world, org) = World::with_org().await;
    for (size, pages) in [(50, 200), (3, 3_333), (10_000, 1), (6_000, 1), (5_000, 2)] {
        let body = |page| json!({ "pagination": { "page": page, "page_size": size } });
        let found = search(&world, &org, &body(pages)).await;
        assert_eq!(found["pagination"]["total_pages"], pages, "total pages of size {size}");
        assert!(total(&found) > 10_000 && results(&found).len() == size);
        assert_eq!(ask(&world, &org, SEARCH, &body(pages + 1)).await.status, 400, "page {pages} of {size}");
    }
}

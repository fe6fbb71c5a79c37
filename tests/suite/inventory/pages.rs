//! Sorting and paging inventory results, including the maximum depth.

use dataset::inventory::{InventoryQuery, InventorySort, InventorySortKey, SortField};
use harness::World;
use serde_json::json;

use super::{ask, assert_refused, everything, ids, ids_of, records, results, search, total};

#[tokio::test]
async fn results_are_sorted_by_every_scalar_path_in_both_directions() {
    let (world, org) = World::with_org().await;
    for path in SortField::all().map(|field| field.field().path()).chain(["id"]) {
        for (order, descending) in [("asc", false), ("desc", true)] {
            let body = json!({
                "fieldSet": ["id"],
                "sort": { "field": path, "order": order },
                "pagination": { "page": 2, "page_size": 700 },
            });
            let key = InventorySortKey::Field(SortField::find(path).expect("the path is a sort field"));
            let query = InventoryQuery {
                sort: InventorySort { key, descending },
                skip: 700,
                take: 700,
                ..everything()
            };
            let found = search(&world, &org, &body).await;
            assert_eq!(total(&found), records().len());
            assert!(ids(&found) == ids_of(&query), "sorted by {path} {order}");
        }
    }
}

#[tokio::test]
async fn omitted_members_have_defaults() {
    let (world, org) = World::with_org().await;
    let expected = &ids_of(&everything())[..50];
    for body in [
        json!({}),
        json!({ "filter": null, "fieldSet": null, "pagination": null, "sort": null }),
        json!({ "pagination": {}, "sort": {} }),
        json!({
            "pagination": { "page": null, "page_size": null },
            "sort": { "field": null, "order": null },
        }),
        json!({ "pagination": { "page": 1 }, "sort": { "field": "id" } }),
        json!({ "pagination": { "page_size": 50 }, "sort": { "order": "asc" } }),
        json!({ "sort": { "field": "spot_id", "order": "asc" } }),
    ] {
        assert_eq!(ids(&search(&world, &org, &body).await), expected, "{body}");
    }
}

#[tokio::test]
async fn pages_reach_at_most_ten_thousand_results() {
    let (world, org) = World::with_org().await;
    for (page, size) in [(200, 50), (10_000, 1), (1, 10_000), (2, 5_000), (100, 100)] {
        let body = json!({ "fieldSet": ["id"], "pagination": { "page": page, "page_size": size } });
        let found = search(&world, &org, &body).await;
        let expected = records().len().saturating_sub((page - 1) * size).min(size);
        assert_eq!((results(&found).len(), total(&found)), (expected, records().len()), "{page} x {size}");
    }
    for (page, size) in [(201, 50), (2, 10_000), (10_001, 1), (2, 5_001), (i64::MAX, 10_000)] {
        let answer = ask(&world, &org, &json!({ "pagination": { "page": page, "page_size": size } })).await;
        let words = "/pagination must not reach past result 10000 (page times page_size), got ";
        assert_refused(&answer, &[("invalid_pagination", words)], &format!("{page} x {size}"));
    }
    let answer = ask(&world, &org, &json!({ "pagination": { "page": 201 } })).await;
    assert_refused(&answer, &[("invalid_pagination", "got 10050")], "the default page size");
}

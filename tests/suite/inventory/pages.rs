//! Inventory results come in the requested order, each on exactly one page, down to a fixed depth.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use dataset::fold;
use dataset::inventory::SortField;
use harness::World;
use serde_json::{Value, json};

use super::{ask, assert_refused, at, id, ids, ids_where, records, results, search, total};

/// Compares what two records have at a path, as a sort does; what has nothing there comes last, in either
/// order.
fn compare(one: &Value, other: &Value, path: &str, descending: bool) -> Ordering {
    let (one_value, other_value) = (at(one, path), at(other, path));
    let by_value = match (one_value, other_value) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Greater,
        (_, Value::Null) => Ordering::Less,
        _ => {
            let ascending = match (one_value, other_value) {
                (Value::String(one), Value::String(other)) => key(one).cmp(&key(other)),
                (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
                _ => one_value.as_f64().partial_cmp(&other_value.as_f64()).expect("numbers"),
            };
            if descending { ascending.reverse() } else { ascending }
        }
    };
    by_value.then(id(one).cmp(&id(other)))
}

fn key(text: &str) -> String {
    fold(&text.replace('-', " "))
}

#[tokio::test]
async fn results_are_sorted_by_every_path_of_one_value_either_way_and_then_by_id() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for path in SortField::all().map(|field| field.field().path()).chain(["id"]) {
        let stored = if path == "id" { "spot_id" } else { path };
        for order in ["asc", "desc"] {
            let body = json!({
                "fieldSet": ["id"],
                "sort": { "field": path, "order": order },
                "pagination": { "page_size": 10_000 },
            });
            let mut expected: Vec<&Value> = records().iter().collect();
            expected.sort_by(|one, other| compare(one, other, stored, order == "desc"));
            let expected: Vec<u64> = expected.into_iter().map(id).collect();
            assert!(ids(&search(&world, &org, &body).await) == expected, "by {path} {order}");
        }
    }
}

#[tokio::test]
async fn pages_hold_every_result_once_in_the_order_of_one_large_page() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for sort in [
        json!(null),
        json!({ "order": "desc" }),
        json!({ "field": "location.primary_artery" }),
        json!({ "field": "digital" }),
    ] {
        let body = |page: usize, size: usize| {
            let pagination = json!({ "page": page, "page_size": size });
            json!({ "fieldSet": ["id"], "sort": sort, "pagination": pagination })
        };
        let all = ids(&search(&world, &org, &body(1, 10_000)).await);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), records().len());
        let mut paged = Vec::new();
        for page in 1.. {
            let found = search(&world, &org, &body(page, 700)).await;
            assert_eq!(total(&found), all.len());
            if results(&found).is_empty() {
                break;
            }
            paged.extend(ids(&found));
        }
        assert!(paged == all, "{sort}");
    }
}

#[tokio::test]
async fn what_a_request_leaves_open_is_the_default() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let expected = &ids_where(|_| true)[..50];
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
async fn pages_go_ten_thousand_results_deep_and_no_deeper() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (page, size) in [(200, 50), (10_000, 1), (1, 10_000), (2, 5_000), (100, 100)] {
        let body = json!({ "fieldSet": ["id"], "pagination": { "page": page, "page_size": size } });
        let found = search(&world, &org, &body).await;
        let expected = records().len().saturating_sub((page - 1) * size).min(size);
        assert_eq!((results(&found).len(), total(&found)), (expected, records().len()), "{page} x {size}");
    }
    for (page, size) in [(201, 50), (2, 10_000), (10_001, 1), (2, 5_001), (i64::MAX, 10_000)] {
        let answer = ask(&world, &org, &json!({ "pagination": { "page": page, "page_size": size } })).await;
        let words = "/pagination page times page_size must be at most 10000, is ";
        assert_refused(&answer, &[("invalid_pagination", words)], &format!("{page} x {size}"));
    }
    let answer = ask(&world, &org, &json!({ "pagination": { "page": 201 } })).await;
    assert_refused(&answer, &[("invalid_pagination", "is 10050")], "with the default size");
}

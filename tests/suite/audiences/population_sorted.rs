//! Sorting areas by the size and the share of a cohort.

use harness::{TestOrg, World, samples};
use serde_json::{Value, json};

use super::{AT_HOME, ask, at_home, count, number, rows};

const FIELDS: [&str; 4] = ["geography_id", "persons", "composition_percent", "composition_index"];

async fn sorted(world: &World, org: &TestOrg, key: &str, area_type: &str, sort: Value, page: Value) -> Value {
    let body = json!({
        "service_segment_id": samples::segment(key),
        "geography_type": [area_type],
        "min_population": 1,
        "sort": sort,
        "pagination": page,
    });
    let answer = ask(world, org, AT_HOME, &body).await;
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

/// Sorts rows that are in ID order. The sort is stable, so equal rows stay in ID order.
fn naive(whole: &Value, field: &str, descending: bool) -> Vec<Value> {
    let mut sorted = rows(whole).to_vec();
    if field == "geography_id" {
        if descending {
            sorted.reverse();
        }
        return sorted;
    }
    // Computed from integers, because a parsed fraction can differ in its last bit.
    let percent = |part: &Value| 100.0 * count(&part["persons"]) as f64 / count(&part["all_persons"]) as f64;
    let value = |row: &Value| match field {
        "persons" => count(&row["persons"]) as f64,
        "composition_percent" => percent(row),
        _ => 100.0 * percent(row) / percent(whole),
    };
    sorted.sort_by(|one, other| {
        let ascending = value(one).total_cmp(&value(other));
        if descending { ascending.reverse() } else { ascending }
    });
    sorted
}

#[tokio::test]
async fn sorted_pages_match_a_naive_sort() {
    let (world, org) = World::with_org().await;
    // Many rows in these cases have equal values: the index for the cohort of everyone is the same in all
    // areas, and a small cohort has the same size in many areas.
    for (key, area_type, size) in [
        ("hispanic", "COUNTY", 1_000),
        ("male_85_plus", "CBSA", 400),
        ("everyone", "DMA", 100),
        ("asian", "STATE", 7),
    ] {
        let whole = at_home(&world, &org, key, area_type).await;
        for field in FIELDS {
            for (direction, descending) in [("asc", false), ("desc", true)] {
                let context = format!("{key} by {area_type}, {field} {direction}");
                let expected = naive(&whole, field, descending);
                let mut joined = Vec::new();
                for page in 1..=expected.len().div_ceil(size) {
                    let sort = json!({ "active": field, "direction": direction });
                    let page = json!({ "page": page, "page_size": size });
                    let mut answer = sorted(&world, &org, key, area_type, sort, page).await;
                    joined.extend_from_slice(rows(&answer));
                    for member in ["results", "ids", "pagination", "meta"] {
                        answer[member] = whole[member].clone();
                    }
                    assert_eq!(answer, whole, "{context}: only the rows differ");
                }
                assert_eq!(joined, expected, "{context}");
            }
        }
    }
}

#[tokio::test]
async fn returns_the_top_20_counties_by_index_in_one_call() {
    let (world, org) = World::with_org().await;
    let whole = at_home(&world, &org, "income_150k_plus", "COUNTY").await;
    let sort = json!({ "active": "composition_index", "direction": "desc" });
    let top = sorted(&world, &org, "income_150k_plus", "COUNTY", sort, json!({ "page_size": 20 })).await;
    assert_eq!(rows(&top), &naive(&whole, "composition_index", true)[..20]);
    assert_eq!(rows(&top)[0]["description"], "Loudoun County, VA");
    let ids: Vec<&Value> = rows(&top).iter().map(|row| &row["geography_id"]).collect();
    assert_eq!(top["ids"], json!(ids));
    let position = json!({ "page": 1, "page_size": 20, "total_results": 3_144, "total_pages": 158 });
    assert_eq!(top["pagination"], position);
    let lowest = rows(&top)[19]["composition_index"].clone();
    let above = rows(&whole).iter().filter(|row| number(&row["composition_index"]) > number(&lowest)).count();
    assert_eq!(above, 19);
}

#[tokio::test]
async fn omitted_sort_members_have_defaults() {
    let (world, org) = World::with_org().await;
    let whole = at_home(&world, &org, "hispanic", "STATE").await;
    for (sort, field, descending) in [
        (Value::Null, "geography_id", false),
        (json!({}), "geography_id", false),
        (json!({ "active": null, "direction": null }), "geography_id", false),
        (json!({ "direction": "desc" }), "geography_id", true),
        (json!({ "active": "persons" }), "persons", false),
        (json!({ "active": "composition_index", "direction": null }), "composition_index", false),
    ] {
        let answer = sorted(&world, &org, "hispanic", "STATE", sort.clone(), Value::Null).await;
        assert_eq!(rows(&answer), naive(&whole, field, descending), "{sort}");
    }
}

#[tokio::test]
async fn rankings_by_share_or_index_omit_areas_with_fewer_than_500_residents_by_default() {
    let (world, org) = World::with_org().await;
    let cases = [
        (json!({ "active": "composition_index" }), Value::Null, 500),
        (json!({ "active": "composition_percent" }), Value::Null, 500),
        (json!({ "active": "persons" }), Value::Null, 1),
        (Value::Null, Value::Null, 1),
        (json!({ "active": "composition_index" }), json!(1), 1),
        (json!({ "active": "composition_index" }), json!(2_000), 2_000),
        (Value::Null, json!(2_000), 2_000),
    ];
    for (sort, min_population, min) in cases {
        let body = json!({
            "service_segment_id": samples::segment("hispanic"),
            "geography_type": ["ZIP"],
            "state": "NV",
            "sort": sort,
            "min_population": min_population,
        });
        let answer = ask(&world, &org, AT_HOME, &body).await.json();
        let persons: Vec<u64> = rows(&answer).iter().map(|row| count(&row["all_persons"])).collect();
        let smallest = persons.iter().min().copied().expect("Nevada has ZIP codes");
        assert!(smallest >= min && (smallest < 500) == (min == 1), "{body}: {smallest}");
        assert_eq!(answer["coverage"]["min_population"], min, "{body}");
        let description = answer["coverage"]["description"].as_str().unwrap();
        let named = format!("areas of type ZIP with at least {min} people");
        assert_eq!(description.contains(&named), min > 1, "{description}");
    }
}

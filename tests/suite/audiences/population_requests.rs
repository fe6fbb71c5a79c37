//! Resident population requests: paging, defaults, unknown cohorts, and response sizes.

use harness::{TestOrg, World, samples};
use serde_json::{Value, json};
use store::escaped_len;

use super::{AREA_TYPES, AT_HOME, ask, at_home, rows};

fn body(area_type: &str, pagination: Value) -> Value {
    json!({
        "service_segment_id": samples::segment("hispanic"),
        "geography_type": [area_type],
        "pagination": pagination,
    })
}

/// Returns a valid body with one member replaced.
fn with(member: &str, value: Value) -> Value {
    let mut body = body("DMA", Value::Null);
    body[member] = value;
    body
}

async fn page(world: &World, org: &TestOrg, area_type: &str, pagination: Value) -> Value {
    let answer = ask(world, org, AT_HOME, &body(area_type, pagination)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn pages_cover_the_whole_list() {
    let (world, org) = World::with_org().await;
    for (area_type, size, total) in
        [("DMA", 100, 210), ("DMA", 70, 210), ("STATE", 1, 51), ("COUNTY", 1_000, 3_144)]
    {
        let whole = at_home(&world, &org, "hispanic", area_type).await;
        let mut joined = Vec::new();
        let pages = usize::div_ceil(total, size);
        for number in 1..=pages {
            let shown = page(&world, &org, area_type, json!({ "page": number, "page_size": size })).await;
            let position =
                json!({ "page": number, "page_size": size, "total_results": total, "total_pages": pages });
            assert_eq!(shown["pagination"], position);
            assert_eq!(shown["ids"].as_array().expect("a list").len(), rows(&shown).len());
            joined.extend_from_slice(rows(&shown));
        }
        assert_eq!(joined, rows(&whole), "{area_type} in pages of {size}");
    }
}

#[tokio::test]
async fn zip_pages_have_five_thousand_rows_by_default() {
    let (world, org) = World::with_org().await;
    let first = at_home(&world, &org, "hispanic", "ZIP").await;
    let total = first["pagination"]["total_results"].as_u64().expect("a count");
    assert!(total > 32_000, "{total}");
    assert_eq!(first["pagination"]["page_size"], 5_000);
    assert_eq!(rows(&first).len(), 5_000);
    let (mut ids, mut number) = (Vec::new(), 1);
    loop {
        let shown = page(&world, &org, "ZIP", json!({ "page": number, "page_size": 10_000 })).await;
        if rows(&shown).is_empty() {
            break;
        }
        ids.extend(rows(&shown).iter().map(|row| row["geography_id"].as_str().expect("an ID").to_owned()));
        number += 1;
    }
    assert_eq!(ids.len() as u64, total);
    assert!(ids.is_sorted_by(|one, other| one < other), "each ZIP code occurs once");
}

#[tokio::test]
async fn largest_page_fits_into_a_lambda_response() {
    let (world, org) = World::with_org().await;
    // The cohort with the longest name.
    let segment = samples::segment("income_100k_150k");
    for page in 1..=4 {
        let pagination = json!({ "page": page, "page_size": 10_000 });
        let body =
            json!({ "service_segment_id": segment, "geography_type": ["ZIP"], "pagination": pagination });
        let bytes = escaped_len(&ask(&world, &org, AT_HOME, &body).await.body);
        assert!((100_000..6_000_000).contains(&bytes), "{bytes} bytes on page {page}");
    }
}

#[tokio::test]
async fn omitted_pagination_members_have_defaults() {
    let (world, org) = World::with_org().await;
    let whole = at_home(&world, &org, "hispanic", "STATE").await;
    for pagination in
        [Value::Null, json!({}), json!({ "page": null, "page_size": null }), json!({ "page": 1 })]
    {
        let mut shown = page(&world, &org, "STATE", pagination).await;
        shown["meta"] = whole["meta"].clone();
        assert_eq!(shown, whole);
    }
}

#[tokio::test]
async fn page_after_the_last_one_is_empty() {
    let (world, org) = World::with_org().await;
    for number in [2, 3, i64::MAX] {
        let shown = page(&world, &org, "STATE", json!({ "page": number, "page_size": 10_000 })).await;
        assert_eq!((&shown["results"], &shown["ids"]), (&json!([]), &json!([])));
        let position = json!({ "page": number, "page_size": 10_000, "total_results": 51, "total_pages": 1 });
        assert_eq!(shown["pagination"], position);
        assert_eq!(shown["all_persons"], 340_110_988);
    }
}

#[tokio::test]
async fn geography_type_is_case_insensitive_and_returned_in_upper_case() {
    let (world, org) = World::with_org().await;
    for area_type in AREA_TYPES {
        let lower = page(&world, &org, &area_type.to_lowercase(), json!({ "page_size": 1 })).await;
        assert_eq!(lower["geographic_type"], json!([area_type]));
        assert_eq!(rows(&lower)[0]["geo_type"], area_type);
    }
}

#[tokio::test]
async fn unknown_segment_returns_404() {
    let (world, org) = World::with_org().await;
    let near = samples::segment("hispanic");
    for id in [
        "5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887",
        "00000000-0000-0000-0000-000000000000",
        "hispanic",
        "1",
        "not-a-uuid",
        &near[1..],
        &format!("{near} "),
        &"f".repeat(60_000),
    ] {
        let answer = ask(&world, &org, AT_HOME, &with("service_segment_id", json!(id))).await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{id:.50}");
        assert!(answer.text().contains("POST /v2/cohorts/search"), "the message names the source of IDs");
        assert!(answer.body.len() < 1_000);
    }
    let upper = ask(&world, &org, AT_HOME, &with("service_segment_id", json!(near.to_uppercase()))).await;
    assert_eq!((upper.status.as_u16(), &upper.json()["service_segment_id"]), (200, &json!(near)));
}

//! How population requests are paged, priced and refused, and how large an answer may get.

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

/// Returns a body with a member of another value.
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
async fn pages_tile_the_whole() {
    let (world, org) = World::with_org().await;
    for (area_type, size, total) in
        [("DMA", 100, 210), ("DMA", 70, 210), ("STATE", 1, 51), ("COUNTY", 1_000, 3_144)]
    {
        let whole = at_home(&world, &org, "hispanic", area_type).await;
        let mut tiled = Vec::new();
        let pages = usize::div_ceil(total, size);
        for number in 1..=pages {
            let shown = page(&world, &org, area_type, json!({ "page": number, "page_size": size })).await;
            let position =
                json!({ "page": number, "page_size": size, "total_results": total, "total_pages": pages });
            assert_eq!(shown["pagination"], position);
            assert_eq!(shown["ids"].as_array().expect("ids").len(), rows(&shown).len());
            tiled.extend_from_slice(rows(&shown));
        }
        assert_eq!(tiled, rows(&whole), "{area_type} in pages of {size}");
    }
}

#[tokio::test]
async fn zips_come_in_pages_of_five_thousand_unless_others_are_asked_for() {
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
        ids.extend(rows(&shown).iter().map(|row| row["geography_id"].as_str().expect("an id").to_owned()));
        number += 1;
    }
    assert_eq!(ids.len() as u64, total);
    assert!(ids.is_sorted_by(|one, other| one < other), "each ZIP code comes once");
}

#[tokio::test]
async fn the_largest_page_fits_into_lambdas_response() {
    let (world, org) = World::with_org().await;
    // The cohort of the longest name.
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
async fn what_a_page_leaves_open_is_the_default() {
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
async fn behind_the_last_page_there_is_nothing() {
    let (world, org) = World::with_org().await;
    for number in [2, 3, i64::MAX] {
        let shown = page(&world, &org, "STATE", json!({ "page": number, "page_size": 10_000 })).await;
        assert_eq!((&shown["results"], &shown["ids"]), (&json!([]), &json!([])));
        let position = json!({ "page": number, "page_size": 10_000, "total_results": 51, "total_pages": 1 });
        assert_eq!(shown["pagination"], position);
        assert_eq!(shown["all_persons"], 334_914_895);
    }
}

#[tokio::test]
async fn a_type_is_known_in_any_case_and_answered_in_upper_case() {
    let (world, org) = World::with_org().await;
    for area_type in AREA_TYPES {
        let lower = page(&world, &org, &area_type.to_lowercase(), json!({ "page_size": 1 })).await;
        assert_eq!(lower["geographic_type"], json!([area_type]));
        assert_eq!(rows(&lower)[0]["geo_type"], area_type);
    }
}

#[tokio::test]
async fn a_segment_that_does_not_exist_is_not_found() {
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
        assert!(answer.text().contains("POST /v2/cohorts/search"), "it says where ids come from");
        assert!(answer.body.len() < 1_000);
    }
    let upper = ask(&world, &org, AT_HOME, &with("service_segment_id", json!(near.to_uppercase()))).await;
    assert_eq!((upper.status.as_u16(), &upper.json()["service_segment_id"]), (200, &json!(near)));
}

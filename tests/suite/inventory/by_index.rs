//! The displays' index for a cohort, and searches sorted by it.

use std::collections::BTreeMap;

use harness::{TestOrg, World, samples};
use serde_json::{Value, json};

use super::{
    PACE_MILLIS, ask, assert_refused, call, id, ids, record, release_with, results, router_of, search, total,
};

/// The number of displays in each estimate.
const ESTIMATED: usize = 300;

fn by_index(cohort: &str) -> Value {
    json!({
        "service_segment_id": cohort,
        "sort": { "field": "index" },
        "fieldSet": ["id", "index"],
        "pagination": { "page_size": 10_000 },
    })
}

fn composed() -> String {
    [samples::segment("hispanic"), samples::segment("age_25_54")].join(".")
}

fn index(record: &Value) -> Option<f64> {
    record["index"].as_f64()
}

/// Returns each display's index according to an estimate.
async fn estimated(world: &World, org: &TestOrg, cohort: &str, ids: &[u64]) -> BTreeMap<u64, Option<f64>> {
    let mut campaign = samples::campaign();
    let spot = |id: &u64| json!({ "display_id": id.to_string(), "spot_id": 1 });
    campaign["spots"] = ids.iter().map(spot).collect();
    campaign["cohort"] = json!({
        "geography_ids": ["XX2020NATNUS"],
        "service_segment_ids": [cohort],
        "service_base_segment_id": samples::segment("everyone"),
    });
    let call = world.post("/v2/measures/campaigns/estimate").key(&org.key);
    let data = call.json(&campaign).send().await.data();
    let displays = data["displays"].as_array().expect("displays").iter();
    let id = |display: &Value| display["display_id"].as_str().and_then(|id| id.parse().ok()).expect("an ID");
    displays.map(|display| (id(display), index(display))).collect()
}

#[tokio::test]
async fn results_have_the_index_of_estimates_and_are_in_its_order() {
    let (world, org) = World::with_org().await;
    for cohort in [samples::segment("income_100k_plus"), composed()] {
        let found = search(&world, &org, &by_index(&cohort)).await;
        let shown: Vec<(Option<f64>, u64)> =
            results(&found).iter().map(|record| (index(record), id(record))).collect();
        assert_eq!(shown.len(), total(&found));
        let order = |(one, id): &(Option<f64>, u64), (other, other_id): &(Option<f64>, u64)| {
            other.partial_cmp(one).expect("numbers").then(id.cmp(other_id))
        };
        assert!(shown.is_sorted_by(|one, other| order(one, other).is_lt()), "descending, and ties by ID");
        assert!(shown[0].0 > shown[shown.len() / 2].0);

        let ids: Vec<u64> =
            shown.iter().step_by(shown.len().div_ceil(ESTIMATED)).map(|(_, id)| *id).collect();
        let estimated = estimated(&world, &org, &cohort, &ids).await;
        assert!(estimated.len() > ESTIMATED / 2, "{}", estimated.len());
        for (index, id) in shown.iter().filter(|(_, id)| estimated.contains_key(id)) {
            assert_eq!(estimated[id], *index, "{id}");
        }
    }
}

#[tokio::test]
async fn displays_without_an_index_come_last_in_both_directions() {
    let (world, org) = World::with_org().await;
    let measured = json!({ "weekly_impressions": 1_000 });
    let nowhere = [record(30_600_001, measured.clone()), record(30_600_002, measured)];
    let router = router_of(&world, &release_with(&nowhere, "by_index"));
    let mut orders = Vec::new();
    for order in [json!("desc"), json!("asc"), json!(null)] {
        let mut body = by_index(&samples::segment("age_18_34"));
        body["sort"]["order"] = order;
        world.clock.advance(PACE_MILLIS);
        let found = call(&world, &org, &body).send_to(router.clone()).await.json();
        let results = results(&found);
        let (known, unknown) = results.split_at(results.len() - nowhere.len());
        assert_eq!(unknown.iter().map(id).collect::<Vec<_>>(), [30_600_001, 30_600_002]);
        assert!(unknown.iter().all(|record| record["index"].is_null()));
        assert!(known.iter().all(|record| index(record).is_some()));
        orders.push(known.iter().map(|record| (index(record), id(record))).collect::<Vec<_>>());
    }
    assert_eq!(orders[0], orders[2], "the greatest index is first by default");
    assert!(orders[1].is_sorted_by(|one, other| one < other), "ascending, and ties by ID");
    orders[0].sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
    assert_eq!(orders[0], orders[1]);
}

#[tokio::test]
async fn pages_continue_the_order() {
    let (world, org) = World::with_org().await;
    let mut body = by_index(&composed());
    body["filter"] = json!({ "county_name": "Kings County, NY" });
    let all = ids(&search(&world, &org, &body).await);
    for (page, expected) in all.chunks(100).take(3).enumerate() {
        body["pagination"] = json!({ "page": page + 1, "page_size": 100 });
        assert_eq!(ids(&search(&world, &org, &body).await), expected, "page {page}");
    }
}

#[tokio::test]
async fn index_is_returned_with_a_cohort_unless_other_fields_are_requested() {
    let (world, org) = World::with_org().await;
    let members = async |mut body: Value| {
        body["pagination"] = json!({ "page_size": 1 });
        let found = search(&world, &org, &body).await;
        let maturity = found["meta"]["provenance"]["data_maturity"].as_str().expect("a maturity").to_owned();
        let source = found["meta"]["provenance"]["source"].as_str().expect("a source").to_owned();
        (results(&found)[0].as_object().expect("a record").clone(), maturity, source)
    };
    let cohort = samples::segment("hispanic");
    let (record, maturity, source) = members(json!({ "service_segment_id": cohort })).await;
    assert!(record["index"].is_f64(), "{record:?}");
    assert_eq!(maturity, "synthetic-only");
    assert!(source.contains("index: contact-model-1 from "), "{source}");
    let (record, ..) = members(json!({ "service_segment_id": cohort, "fieldSet": ["digital"] })).await;
    assert_eq!(record.keys().collect::<Vec<_>>(), ["digital"]);
    let (record, ..) = members(json!({ "service_segment_id": cohort, "fieldSet": ["index"] })).await;
    assert_eq!(record.keys().collect::<Vec<_>>(), ["index"]);
    let (record, _, source) = members(json!({ "service_segment_id": null })).await;
    assert_eq!(record.get("index"), None);
    assert!(!source.contains("index: "), "{source}");
}

#[tokio::test]
async fn csv_has_a_column_with_the_index() {
    let (world, org) = World::with_org().await;
    let mut body = by_index(&composed());
    body["pagination"] = json!({ "page_size": 2 });
    let found = search(&world, &org, &body).await;
    world.clock.advance(PACE_MILLIS);
    let file = call(&world, &org, &body).header("accept", "text/csv").send().await.text();
    let lines: Vec<&str> = file.trim_start_matches('\u{feff}').lines().collect();
    assert!(lines[0].starts_with("spot_id,index,maturity"), "{file}");
    for (line, record) in lines[1..].iter().zip(results(&found)) {
        assert!(line.starts_with(&format!("{},{},synthetic-only", id(record), record["index"])), "{file}");
    }
    assert_eq!(lines.len(), 3);
}

#[tokio::test]
async fn unknown_cohorts_and_missing_ones_return_400() {
    let (world, org) = World::with_org().await;
    let detail = "cannot be \"index\" without a cohort; add service_segment_id";
    let mut body = by_index("x");
    for missing in [json!(null), json!(7)] {
        body["service_segment_id"] = missing;
        let answer = ask(&world, &org, &body).await;
        assert_eq!(answer.status, 400, "{body}");
    }
    body.as_object_mut().expect("an object").remove("service_segment_id");
    let expected = [("invalid_sort", detail), ("invalid_field_set", detail)];
    assert_refused(&ask(&world, &org, &body).await, &expected, "no cohort");

    let [men, women] = ["male", "female"].map(samples::segment);
    for (cohort, why) in [
        ("x".to_owned(), r#"no cohort has the id "x""#),
        (format!("{men}.{women}"), "no one is in all of these cohorts: Males + Females"),
    ] {
        let answer = ask(&world, &org, &by_index(&cohort)).await;
        let rule =
            format!("/service_segment_id must be a cohort in this release, got \"{cohort}\": {why}; use");
        assert_refused(&answer, &[("invalid_cohort", &rule)], &cohort);
    }
}

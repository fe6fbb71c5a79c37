//! `by_place` in reports: each row has the same figures as a report on only that place.
use accounting::Product;
use harness::{TestOrg, World, price, samples};
use serde_json::{Value, json};
use store::escaped_len;

use super::{LAMBDA_RESPONSE_BYTES, REPORT, ask, report, some_places, without_meta};

async fn side_by_side(world: &World, org: &TestOrg, ids: &Value, segments: &Value) -> Value {
    let body = json!({ "place_id": ids, "by_place": { "service_segment_ids": segments } });
    let answer = ask(world, org, REPORT, &body).await;
    assert_eq!(answer.status, 200, "{ids}: {}", answer.text());
    assert_eq!(answer.credits_used(), price(Product::PlaceReport));
    answer.json()
}

/// Returns a place's expected `by_place` row, computed from a report on only that place.
fn expected(single: &Value, segments: &[String]) -> Value {
    let place = &single["places"][0];
    let share = |id: &String| {
        let reported = single["segments"].as_array().expect("segments");
        let found = reported.iter().find(|segment| segment["service_segment_id"] == id.as_str());
        let member = |name: &str| found.map_or(Value::Null, |segment| segment[name].clone());
        json!({ "service_segment_id": id, "percent": member("percent"), "index": member("index") })
    };
    json!({
        "place_id": place["place_id"],
        "name": place["name"],
        "visits": place["visits"],
        "percentile": place["percentile"],
        "maturity": place["maturity"],
        "segments": segments.iter().map(share).collect::<Vec<_>>(),
    })
}

#[tokio::test]
async fn rows_equal_the_reports_of_single_places() {
    let (world, org) = World::with_org().await;
    let ids = some_places(11, 12);
    let all = report(&world, &org, &json!([ids[0]])).await;
    let reported = all["segments"].as_array().expect("segments").iter();
    let mut segments: Vec<String> =
        reported.map(|one| one["service_segment_id"].as_str().expect("an ID").to_owned()).take(19).collect();
    segments.reverse();
    // This cohort is a single demographic cell, which has a share in the population but not at modelled
    // places.
    segments.push(samples::segment("male_85_plus"));
    let answer = side_by_side(&world, &org, &json!(ids), &json!(segments)).await;
    let rows = answer["by_place"].as_array().expect("places");
    assert_eq!(rows.len(), ids.len());
    for (row, id) in rows.iter().zip(&ids) {
        let single = report(&world, &org, &json!([id])).await;
        assert_eq!(*row, expected(&single, &segments), "{id}");
        assert!(row["percentile"].is_u64() && row["visits"].as_u64() > Some(0), "{row}");
        assert_eq!(row["segments"][19]["percent"], Value::Null);
    }
}

#[tokio::test]
async fn composed_cohorts_have_the_shares_of_the_home_zip_codes() {
    let (world, org) = World::with_org().await;
    let ids = some_places(15, 2);
    let [hispanic, adults, women] = ["hispanic", "age_25_54", "female"].map(samples::segment);
    let crossed = format!("{hispanic}.{adults}");
    let [one_kind, reversed] = [format!("{adults}.{women}"), format!("{adults}.{hispanic}")];
    let segments = json!([hispanic, crossed, one_kind, reversed]);
    let answer = side_by_side(&world, &org, &json!(ids), &segments).await;
    assert_eq!(answer["meta"]["provenance"]["data_maturity"], "synthetic-only");
    for (row, id) in answer["by_place"].as_array().expect("places").iter().zip(&ids) {
        let rows = row["segments"].as_array().expect("segments");
        assert_eq!(
            rows.len(),
            3,
            "IDs that differ only in the order of their parts are the same cohort: {row}"
        );
        let homes = report(&world, &org, &json!([id])).await["postal_code"].take();
        for (row, asked) in rows[1..].iter().zip([&crossed, &one_kind]) {
            let mut parts: Vec<&str> =
                row["service_segment_id"].as_str().expect("an ID").split('.').collect();
            let mut asked_parts: Vec<&str> = asked.split('.').collect();
            parts.sort_unstable();
            asked_parts.sort_unstable();
            assert_eq!(parts, asked_parts);
            let [percent, index] = share_of_homes(&world, &org, &homes, asked).await;
            let near = |member: &str, expected: f64, by: f64| {
                let shown = row[member].as_f64().expect("a number");
                assert!((shown - expected).abs() < by, "{id} {asked}: {member} {shown}, not {expected}");
            };
            near("percent", percent, 1e-9);
            near("index", index, 0.051);
        }
    }
}

/// Returns a cohort's share and index in ZIP codes, weighted by visits.
async fn share_of_homes(world: &World, org: &TestOrg, homes: &Value, cohort: &str) -> [f64; 2] {
    let homes = homes.as_array().expect("areas");
    let zips: Vec<&Value> = homes.iter().map(|home| &home["id"]).collect();
    let body = json!({ "service_segment_id": cohort, "geography_type": ["ZIP"], "geography_ids": zips });
    let residents = ask(world, org, "/v2/measures/population/at_home", &body).await.json();
    let number = |row: &Value, member: &str| row[member].as_f64().expect("a number");
    let rows = residents["results"].as_array().expect("areas");
    let (mut of_cohort, mut all) = (0.0, 0.0);
    for row in rows {
        let home = homes.iter().find(|home| home["id"] == row["geography_id"]).expect("a home");
        let visits = number(home, "weekly_visits");
        of_cohort += visits * number(row, "persons") / number(row, "all_persons");
        all += visits;
    }
    let nation = number(&residents, "persons") / number(&residents, "all_persons");
    [of_cohort / all, 100.0 * of_cohort / all / nation]
}

#[tokio::test]
async fn unknown_and_contradictory_cohorts_return_400() {
    let (world, org) = World::with_org().await;
    let [men, women, everyone] = ["male", "female", "everyone"].map(samples::segment);
    let cases = [
        (format!("{men}.x"), r#"no cohort has the id "x""#),
        (format!("{men}.{women}"), "no one is in all of these cohorts: Males + Females"),
        (format!("{men}.{everyone}"), "the cohort of all persons can't be combined with others"),
    ];
    for (id, why) in cases {
        let body =
            json!({ "place_id": some_places(16, 1), "by_place": { "service_segment_ids": [women, id] } });
        let rule = format!(
            "must be a cohort in this release, got \"{id}\": {why}; use a service_segment_id from cohort search"
        );
        let answer = ask(&world, &org, REPORT, &body).await;
        answer.assert_invalid(&[("/by_place/service_segment_ids/1", &rule)], why);
    }
}

#[tokio::test]
async fn by_place_does_not_change_the_aggregate() {
    let (world, org) = World::with_org().await;
    for count in [1, 7] {
        let ids = json!(some_places(12, count));
        let mut answer = side_by_side(&world, &org, &ids, &json!([samples::segment("hispanic")])).await;
        let rows = answer.as_object_mut().expect("an object").remove("by_place").expect("the places");
        let visits: u64 =
            rows.as_array().expect("places").iter().map(|row| row["visits"].as_u64().expect("a count")).sum();
        assert_eq!(answer["places"][0]["visits"], visits);
        let single = report(&world, &org, &ids).await;
        assert_eq!(without_meta(&answer), without_meta(&single), "a report has no by_place unless requested");
        let null = ask(&world, &org, REPORT, &json!({ "place_id": ids, "by_place": null })).await.json();
        assert_eq!(without_meta(&null), without_meta(&single));
    }
}

#[tokio::test]
async fn rows_follow_request_order_without_duplicates_or_unknown_places() {
    let (world, org) = World::with_org().await;
    let mut ids = some_places(13, 3);
    ids.sort_unstable_by(|one, other| other.cmp(one));
    let [a, b, c] = ids[..] else { panic!("three places") };
    let (young, rich) = (samples::segment("age_18_34"), samples::segment("income_100k_plus"));
    let asked = json!([b, 7, a, a.to_string(), 999_999_999_999_u64, c, b]);
    let segments = json!([rich, young, rich.to_uppercase(), rich]);
    let answer = side_by_side(&world, &org, &asked, &segments).await;
    let rows = answer["by_place"].as_array().expect("places");
    let shown: Vec<&Value> = rows.iter().map(|row| &row["place_id"]).collect();
    assert_eq!(json!(shown), json!([b, a, c]));
    assert_eq!(answer["invalid_ids"], json!([7, 999_999_999_999_u64]));
    for row in rows {
        let ids = row["segments"].as_array().expect("segments").iter().map(|one| &one["service_segment_id"]);
        assert_eq!(json!(ids.collect::<Vec<_>>()), json!([rich, young]));
    }
}

#[tokio::test]
async fn compares_at_most_100_distinct_places() {
    let (world, org) = World::with_org().await;
    let mut ids = some_places(14, 100);
    let mut every: Vec<String> = Vec::new();
    let one = report(&world, &org, &json!([ids[0]])).await;
    for segment in &one["segments"].as_array().expect("segments")[..20] {
        every.push(segment["service_segment_id"].as_str().expect("an ID").to_owned());
    }
    ids.push(ids[0]);
    let body = json!({ "place_id": ids, "by_place": { "service_segment_ids": every } });
    let answer = ask(&world, &org, REPORT, &body).await;
    assert_eq!(answer.json()["by_place"].as_array().map(Vec::len), Some(100), "{}", answer.status);
    assert!(escaped_len(&answer.body) < LAMBDA_RESPONSE_BYTES);
    // One more place exceeds the limit, even if the place is unknown.
    ids.push(1);
    let body = json!({ "place_id": ids, "by_place": { "service_segment_ids": every } });
    let bound =
        "must have at most 100 places with by_place, but has 101; split the places across several calls";
    ask(&world, &org, REPORT, &body).await.assert_invalid(&[("/place_id", bound)], "101 places");
    assert_eq!(ask(&world, &org, REPORT, &json!({ "place_id": ids })).await.status, 200, "without by_place");
}

#[tokio::test]
async fn only_unknown_places_returns_404() {
    let (world, org) = World::with_org().await;
    let body =
        json!({ "place_id": [1, 7], "by_place": { "service_segment_ids": [samples::segment("hispanic")] } });
    let answer = ask(&world, &org, REPORT, &body).await;
    assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()));
}

//! Population at home for composed cohorts.

use harness::{World, samples};
use serde_json::{Value, json};

use super::{AT_HOME, ask, at_home, count, row, rows};

/// Returns the ID of a cohort composed of the cohorts with the given short names.
fn composed(keys: &[&str]) -> String {
    let ids: Vec<String> = keys.iter().map(|key| samples::segment(key)).collect();
    ids.join(".")
}

fn body(id: &str, area_type: &str) -> Value {
    json!({ "service_segment_id": id, "geography_type": [area_type], "pagination": { "page_size": 10_000 } })
}

#[tokio::test]
async fn sex_and_age_are_combined_exactly() {
    let (world, org) = World::with_org().await;
    for area_type in ["STATE", "COUNTY"] {
        let women = at_home(&world, &org, "women_25_54", area_type).await;
        let body = body(&composed(&["female", "age_25_54"]), area_type);
        let found = ask(&world, &org, AT_HOME, &body).await.json();
        let counts =
            |answer: &Value| rows(answer).iter().map(|row| count(&row["persons"])).collect::<Vec<_>>();
        assert_eq!(counts(&found), counts(&women), "{area_type}");
        assert_eq!(found["shares"]["data_maturity"], "research-preview");
    }
}

#[tokio::test]
async fn crossed_cohort_is_in_each_of_its_parts_and_marked_as_modelled() {
    let (world, org) = World::with_org().await;
    let keys = ["hispanic", "age_25_54", "income_100k_plus"];
    for area_type in ["STATE", "DMA", "COUNTY", "ZIP"] {
        let crossed = ask(&world, &org, AT_HOME, &body(&composed(&keys), area_type)).await.json();
        assert_eq!(crossed["meta"]["provenance"]["data_maturity"], "synthetic-only", "{area_type}");
        assert_eq!(crossed["shares"]["data_maturity"], "synthetic-only", "{area_type}");
        for key in keys {
            let whole = ask(&world, &org, AT_HOME, &body(&samples::segment(key), area_type)).await.json();
            assert_eq!(rows(&whole).len(), rows(&crossed).len());
            for (part, whole) in rows(&crossed).iter().zip(rows(&whole)) {
                assert_eq!(part["geography_id"], whole["geography_id"]);
                assert!(count(&part["persons"]) <= count(&whole["persons"]), "{part} of {whole}");
            }
        }
    }
}

#[tokio::test]
async fn crossed_counts_of_counties_and_states_add_up_to_the_nation() {
    let (world, org) = World::with_org().await;
    let id = composed(&["hispanic", "age_25_54"]);
    let sum = |answer: &Value| rows(answer).iter().map(|row| count(&row["persons"])).sum::<u64>();
    let states = ask(&world, &org, AT_HOME, &body(&id, "STATE")).await.json();
    let nation = count(&states["persons"]);
    assert_eq!(sum(&states), nation);
    for (area_type, most_outside) in [("COUNTY", 0), ("DMA", 10_000)] {
        let areas = ask(&world, &org, AT_HOME, &body(&id, area_type)).await.json();
        assert!((nation - most_outside..=nation).contains(&sum(&areas)), "{area_type}");
    }
    let zips = sum(&ask(&world, &org, AT_HOME, &body(&id, "ZIP")).await.json());
    assert!(zips > 1_000_000, "only the first of four pages: {zips}");
    let texas = row(&states, "US2020XXST48");
    assert!(count(&texas["persons"]) > 4_000_000, "{texas}");
}

#[tokio::test]
async fn crossing_a_group_with_all_adults_keeps_most_of_the_group_in_every_county() {
    let (world, org) = World::with_org().await;
    for group in ["asian", "black", "hispanic", "white_not_hispanic"] {
        let whole = ask(&world, &org, AT_HOME, &body(&samples::segment(group), "COUNTY")).await.json();
        let adults =
            ask(&world, &org, AT_HOME, &body(&composed(&[group, "age_18_plus"]), "COUNTY")).await.json();
        for (part, whole) in rows(&adults).iter().zip(rows(&whole)) {
            let (part, all) = (count(&part["persons"]), count(&whole["persons"]));
            assert!(part <= all, "{group}: {part} of {whole}");
            assert!(all < 200 || (40..=100).contains(&(100 * part / all)), "{group}: {part} of {whole}");
        }
    }
}

#[tokio::test]
async fn order_of_ids_does_not_matter() {
    let (world, org) = World::with_org().await;
    let answers: Vec<Value> = {
        let mut answers = Vec::new();
        for keys in [["hispanic", "age_25_54"], ["age_25_54", "hispanic"]] {
            let mut answer = ask(&world, &org, AT_HOME, &body(&composed(&keys), "STATE")).await.json();
            answer["meta"].take();
            answers.push(answer);
        }
        answers
    };
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0]["service_segment_id"], composed(&["age_25_54", "hispanic"]));
    assert_eq!(answers[0]["customer_segment_name"], "Adults 25-54 + Hispanic of any race");
}

#[tokio::test]
async fn cohorts_that_cannot_be_combined_return_400_and_unknown_ones_404() {
    let (world, org) = World::with_org().await;
    let cases = [
        (composed(&["hispanic", "black"]), 400, "no one is in all of these cohorts: Black"),
        (composed(&["male", "women_25_54"]), 400, "no one is in all of these cohorts: Males + Women 25-54"),
        (composed(&["everyone", "hispanic"]), 400, "the cohort of all persons can't be combined"),
        (
            composed(&["male", "age_18_plus", "age_25_54", "hispanic", "income_100k_plus"]),
            400,
            "a cohort can be composed of at most 4 cohorts, got 5",
        ),
        (format!("{}.", samples::segment("hispanic")), 404, "no cohort has the id \"\""),
        (format!("{}.nothing", samples::segment("hispanic")), 404, "no cohort has the id \"nothing\""),
    ];
    for (id, status, expected) in cases {
        let answer = ask(&world, &org, AT_HOME, &body(&id, "STATE")).await;
        assert_eq!(answer.status, status, "{id}: {}", answer.text());
        assert!(answer.json().to_string().replace("\\\"", "\"").contains(expected), "{}", answer.text());
    }
}

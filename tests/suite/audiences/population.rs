//! Resident population: well-known figures, formulas, coverage, and provenance.

use harness::{World, samples};
use serde_json::{Value, json};

use super::{AREA_TYPES, AT_HOME, ask, at_home, count, number, row, rows};

const NATION: u64 = 340_110_988;

#[tokio::test]
async fn figures_of_well_known_places_are_plausible() {
    let (world, org) = World::with_org().await;
    // The columns are the cohort, the area's type, ID, and name, and the expected ranges of the index and the
    // percentage.
    let cases = [
        (
            "income_100k_plus",
            "COUNTY",
            "US2020STCO06075",
            "San Francisco County, CA",
            130.0..200.0,
            50.0..75.0,
        ),
        ("hispanic", "COUNTY", "US2020STCO06037", "Los Angeles County, CA", 250.0..320.0, 47.0..49.5),
        ("age_65_plus", "COUNTY", "US2020STCO12119", "Sumter County, FL", 250.0..420.0, 40.0..60.0),
        ("black", "STATE", "US2020XXST28", "Mississippi", 250.0..350.0, 35.0..40.0),
        ("asian", "STATE", "US2020XXST15", "Hawaii", 500.0..900.0, 40.0..50.0),
        ("hispanic", "DMA", "US2020XDMA501", "New York", 110.0..160.0, 20.0..27.0),
        ("hispanic", "STATE", "US2020XXST54", "West Virginia", 0.0..20.0, 0.5..3.0),
    ];
    for (key, area_type, id, name, index, percent) in cases {
        let answer = at_home(&world, &org, key, area_type).await;
        let row = row(&answer, id);
        assert_eq!(row["description"], name);
        let (is, share) = (number(&row["composition_index"]), number(&row["composition_percent"]));
        assert!(index.contains(&is), "{key} in {name}: {is}");
        assert!(percent.contains(&share), "{key} in {name}: {share} %");
    }
}

#[tokio::test]
async fn every_row_matches_its_formulas() {
    let (world, org) = World::with_org().await;
    for key in ["hispanic", "income_100k_plus", "everyone", "male_85_plus"] {
        for area_type in AREA_TYPES {
            let answer = at_home(&world, &org, key, area_type).await;
            let context = format!("{key} by {area_type}");
            assert_composed(&answer, &context);
            let national = number(&answer["composition_percent"]);
            for row in rows(&answer) {
                assert_composed(row, &context);
                let index = 100.0 * number(&row["composition_percent"]) / national;
                assert_eq!(
                    number(&row["composition_index"]),
                    (10.0 * index).round() / 10.0,
                    "{context}: {row}"
                );
                assert_eq!(row["geo_type"], area_type, "{context}");
                assert_eq!(row["customer_segment_name"], answer["customer_segment_name"], "{context}");
                assert_eq!(row["vintage"], answer["vintage"], "{context}");
            }
            let ids: Vec<&Value> = rows(&answer).iter().map(|row| &row["geography_id"]).collect();
            assert!(!ids.is_empty(), "{context}");
            assert_eq!(
                ids,
                answer["ids"].as_array().expect("a list").iter().collect::<Vec<_>>(),
                "{context}"
            );
            assert!(
                ids.is_sorted_by(|one, other| one.as_str() < other.as_str()),
                "{context} is sorted by ID"
            );
        }
    }
}

/// Asserts that the percentage equals 100 × persons / all persons.
fn assert_composed(part: &Value, context: &str) {
    let (persons, all) = (count(&part["persons"]), count(&part["all_persons"]));
    assert!(persons <= all && all > 0, "{context}: {persons} of {all}");
    let percent = 100.0 * persons as f64 / all as f64;
    assert!((number(&part["composition_percent"]) - percent).abs() < 1e-9, "{context}: {persons} of {all}");
}

#[tokio::test]
async fn response_has_the_figures_of_the_nation() {
    let (world, org) = World::with_org().await;
    for area_type in AREA_TYPES {
        let everyone = at_home(&world, &org, "everyone", area_type).await;
        assert_eq!(everyone["service_segment_id"], samples::segment("everyone"));
        assert_eq!(everyone["customer_segment_name"], "Persons");
        assert_eq!(everyone["geographic_type"], json!([area_type]));
        assert_eq!(
            (count(&everyone["persons"]), count(&everyone["all_persons"])),
            (NATION, NATION),
            "{area_type}"
        );
        assert_eq!(everyone["composition_percent"], 100.0);
        assert_eq!((&everyone["vintage"], &everyone["year"]), (&json!("20240701"), &json!(2024)));
        assert!(rows(&everyone).iter().all(|row| row["composition_index"] == 100.0), "{area_type}");
    }
    let hispanic = at_home(&world, &org, "hispanic", "STATE").await;
    assert_eq!(hispanic["all_persons"], NATION);
    assert!((15.0..20.0).contains(&number(&hispanic["composition_percent"])));
}

#[tokio::test]
async fn coverage_shows_the_share_of_the_nation() {
    let (world, org) = World::with_org().await;
    for area_type in AREA_TYPES {
        let answer = at_home(&world, &org, "income_100k_plus", area_type).await;
        let coverage = &answer["coverage"];
        let outside = count(&coverage["all_persons_outside"]);
        assert_eq!(count(&coverage["all_persons"]) + outside, NATION, "{area_type}");
        assert_composed(coverage, area_type);
        let description = coverage["description"].as_str().expect("a string");
        match area_type {
            "COUNTY" | "STATE" => {
                assert_eq!(outside, 0);
                assert!(description.contains("cover the whole nation"), "{description}");
            }
            "DMA" => {
                assert_eq!(outside, 106_279, "18 boroughs of Alaska belong to no market");
                assert!(description.contains("106279 live outside them"), "{description}");
            }
            "MSA" | "CBSA" => assert!(outside > 10_000_000 && description.contains(&outside.to_string())),
            _ => assert!(description.contains("of type ZIP"), "{description}"),
        }
        let shown: u64 = rows(&answer).iter().map(|row| count(&row["all_persons"])).sum();
        if answer["pagination"]["total_pages"] == 1 {
            assert_eq!(shown, count(&coverage["all_persons"]), "{area_type}");
        }
        let page = json!({
            "service_segment_id": samples::segment("income_100k_plus"),
            "geography_type": [area_type],
            "pagination": { "page": 2, "page_size": 1 },
        });
        // The coverage doesn't depend on the page.
        assert_eq!(ask(&world, &org, AT_HOME, &page).await.json()["coverage"], *coverage);
    }
}

#[tokio::test]
async fn every_msa_is_also_a_cbsa() {
    let (world, org) = World::with_org().await;
    let msa = at_home(&world, &org, "hispanic", "MSA").await;
    let cbsa = at_home(&world, &org, "hispanic", "CBSA").await;
    assert_eq!((rows(&msa).len(), rows(&cbsa).len()), (387, 387 + 538));
    for one in rows(&msa) {
        let mut same = row(&cbsa, one["geography_id"].as_str().expect("an ID")).clone();
        same["geo_type"] = json!("MSA");
        assert_eq!(*one, same);
    }
}

#[tokio::test]
async fn zip_codes_are_labelled_as_modelled_and_counties_as_preview() {
    let (world, org) = World::with_org().await;
    for area_type in AREA_TYPES {
        let provenance = at_home(&world, &org, "hispanic", area_type).await["meta"]["provenance"].take();
        let maturity = if area_type == "ZIP" { "synthetic-only" } else { "research-preview" };
        assert_eq!(provenance["data_maturity"], maturity, "{area_type}");
        assert_eq!(provenance["data_vintage"], "2024-07-01", "{area_type}");
        let source = provenance["source"].as_str().expect("a string");
        assert!(source.contains("ACS"), "{source}");
        assert_eq!(source.contains("modelled for ZIP codes"), area_type == "ZIP", "{source}");
    }
}

#[tokio::test]
async fn income_cohorts_explain_their_persons() {
    let (world, org) = World::with_org().await;
    let name = at_home(&world, &org, "income_100k_plus", "STATE").await["customer_segment_name"].take();
    assert!(
        name.as_str().expect("a string").contains("persons = population x share of households"),
        "{name}"
    );
}

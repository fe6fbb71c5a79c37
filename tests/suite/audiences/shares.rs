//! Sources of cohort shares: all responses name the same sources, and a response has the lowest maturity of
//! its sources.

use harness::{TestOrg, World, samples};
use serde_json::{Value, json};

use super::{AT_HOME, COHORTS, ask, at_home};

/// Cohorts by short name, with the source, vintage, maturity, and resolution of their shares.
const SHARES: [(&str, &str, &str, &str, &str); 4] = [
    ("everyone", "population estimates (Vintage 2024)", "2024", "production", "zip"),
    ("women_18_34", "population estimates by age and sex (Vintage 2024)", "2024", "research-preview", "zip"),
    ("hispanic", "ACS 5-year estimates, table B03002", "2017-2021", "research-preview", "zip"),
    ("income_100k_plus", "ACS 5-year estimates, table S1901", "2019-2023", "research-preview", "county"),
];

async fn search(world: &World, org: &TestOrg, text: &str) -> Value {
    let body = json!({ "service_data_product_name": "Population Anytime", "search_text": text });
    ask(world, org, COHORTS, &body).await.json()
}

async fn report(world: &World, org: &TestOrg) -> Value {
    let body = json!({ "place_id": [samples::place().raw()] });
    ask(world, org, "/v2/measures/place/report", &body).await.json()
}

/// Returns the shares of a cohort in a list. `key` is the cohort's short name.
fn shares_in<'a>(list: &'a Value, key: &str) -> &'a Value {
    let id = samples::segment(key);
    let found = list.as_array().expect("a list").iter().find(|one| one["service_segment_id"] == id);
    &found.unwrap_or_else(|| panic!("{key} is not in the list"))["shares"]
}

#[tokio::test]
async fn cohort_has_the_same_source_in_search_population_and_report() {
    let (world, org) = World::with_org().await;
    let (found, reported) = (search(&world, &org, "").await, report(&world, &org).await);
    for (key, table, vintage, maturity, resolution) in SHARES {
        let shares = shares_in(&found["cohorts"], key);
        assert_eq!(shares, shares_in(&reported["segments"], key), "{key}");
        for area_type in ["COUNTY", "ZIP"] {
            assert_eq!(*shares, at_home(&world, &org, key, area_type).await["shares"], "{key}: {area_type}");
        }
        let source = shares["source"].as_str().expect("a string");
        assert!(source.starts_with(&format!("US Census Bureau, {table}")), "{source}");
        assert_eq!(
            (&shares["vintage"], &shares["data_maturity"], &shares["resolution"]),
            (&json!(vintage), &json!(maturity), &json!(resolution)),
            "{key}"
        );
    }
}

#[tokio::test]
async fn cohort_search_and_county_population_have_the_same_provenance() {
    let (world, org) = World::with_org().await;
    let body = json!({
        "service_segment_id": samples::segment("women_18_34"),
        "geography_type": ["COUNTY"],
        "pagination": { "page_size": 1 },
    });
    let counties = ask(&world, &org, AT_HOME, &body).await.json();
    let found = search(&world, &org, "women 18-34").await;
    assert_eq!(found["meta"]["provenance"], counties["meta"]["provenance"]);
    let source = found["meta"]["provenance"]["source"].as_str().expect("a string");
    assert!(source.contains("by age and sex (Vintage 2024)") && !source.contains("S1901"), "{source}");
}

#[tokio::test]
async fn composed_cohort_has_the_coarsest_resolution_of_its_parts() {
    let (world, org) = World::with_org().await;
    let [women, income] = ["women_18_34", "income_100k_plus"].map(samples::segment);
    let body = json!({ "service_segment_id": format!("{women}.{income}"), "geography_type": ["STATE"] });
    let composed = ask(&world, &org, AT_HOME, &body).await.json();
    assert_eq!(composed["shares"]["resolution"], "county");
}

#[tokio::test]
async fn modelled_figures_name_the_inputs_of_their_model() {
    let (world, org) = World::with_org().await;
    let place = format!("/v2/place/profiles/{}", samples::place().raw());
    let profile = world.get(&place).key(&org.key).send().await.json();
    for (answer, resolution, input) in [
        (report(&world, &org).await, "zip", json!("residents by ZIP code (ACS 2020-2024)")),
        (profile, "zip", json!("residents by ZIP code (ACS 2020-2024)")),
        (
            at_home(&world, &org, "hispanic", "ZIP").await,
            "zip",
            json!("residents by ZIP code (ACS 2020-2024)"),
        ),
        (at_home(&world, &org, "hispanic", "COUNTY").await, "county", json!(null)),
        (at_home(&world, &org, "hispanic", "DMA").await, "county", json!(null)),
    ] {
        let about = &answer["meta"]["provenance"];
        assert_eq!((&about["cohort_resolution"], &about["modelled_from"][0]), (&json!(resolution), &input));
    }
}

#[tokio::test]
async fn response_has_the_lowest_maturity_of_its_sources() {
    let (world, org) = World::with_org().await;
    let of = |answer: &Value| answer["meta"]["provenance"].clone();
    let report = of(&report(&world, &org).await);
    assert_eq!(report["data_maturity"], "synthetic-only");
    assert!(
        report["source"].as_str().is_some_and(|source| source.contains("nothing was measured")),
        "{report}"
    );
    for (_, table, vintage, ..) in SHARES {
        let source = report["source"].as_str().expect("a string");
        let at =
            source.find(&format!("US Census Bureau, {table}")).unwrap_or_else(|| panic!("{table}: {source}"));
        assert!(source[at..].contains(&format!(" ({vintage})")), "{vintage}: {source}");
    }
    let zips = of(&at_home(&world, &org, "hispanic", "ZIP").await);
    let counties = of(&at_home(&world, &org, "hispanic", "COUNTY").await);
    let found = of(&search(&world, &org, "hispanic").await);
    let maturities = [&zips, &counties, &found].map(|about| &about["data_maturity"]);
    assert_eq!(maturities, ["synthetic-only", "research-preview", "research-preview"]);
}

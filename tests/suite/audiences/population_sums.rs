//! Sums of the resident population: counties add up to larger areas, and parts of a cohort add up to the
//! cohort.

use std::collections::BTreeMap;

use dataset::{Geographies, GeographyIndex, GeographyType, Population};
use harness::{World, sample_release};
use serde_json::Value;

use super::{at_home, count, rows};

/// Adds up county rows by containing area, which `parent` returns for each county.
fn sums(
    geographies: &Geographies,
    counties: &Value,
    parent: impl Fn(GeographyIndex) -> Option<GeographyIndex>,
) -> BTreeMap<String, (u64, u64)> {
    let mut sums = BTreeMap::new();
    for row in rows(counties) {
        let id = row["geography_id"].as_str().expect("an ID").parse().expect("valid ID");
        let county = geographies.find(&id).expect("a county");
        if let Some(parent) = parent(county) {
            let sum: &mut (u64, u64) = sums.entry(geographies.get(parent).id.to_string()).or_default();
            sum.0 += count(&row["persons"]);
            sum.1 += count(&row["all_persons"]);
        }
    }
    sums
}

fn shown(answer: &Value) -> BTreeMap<String, (u64, u64)> {
    let id = |row: &Value| row["geography_id"].as_str().expect("an ID").to_owned();
    rows(answer).iter().map(|row| (id(row), (count(&row["persons"]), count(&row["all_persons"])))).collect()
}

#[tokio::test]
async fn counties_add_up_to_states_cbsas_and_the_nation() {
    let (world, org) = World::with_org().await;
    let geographies = Geographies::open(sample_release()).expect("the sample has geographies");
    for key in ["everyone", "hispanic", "income_100k_plus", "male_85_plus", "age_18_34", "women_25_54"] {
        let counties = at_home(&world, &org, key, "COUNTY").await;
        assert_eq!(rows(&counties).len(), 3_144);
        let states = at_home(&world, &org, key, "STATE").await;
        assert_eq!(
            shown(&states),
            sums(&geographies, &counties, |county| geographies.get(county).state),
            "{key}"
        );
        let cbsas = at_home(&world, &org, key, "CBSA").await;
        assert_eq!(
            shown(&cbsas),
            sums(&geographies, &counties, |county| geographies.get(county).cbsa),
            "{key}"
        );
        for areas in [&counties, &states] {
            let persons: u64 = rows(areas).iter().map(|row| count(&row["persons"])).sum();
            assert_eq!(persons, count(&areas["persons"]), "{key}");
        }
    }
}

#[tokio::test]
async fn parts_of_a_cohort_add_up_in_every_area() {
    let (world, org) = World::with_org().await;
    let cases: [(&str, &[&str]); 4] = [
        ("everyone", &["male", "female"]),
        ("everyone", &["age_under_18", "age_18_34", "age_35_64", "age_65_plus"]),
        ("everyone", &["income_under_50k", "income_50k_plus"]),
        ("income_100k_plus", &["income_100k_150k", "income_150k_plus"]),
    ];
    for area_type in ["DMA", "COUNTY", "STATE"] {
        for (whole, parts) in cases {
            let mut sum = BTreeMap::new();
            for part in parts {
                for (id, (persons, _)) in shown(&at_home(&world, &org, part, area_type).await) {
                    *sum.entry(id).or_default() += persons;
                }
            }
            let whole_rows = shown(&at_home(&world, &org, whole, area_type).await);
            let persons: BTreeMap<String, u64> =
                whole_rows.into_iter().map(|(id, (persons, _))| (id, persons)).collect();
            assert_eq!(sum, persons, "{parts:?} add up to {whole} by {area_type}");
        }
    }
}

/// Checks all cohorts in the release directly. The tests above check responses for only some cohorts.
#[test]
fn every_cohort_of_the_release_adds_up_to_the_nation() {
    let geographies = Geographies::open(sample_release()).expect("the sample has geographies");
    let population = Population::open(sample_release()).expect("the sample has population data");
    for segment in population.segments() {
        let index = population.find(&segment.id).expect("the segment is found by its ID");
        let persons = |area| u64::from(population.persons(index, area));
        let national = persons(geographies.nation());
        for geography_type in [GeographyType::County, GeographyType::State] {
            let sum: u64 = geographies.of_type(geography_type).map(persons).sum();
            assert_eq!(sum, national, "{} by {geography_type:?}", segment.key);
        }
    }
}

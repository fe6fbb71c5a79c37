//! Tests of the audiences function: cohort search, resident population, and markets.

mod cohorts;
mod composed;
mod market_shapes;
mod markets;
mod markets_sorted;
mod population;
mod population_narrowed;
mod population_requests;
mod population_sorted;
mod population_sums;
mod shares;

use harness::{Answer, TestOrg, World, samples};
use serde_json::{Value, json};

const COHORTS: &str = "/v2/cohorts/search";
const AT_HOME: &str = "/v2/measures/population/at_home";
const AREA_TYPES: [&str; 6] = ["DMA", "MSA", "CBSA", "COUNTY", "STATE", "ZIP"];

async fn ask(world: &World, org: &TestOrg, path: &str, body: &Value) -> Answer {
    world.post(path).key(&org.key).json(body).send().await
}

/// Returns the population at home for the cohort with the given short name.
async fn at_home(world: &World, org: &TestOrg, key: &str, area_type: &str) -> Value {
    let body = json!({ "service_segment_id": samples::segment(key), "geography_type": [area_type] });
    let answer = ask(world, org, AT_HOME, &body).await;
    assert_eq!(answer.status, 200, "{key} by {area_type}: {}", answer.text());
    answer.json()
}

fn rows(answer: &Value) -> &[Value] {
    answer["results"].as_array().expect("a list")
}

/// Returns the row of the area with the given ID.
fn row<'a>(answer: &'a Value, id: &str) -> &'a Value {
    rows(answer).iter().find(|row| row["geography_id"] == id).unwrap_or_else(|| panic!("{id} has no row"))
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a count"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn ids(list: &Value, member: &str) -> Vec<String> {
    let items = list.as_array().expect("a list");
    items.iter().map(|item| item[member].as_str().expect("a string").to_owned()).collect()
}

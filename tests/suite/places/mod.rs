//! Tests of place search, place profiles, and place reports.

mod area_names;
mod brands;
mod matching;
mod modelled;
mod place_types;
mod profile;
mod report;
mod report_by_place;
mod report_invariants;
mod search;
mod search_fields;
mod search_gateways;
mod search_nearby;
mod search_pages;
mod search_visits;
use std::sync::OnceLock;

use dataset::{Place, PlaceId, PlaceQuery, Places};
use harness::{Answer, TestOrg, World, sample_release};
use serde_json::{Value, json};

const SEARCH: &str = "/v2/msearch";
const REPORT: &str = "/v2/measures/place/report";

/// Lambda's limit on a response, in bytes, with the body escaped as a JSON string.
const LAMBDA_RESPONSE_BYTES: usize = 6_000_000;

/// Opens the sample release's places directly, without the service.
fn places() -> &'static Places {
    static PLACES: OnceLock<Places> = OnceLock::new();
    PLACES.get_or_init(|| Places::open(sample_release()).expect("the sample's places"))
}

fn all_places() -> impl Iterator<Item = Place<'static>> {
    places().indexes().map(|index| places().get(index))
}

fn place(id: PlaceId) -> Place<'static> {
    places().get(places().find(id).expect("a place of the sample"))
}

/// Returns a query that matches all places and returns at most `take` of them.
fn everything(take: usize) -> PlaceQuery<'static> {
    PlaceQuery { take, ..PlaceQuery::default() }
}

/// Runs a query without the service. Returns the number of matches, and the IDs of the places on the page.
fn found_of(query: &PlaceQuery<'_>) -> (usize, Vec<u64>) {
    let found = places().search(query);
    (found.total, found.places.into_iter().map(|index| places().get(index).id.raw()).collect())
}

/// Returns the IDs of `count` random places in the sample release.
fn some_places(seed: u64, count: usize) -> Vec<u64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let all: Vec<u64> = all_places().map(|place| place.id.raw()).collect();
    random.choose_multiple(&all, count).into_iter().copied().collect()
}

async fn ask(world: &World, org: &TestOrg, path: &str, body: &Value) -> Answer {
    world.post(path).key(&org.key).json(body).send().await
}

async fn search(world: &World, org: &TestOrg, body: &Value) -> Value {
    let answer = ask(world, org, SEARCH, body).await;
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    assert_eq!(answer.json()["status"], "success");
    answer.data()
}

async fn report(world: &World, org: &TestOrg, ids: &Value) -> Value {
    let answer = ask(world, org, REPORT, &json!({ "place_id": ids })).await;
    assert_eq!(answer.status, 200, "{ids}: {}", answer.text());
    answer.json()
}

/// Returns a response without `meta`, which differs between calls.
fn without_meta(answer: &Value) -> Value {
    let mut answer = answer.clone();
    answer.as_object_mut().expect("an object").remove("meta");
    answer
}

fn results(found: &Value) -> &[Value] {
    found["results"].as_array().expect("results")
}

fn ids(found: &Value) -> Vec<u64> {
    let id = |place: &Value| place["place_id"].as_str().expect("a string").parse().expect("digits");
    results(found).iter().map(id).collect()
}

fn total(found: &Value) -> usize {
    found["pagination"]["total_results"].as_u64().and_then(|total| total.try_into().ok()).expect("a count")
}

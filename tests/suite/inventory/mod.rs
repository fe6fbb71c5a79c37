//! Tests of inventory search and display lookup.

mod area_names;
mod by_index;
mod client_links;
mod compression;
mod errors;
mod fields;
mod geo;
mod lookup;
mod members;
mod near_places;
mod pages;
mod search;
mod size;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Router;
use dataset::Folder;
use dataset::inventory::{FieldSet, Inventory, InventoryQuery};
use harness::{Answer, Call, TestOrg, World, build_release, sample_release};
use serde_json::{Value, json};

const SEARCH: &str = "/msearch/inventory";

/// The time between a key's calls, in milliseconds, which keeps the key within its rate limit.
const PACE_MILLIS: i64 = 3_000;

/// Opens the sample release's inventory directly, without the service.
fn inventory() -> &'static Inventory {
    static INVENTORY: OnceLock<Inventory> = OnceLock::new();
    INVENTORY.get_or_init(|| Inventory::open(sample_release()).expect("an inventory"))
}

/// Returns the sample release's measured records by ascending ID, read without the service, but with the
/// maturity that the service adds.
fn records() -> &'static [Value] {
    static RECORDS: OnceLock<Vec<Value>> = OnceLock::new();
    RECORDS.get_or_init(|| {
        let records = inventory().indexes().map(|index| inventory().record(index, FieldSet::ALL));
        let measured = records.filter(|record| record.has_measures());
        let json = measured.map(|record| serde_json::to_value(record).expect("JSON"));
        json.map(with_maturity).collect()
    })
}

/// Adds the maturity to a record. Some displays in the sample have modelled members.
fn with_maturity(mut record: Value) -> Value {
    let is_modelled = record["modelled"].as_array().is_some_and(|paths| !paths.is_empty());
    record["maturity"] = if is_modelled { "synthetic-only" } else { "production" }.into();
    record
}

/// Returns a query that returns all records on one page.
fn everything() -> InventoryQuery {
    InventoryQuery { take: 10_000, ..InventoryQuery::default() }
}

/// Returns the IDs of a query's results, without the service.
fn ids_of(query: &InventoryQuery) -> Vec<u64> {
    let found = inventory().search(query).spots.into_iter();
    found.map(|spot| inventory().id(spot).raw().into()).collect()
}

/// Returns the value at a dotted path in a record, or null if there is none. Numbers select list items.
fn at<'a>(record: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(record, |value, name| match name.parse::<usize>() {
        Ok(item) => &value[item],
        Err(_) => &value[name],
    })
}

fn id(record: &Value) -> u64 {
    record["spot_id"].as_u64().expect("an ID")
}

fn call<'a>(world: &'a World, org: &TestOrg, body: &Value) -> Call<'a> {
    world.post(SEARCH).header("apikey", &org.key).json(body)
}

/// Advances the clock to stay within the key's rate limit, then sends a search.
async fn ask(world: &World, org: &TestOrg, body: &Value) -> Answer {
    world.clock.advance(PACE_MILLIS);
    call(world, org, body).send().await
}

async fn search(world: &World, org: &TestOrg, body: &Value) -> Value {
    let answer = ask(world, org, body).await;
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    let found = answer.json();
    assert_eq!(found["status"], "success");
    found
}

/// Sends a search and returns the IDs of all matching spots in result order.
async fn found_by(world: &World, org: &TestOrg, filter: &Value) -> Vec<u64> {
    let body = json!({ "filter": filter, "fieldSet": ["id"], "pagination": { "page_size": 10_000 } });
    let found = search(world, org, &body).await;
    let ids = ids(&found);
    assert_eq!(total(&found), ids.len(), "{filter}");
    ids
}

fn results(found: &Value) -> &[Value] {
    found["results"].as_array().expect("a list")
}

fn ids(found: &Value) -> Vec<u64> {
    results(found).iter().map(id).collect()
}

fn total(found: &Value) -> usize {
    found["total"].as_u64().and_then(|total| total.try_into().ok()).expect("a count")
}

fn router_of(world: &World, release: &Folder) -> Router {
    let release = inventory::Release::open(release).expect("the release opens");
    inventory::router(&world.app, Arc::new(release))
}

/// Builds a release with the sample's records and the given ones, in a folder with the given name.
fn release_with(records: &[Value], name: &str) -> Folder {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("created");
    let lines: Vec<String> = records.iter().map(Value::to_string).collect();
    std::fs::write(folder.join("records.jsonl"), lines.join("\n")).expect("written");
    let list = "label = \"test\"\n[sample]\nplaces = true\ndisplays = true\n[[displays]]\nunmeasured = \"keep\"\n\
                source = \"Example Outdoor\"\nvintage = 2026-06-30\nfiles = [\"records.jsonl\"]\n";
    std::fs::write(folder.join("release.toml"), list).expect("written");
    build_release(&folder.join("release.toml"), &folder.join("releases"))
}

fn record(id: u64, more: Value) -> Value {
    let mut record = json!({
        "spot_id": id,
        "location": { "geometry": { "type": "Point", "coordinates": [2.35, 48.85] } },
    });
    record.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    record
}

/// Asserts that a response is a 400 with exactly the given causes, in order. Each cause consists of a type
/// and part of the reason.
#[track_caller]
fn assert_refused(answer: &Answer, expected: &[(&str, &str)], context: &str) {
    assert_eq!(answer.status, 400, "{context}: {}", answer.text());
    let body = answer.json();
    assert_eq!(body["status"], 400, "{context}");
    let error = &body["error"];
    let causes = error["root_cause"].as_array().expect("the error lists its causes");
    assert_eq!(causes.len(), expected.len(), "{context}: {causes:?}");
    for (cause, (kind, words)) in causes.iter().zip(expected) {
        assert_eq!(cause["type"], *kind, "{context}: {cause}");
        let reason = cause["reason"].as_str().expect("a string");
        assert!(reason.contains(words), "{context}: {reason:?} doesn't contain {words:?}");
    }
    assert_eq!(error["type"], "invalid_request", "{context}");
    assert_eq!(error["caused_by"], causes[0], "{context}");
    let first = causes[0]["reason"].as_str().expect("a string");
    assert!(error["reason"].as_str().is_some_and(|reason| reason.contains(first)), "{context}: {error}");
}

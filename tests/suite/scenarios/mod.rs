//! Tests of the campaign and event libraries, by operation.

mod batches;
mod client_links;
mod create;
mod delete;
mod echoes;
mod edit;
mod fields;
mod filters;
mod idempotency;
mod interleavings;
mod large;
mod list;
mod preconditions;
mod properties;
mod puts;
mod read;
mod summary;
mod validation;
mod warnings;

pub(crate) use preconditions::meanwhile;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{Answer, Contract, TestOrg, World, paid, samples};
use serde_json::Value;
use store::Family;

const FAMILIES: [Family; 2] = [Family::Campaign, Family::Event];

/// Returns a copy of a body with a new value at a JSON pointer, or without this value if it is `None`.
pub(crate) fn changed(body: &Value, pointer: &str, value: Option<Value>) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer below the root");
    match (body.pointer_mut(parent).expect("a parent"), value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name.to_owned(), value)),
        (Value::Object(members), None) => drop(members.remove(name)),
        (Value::Array(items), value) => {
            let index: usize = name.parse().expect("an index");
            items.splice(index..=index, value);
        }
        _ => panic!("nothing below {pointer}"),
    }
    body
}

/// Splits an asset into the members that the service adds, and the body from the request.
fn split(asset: &Value) -> (Value, Value) {
    let mut body = asset.clone();
    let members = body.as_object_mut().expect("an asset");
    let own = ["asset_id", "org_id", "state", "version", "last_measured_at", "created_at", "updated_at"];
    let own: Value =
        own.map(|name| (name.to_owned(), members.remove(name).unwrap_or_default())).into_iter().collect();
    (own, body)
}

async fn create(world: &World, org: &TestOrg, family: Family, body: &Value) -> Answer {
    world.post(samples::library(family)).key(&org.key).json(body).send().await
}

async fn read(world: &World, org: &TestOrg, path: &str) -> Answer {
    world.get(path).key(&org.key).send().await
}

async fn list(world: &World, org: &TestOrg, family: Family, query: &str) -> Answer {
    let answer = world.get(&format!("{}{query}", samples::library(family))).key(&org.key).send().await;
    if answer.status == 200 && !query.contains("fields=") {
        let schema = match family {
            Family::Campaign => "CampaignAsset",
            Family::Event => "EventAsset",
        };
        for asset in answer.data().as_array().expect("a page") {
            assert!(Contract::get().accepts(schema, asset), "{query}: {asset} must be a valid {schema}");
        }
    }
    answer
}

async fn summary(world: &World, org: &TestOrg, family: Family) -> Value {
    world.get(&format!("{}/summary", samples::library(family))).key(&org.key).send().await.data()
}

/// Checks the price and the rate limit headers in the response to an organization's call.
fn assert_metered(answer: &Answer, context: &str) {
    assert_eq!(answer.credits_used(), paid(), "{context}");
    assert!(answer.number("x-credits-remaining") >= 0, "{context}");
    let (limit, remaining) = (answer.number("x-ratelimit-limit"), answer.number("x-ratelimit-remaining"));
    assert_eq!(limit, 1_000, "{context}");
    assert!((0..limit).contains(&remaining), "{context}");
    // The world's clock starts at 2026-11-20T09:00:30Z, so the current minute ends 30 seconds later.
    assert_eq!(answer.number("x-ratelimit-reset"), 1_795_165_260, "{context}");
    assert_eq!(answer.header("ratelimit-policy"), "\"minute\";q=1000;w=60", "{context}");
    assert_eq!(answer.header("ratelimit"), format!("\"minute\";r={remaining};t=30"), "{context}");
    assert_eq!(answer.header("x-request-id").len(), 36, "{context}");
}

/// Returns the sort keys of all items in an organization's library, read from the table.
async fn stored_keys(world: &World, org: &TestOrg, family: Family) -> Vec<String> {
    let library = format!("{family}#{}", org.id);
    let mut items = world.stored("assets").await;
    items.retain(|item| item["pk"].as_s().is_ok_and(|pk| pk.starts_with(&library)));
    items.iter().filter_map(|item| item["sk"].as_s().ok().cloned()).collect()
}

/// Makes an asset's stored body unreadable.
async fn corrupt(world: &World, org: &TestOrg, family: Family, path: &str) {
    let id = path.rsplit('/').next().expect("an ID");
    let update = world
        .engine()
        .update_item()
        .table_name("marquee-assets")
        .key("pk", AttributeValue::S(format!("{family}#{}", org.id)))
        .key("sk", AttributeValue::S(format!("asset#{id}")))
        .update_expression("SET body = :nonsense")
        .expression_attribute_values(":nonsense", AttributeValue::B(Blob::new("nonsense")));
    update.send().await.expect("a response");
}

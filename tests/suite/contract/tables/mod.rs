//! Responses as files: CSV for tables and GeoJSON for search results.

mod accept;
mod columns;
mod formulas;
mod map;
mod pages;
mod provenance;
mod read_back;
mod sizes;

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use accounting::Product;
use axum::body::Body;
use axum::extract::State;
use gateway::{Reply, Routes, Table, Terms};
use harness::{Answer, Call, OPERATIONS, Operation, TestOrg, World, operation, samples, served_by};
use http::Request;
use serde_json::{Value, json};
use store::Family;
use tower::ServiceExt;

const JSON: &str = "application/json";
const CSV: &str = "text/csv";
const GEO_JSON: &str = "application/geo+json";

/// In milliseconds. A key's limit on inventory searches resets every minute.
const A_MINUTE: i64 = 60_000;

/// A call of an operation that returns a table.
struct TableCall {
    operation: &'static Operation,
    query: &'static str,
    body: Option<Value>,
}

impl TableCall {
    fn get(name: &str, query: &'static str) -> Self {
        Self { operation: operation(name), query, body: None }
    }

    fn post(name: &str, body: Value) -> Self {
        Self { operation: operation(name), query: "", body: Some(body) }
    }

    async fn answer(&self, world: &World, org: &TestOrg, accept: &str) -> Answer {
        self.call(world, org, accept).send().await
    }

    fn call<'a>(&self, world: &'a World, org: &TestOrg, accept: &str) -> Call<'a> {
        let path = format!("{}{}", self.operation.path, self.query);
        let call = world.call(self.operation.method.clone(), &path).header("accept", accept);
        let call = call.header(self.operation.key_header(), &org.key);
        match &self.body {
            Some(body) => call.json(body),
            None => call,
        }
    }

    /// Returns the table that the operation's route can export.
    fn table(&self, world: &World) -> &'static Table {
        table_of(world, self.operation).unwrap_or_else(|| panic!("{} has no table", self.operation.name()))
    }
}

/// Returns every operation that returns a table, with its table.
fn tables(world: &World) -> Vec<(&'static Operation, &'static Table)> {
    OPERATIONS.iter().filter_map(|operation| Some((operation, table_of(world, operation)?))).collect()
}

fn table_of(world: &World, operation: &Operation) -> Option<&'static Table> {
    let served = served_by(&world.app, operation.function);
    let is_it = |one: &&gateway::Operation| one.method == operation.method && one.path == operation.path;
    served.iter().find(is_it).and_then(|one| one.terms.table)
}

/// Creates the assets that lists return, and returns a call with a nonempty result for each operation that
/// returns a table.
async fn calls(world: &World, org: &TestOrg) -> Vec<TableCall> {
    for family in [Family::Campaign, Family::Event] {
        world.draft(org, family).await;
    }
    let segment = samples::segment("hispanic");
    let near = json!({ "geo_distance": { "lat": 40.758, "lon": -73.9855, "distance": "1km" } });
    vec![
        TableCall::get("GET /v2/scenarios/campaigns", ""),
        TableCall::get("GET /v2/scenarios/events", ""),
        TableCall::get("GET /v2/markets", "?geography_type=STATE&sort=population&direction=desc"),
        TableCall::post("POST /v2/msearch", json!({ "filter": near, "pagination": { "page_size": 20 } })),
        TableCall::post("POST /msearch", json!({ "filter": { "state": "AK" } })),
        TableCall::post("POST /msearch/inventory", json!({ "filter": near })),
        TableCall::post(
            "POST /v2/measures/population/at_home",
            json!({ "service_segment_id": segment, "geography_type": ["DMA"] }),
        ),
        TableCall::post("POST /v2/measures/campaigns/estimate", samples::estimated_campaign()),
        TableCall::post("POST /v2/measures/events/estimate", samples::estimated_event()),
        TableCall::get("GET /v2/billing/usage", ""),
    ]
}

/// Returns the value at a dotted path, or null if there is none.
fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, name| &value[name])
}

fn rows_of<'a>(answer: &'a Value, table: &Table) -> &'a [Value] {
    at(answer, table.rows).as_array().expect("a list")
}

/// Parses CSV with Python's `csv` module and returns the fields of each line.
fn read_csv(csv: &[u8]) -> Vec<Vec<String>> {
    read_delimited(csv, ",")
}

/// Parses CSV with the given delimiter. Malformed CSV is an error only if the delimiter is a comma.
fn read_delimited(csv: &[u8], delimiter: &str) -> Vec<Vec<String>> {
    const SCRIPT: &str = "
import csv, io, json, sys
csv.field_size_limit(sys.maxsize)
text = sys.stdin.buffer.read().decode('utf-8')
lines = csv.reader(io.StringIO(text, newline=''), delimiter=sys.argv[1], strict=sys.argv[1] == ',')
json.dump(list(lines), sys.stdout)
";
    let mut python = Command::new("python3");
    python.args(["-c", SCRIPT, delimiter]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut reading = python.spawn().expect("python3 runs");
    reading.stdin.take().expect("standard input is piped").write_all(csv).expect("python3 reads its input");
    let output = reading.wait_with_output().expect("python3 exits");
    assert!(output.status.success(), "python3 cannot parse the CSV");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Asserts that a CSV field represents a JSON value. A string's field may have extra apostrophes where a
/// formula could start, and must start with one if the string looks like a formula.
#[track_caller]
fn assert_field(field: &str, value: &Value, context: &str) {
    match value {
        Value::Null => assert_eq!(field, "", "{context}"),
        Value::String(text) => {
            let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!is_formula || field.starts_with('\''), "{context}");
            assert_eq!(field.replace('\'', ""), text.replace('\'', ""), "{context}");
        }
        Value::Bool(_) | Value::Number(_) => assert_eq!(field, value.to_string(), "{context}"),
        Value::Array(_) | Value::Object(_) => {
            let read: Value =
                serde_json::from_str(field).unwrap_or_else(|error| panic!("{context}: {error}"));
            assert_eq!(&read, value, "{context}");
        }
    }
}

/// Returns the response of a route that returns `answer` and can export the given table.
async fn answer_of(world: &World, table: &'static Table, answer: Value, accept: &str) -> Answer {
    async fn answered(State(answer): State<Arc<Value>>) -> Reply<Value> {
        Reply::flat((*answer).clone())
    }
    // This product is free.
    let terms = Terms::of(Product::Health).with_table(table);
    let router = Routes::new(&world.app).get("/rows", terms, answered).into_router(Arc::new(answer));
    let request = Request::get("/rows").header("accept", accept).body(Body::empty()).expect("valid request");
    Answer::read(router.oneshot(request).await.expect("infallible")).await
}

//! While the test suite runs, records the IAM permissions that each function's DynamoDB requests need.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::future::Future;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use axum::Router;
use axum::middleware::{self, Next};
use marquee::engine::TABLE_PREFIX;
use marquee::serve::Gateway;
use serde_json::{Value, json};

use crate::binary_of;

/// The environment variable with the folder for recorded accesses. Each test process writes its own file.
const FOLDER: &str = "RECORDED_CALLS";

tokio::task_local! {
    /// The binary of the running function, or an empty string for code outside the functions.
    static FUNCTION: &'static str;
}

/// One action on one item or partition, as IAM checks it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    pub action: String,
    /// The table's name without its prefix.
    pub table: String,
    pub index: Option<String>,
    /// The value of the partition key. IAM policies call it the leading key.
    pub partition: String,
}

impl Access {
    /// Returns the accesses that IAM checks for an operation: one for each write or condition check in a
    /// transaction, and one for each key in a batch read.
    pub fn of(operation: &str, body: &Value) -> Vec<Self> {
        match operation {
            "TransactWriteItems" => {
                let parts = body["TransactItems"].as_array().expect("writes").iter();
                let writes = parts.flat_map(|part| part.as_object().expect("one write"));
                writes.map(|(kind, request)| Self::of_write(kind, request)).collect()
            }
            "BatchGetItem" => {
                let tables = body["RequestItems"].as_object().expect("tables").iter();
                let keys = tables.flat_map(|(table, wanted)| {
                    wanted["Keys"].as_array().expect("keys").iter().map(move |key| (table, key))
                });
                keys.map(|(table, key)| {
                    Self::new("BatchGetItem", &json!({ "TableName": table }), &key["pk"]["S"])
                })
                .collect()
            }
            "Query" => {
                let condition = body["KeyConditionExpression"].as_str().expect("a condition");
                let name = condition.split_whitespace().nth(2).expect("`pk = :value`");
                vec![Self::new("Query", body, &body["ExpressionAttributeValues"][name]["S"])]
            }
            action @ ("GetItem" | "PutItem" | "UpdateItem" | "DeleteItem") => vec![Self::keyed(action, body)],
            other => panic!("functions must not call {other}"),
        }
    }

    fn of_write(kind: &str, request: &Value) -> Self {
        let action = if kind == "ConditionCheck" { "ConditionCheckItem" } else { &format!("{kind}Item") };
        Self::keyed(action, request)
    }

    fn keyed(action: &str, request: &Value) -> Self {
        let key = if action == "PutItem" { "Item" } else { "Key" };
        Self::new(action, request, &request[key]["pk"]["S"])
    }

    fn new(action: &str, request: &Value, partition: &Value) -> Self {
        let table = request["TableName"].as_str().expect("a table");
        Self {
            action: format!("dynamodb:{action}"),
            table: table.strip_prefix(TABLE_PREFIX).expect("the prefix of the tables").to_owned(),
            index: request["IndexName"].as_str().map(str::to_owned),
            partition: partition.as_str().expect("a partition").to_owned(),
        }
    }

    /// Returns the partition key up to its first `#`, such as `org#` for `org#org_a`, or the whole key if it
    /// has no `#`.
    fn kind_of_partition(&self) -> &str {
        self.partition.find('#').map_or(&self.partition, |sign| &self.partition[..=sign])
    }
}

/// Combines all functions into one router that attributes each database request to the function that sent it.
pub(crate) fn marked(gateway: Gateway) -> Router {
    let mark = |function, router: Router| {
        let binary = binary_of(function);
        router.layer(middleware::from_fn(move |request, next: Next| as_function(binary, next.run(request))))
    };
    gateway.wrap(mark).into_router()
}

/// Runs a future and attributes its database requests to the given function.
pub async fn as_function<F: Future>(binary: &'static str, work: F) -> F::Output {
    FUNCTION.scope(binary, work).await
}

/// Runs a future without attributing its database requests to any function, even if a function awaits it.
pub(crate) async fn outside_functions<F: Future>(work: F) -> F::Output {
    FUNCTION.scope("", work).await
}

/// Records a function's database request if the `RECORDED_CALLS` environment variable is set.
pub(crate) fn note(operation: &str, body: &Value) {
    let binary = FUNCTION.try_with(|binary| *binary).unwrap_or_default();
    if !binary.is_empty() && folder().is_some() {
        Access::of(operation, body).iter().for_each(|access| note_access(binary, access));
    }
}

/// Appends an access to the process's file, unless the file already contains the same function's action on
/// the same table, index, and kind of partition.
fn note_access(binary: &str, access: &Access) {
    static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let Some(folder) = folder() else { return };
    let Access { action, table, index, partition } = access;
    let index = index.as_deref().unwrap_or_default();
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.insert(format!("{binary} {action} {table} {index} {}", access.kind_of_partition())) {
        let line = json!({
            "function": binary, "action": action, "table": table, "index": index, "partition": partition,
        });
        let path = folder.join(format!("{}.jsonl", std::process::id()));
        let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file");
        writeln!(file, "{line}").expect("a line");
    }
}

fn folder() -> Option<&'static PathBuf> {
    static NAMED: OnceLock<Option<PathBuf>> = OnceLock::new();
    let named = || {
        let folder = PathBuf::from(std::env::var_os(FOLDER)?);
        std::fs::create_dir_all(&folder).expect("a folder");
        Some(folder)
    };
    NAMED.get_or_init(named).as_ref()
}

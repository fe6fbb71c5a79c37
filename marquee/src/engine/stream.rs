//! Reports writes to the embedded database, like DynamoDB streams.
//!
//! The database's own streams aren't used, because it never deletes their records. See
//! `docs/decisions/0070-changes-and-webhooks.md`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use dynoxide::{Database, DynoxideError};
use runtime::Clock;
use serde_json::{Value, json};
use store::STREAM_SORT_KEY_PREFIXES;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::operations::run;

/// An in-memory queue with one record for each write, in the order of the writes.
#[derive(Debug)]
pub struct Records(UnboundedReceiver<Value>);

/// Runs operations and sends a record for each write that would be in a stream in the cloud. Sends nothing
/// until [`Stream::records`] is called.
#[derive(Debug)]
pub(super) struct Stream {
    /// Locked during each recorded write, so that no other write can change the item while its images before
    /// and after the write are read.
    sending: Mutex<Sending>,
    clock: Clock,
    /// The table names, each with the prefixes of the sort keys whose writes are recorded.
    streamed: [(String, &'static [&'static str]); 3],
}

#[derive(Debug, Default)]
struct Sending {
    /// The number of the last record.
    last: i64,
    /// The sender for the current reader. `None` if there isn't one.
    records: Option<UnboundedSender<Value>>,
}

/// A table and the key of an item in it.
type ItemKey = (String, Value);

impl Records {
    /// Takes all records that are currently available, as the event that Lambda would receive. Returns `None`
    /// if there are none.
    pub fn take(&mut self) -> Option<Value> {
        let records: Vec<_> = std::iter::from_fn(|| self.0.try_recv().ok()).collect();
        (!records.is_empty()).then(|| json!({ "Records": records }))
    }

    /// Waits for at least one record and returns all available ones like [`Records::take`]. Returns `None`
    /// if the engine has stopped, or if `Stream::records` was called again.
    pub async fn next(&mut self) -> Option<Value> {
        let first = self.0.recv().await?;
        let mut records = vec![first];
        records.extend(std::iter::from_fn(|| self.0.try_recv().ok()));
        Some(json!({ "Records": records }))
    }
}

impl Stream {
    /// Creates a stream for the tables with the given prefix.
    pub(super) fn new(table_prefix: &str, clock: Clock) -> Self {
        let mut streamed = store::table_names(table_prefix).into_iter().zip(STREAM_SORT_KEY_PREFIXES);
        let streamed = std::array::from_fn(|_| streamed.next().expect("three tables"));
        Self { sending: Mutex::default(), clock, streamed }
    }

    /// Returns a queue that receives a record of each write from now on. Each call closes the queue that the
    /// previous call returned.
    pub(super) fn records(&self) -> Records {
        let (sender, records) = unbounded_channel();
        self.sending().records = Some(sender);
        Records(records)
    }

    /// Runs an operation and sends a record for each item that it changes.
    pub(super) fn run(
        &self,
        database: &Database,
        operation: &str,
        body: &[u8],
    ) -> Result<Vec<u8>, DynoxideError> {
        let written = self.written_keys(operation, body);
        if written.is_empty() {
            return run(database, operation, body);
        }
        let mut sending = self.sending();
        let Some(records) = sending.records.clone() else { return run(database, operation, body) };
        let before: Vec<_> = written.iter().map(|written| image(database, written)).collect();
        let answer = run(database, operation, body)?;
        for (written, before) in written.iter().zip(before) {
            let after = image(database, written);
            if before != after {
                sending.last = (sending.last + 1).max(self.clock.now().unix_millis() * 1_000_000);
                // Ignore errors, because the reader may have stopped.
                let _ = records.send(self.record(&written.1, before, after, sending.last));
            }
        }
        Ok(answer)
    }

    fn sending(&self) -> MutexGuard<'_, Sending> {
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, item_key: &Value, before: Option<Value>, after: Option<Value>, number: i64) -> Value {
        let mut images = json!({
            "Keys": item_key,
            "ApproximateCreationDateTime": self.clock.now().unix_millis() as f64 / 1000.0,
        });
        for (name, image) in [("OldImage", before), ("NewImage", after)] {
            if let Some(image) = image {
                images[name] = image;
            }
        }
        json!({ "eventID": format!("local-{number}"), "dynamodb": images })
    }

    /// Returns the keys of the items that an operation writes, if their writes are recorded.
    fn written_keys(&self, operation: &str, body: &[u8]) -> Vec<ItemKey> {
        let is_write = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"].contains(&operation);
        let request: Value = match is_write.then(|| serde_json::from_slice(body)) {
            Some(Ok(request)) => request,
            // The operation rejects a malformed body itself.
            Some(Err(_)) | None => return Vec::new(),
        };
        let writes: Vec<&Value> = match request["TransactItems"].as_array() {
            Some(items) => items.iter().filter_map(|item| item.as_object()?.values().next()).collect(),
            None => vec![&request],
        };
        writes.into_iter().filter_map(|write| self.recorded_key(write)).collect()
    }

    fn recorded_key(&self, write: &Value) -> Option<ItemKey> {
        let table = write["TableName"].as_str()?;
        let (_, prefixes) = self.streamed.iter().find(|(name, _)| name == table)?;
        let item = write.get("Key").or_else(|| write.get("Item"))?;
        let sort_key = item["sk"]["S"].as_str()?;
        prefixes
            .iter()
            .any(|prefix| sort_key.starts_with(prefix))
            .then(|| (table.to_owned(), json!({ "pk": item["pk"], "sk": item["sk"] })))
    }
}

/// Reads an item. Returns `None` if it doesn't exist or can't be read.
fn image(database: &Database, (table, item_key): &ItemKey) -> Option<Value> {
    let request = json!({ "TableName": table, "Key": item_key, "ConsistentRead": true });
    let answer = run(database, "GetItem", request.to_string().as_bytes()).ok()?;
    serde_json::from_slice::<Value>(&answer).ok()?.get("Item").cloned()
}

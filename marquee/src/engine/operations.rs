//! Maps DynamoDB operations to the engine's methods.

use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Runs an operation such as `GetItem` and returns its response as JSON. Supports only the operations that
/// the service, its tests, and tools for inspecting tables use.
pub(super) fn run(database: &Database, operation: &str, body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
    match operation {
        "CreateTable" => call(body, |request| database.create_table(request)),
        "DeleteTable" => call(body, |request| database.delete_table(request)),
        "DescribeTable" => call(body, |request| database.describe_table(request)),
        "UpdateTable" => call(body, |request| database.update_table(request)),
        "ListTables" => call(body, |request| database.list_tables(request)),
        "GetItem" => call(body, |request| database.get_item(request)),
        "PutItem" => call(body, |request| database.put_item(request)),
        "UpdateItem" => call(body, |request| database.update_item(request)),
        "DeleteItem" => call(body, |request| database.delete_item(request)),
        "Query" => call(body, |request| database.query(request)),
        "Scan" => call(body, |request| database.scan(request)),
        "BatchGetItem" => call(body, |request| database.batch_get_item(request)),
        "BatchWriteItem" => call(body, |request| database.batch_write_item(request)),
        "TransactGetItems" => call(body, |request| database.transact_get_items(request)),
        "TransactWriteItems" => call(body, |request| database.transact_write_items(request)),
        _ => Err(DynoxideError::ValidationException("the engine does not support this operation".to_owned())),
    }
}

fn call<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    method: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Result<Vec<u8>, DynoxideError> {
    let request = serde_json::from_slice(body);
    let request = request.map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
    let answer = method(request)?;
    serde_json::to_vec(&answer).map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

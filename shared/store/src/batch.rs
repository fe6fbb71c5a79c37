//! Items of one table, read together by their keys.

use std::time::Duration;

use aws_sdk_dynamodb::types::KeysAndAttributes;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::Item;

/// How often a batch of items is asked for without getting any of them.
const MAX_FRUITLESS: usize = 20;

/// Reads at most 100 items by their keys, in any order, however many calls the database cuts the answer into.
/// What is not there is left out.
///
/// # Errors
///
/// When the database does not answer.
pub(super) async fn batch_get(
    dynamo: &Dynamo,
    table: &str,
    item_keys: Vec<Item>,
) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::with_capacity(item_keys.len());
    let mut pending = item_keys;
    let mut fruitless = 0;
    while !pending.is_empty() {
        let asked = pending.len();
        let wanted = KeysAndAttributes::builder().set_keys(Some(pending)).consistent_read(true).build();
        let wanted = wanted.expect("keys are set");
        let output = dynamo.client.batch_get_item().request_items(table, wanted).send().await?;
        items.extend(output.responses.unwrap_or_default().into_values().flatten());
        let left = output.unprocessed_keys.unwrap_or_default();
        pending = left.into_values().flat_map(|keys| keys.keys).collect();
        // A large answer comes in parts; one that does not shrink is throttled.
        if pending.len() == asked {
            fruitless += 1;
            if fruitless == MAX_FRUITLESS {
                return Err(StoreError::Unavailable("the items are throttled".to_owned()));
            }
            tokio::time::sleep(Duration::from_millis(dynamo.random.below(20))).await;
        }
    }
    Ok(items)
}

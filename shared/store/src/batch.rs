//! Reads batches of items by key.

use std::time::Duration;

use aws_sdk_dynamodb::types::KeysAndAttributes;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::Item;

/// The number of calls without results after which a batch read fails.
const MAX_EMPTY_CALLS: usize = 20;

/// The maximum number of items per call.
const MAX_KEYS_PER_CALL: usize = 100;

/// Reads items by key, in several calls if necessary. The items are returned in no particular order. Items
/// that don't exist are omitted.
pub(super) async fn batch_get(
    dynamo: &Dynamo,
    table: &str,
    mut item_keys: Vec<Item>,
) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::with_capacity(item_keys.len());
    let mut empty_calls = 0;
    while !item_keys.is_empty() {
        let asked = item_keys.split_off(item_keys.len().saturating_sub(MAX_KEYS_PER_CALL));
        let count = asked.len();
        let wanted = KeysAndAttributes::builder().set_keys(Some(asked)).consistent_read(true).build();
        let wanted = wanted.expect("the keys are set");
        let output = dynamo.client.batch_get_item().request_items(table, wanted).send().await?;
        items.extend(output.responses.unwrap_or_default().into_values().flatten());
        let unread = output.unprocessed_keys.unwrap_or_default().into_values().flat_map(|keys| keys.keys);
        let unread: Vec<_> = unread.collect();
        // A large response is split across several calls. If a call returns no item at all, the table is
        // throttled.
        if unread.len() == count {
            empty_calls += 1;
            if empty_calls == MAX_EMPTY_CALLS {
                return Err(StoreError::Unavailable("the reads are throttled".to_owned()));
            }
            tokio::time::sleep(Duration::from_millis(dynamo.random.below(20))).await;
        }
        item_keys.extend(unread);
    }
    Ok(items)
}

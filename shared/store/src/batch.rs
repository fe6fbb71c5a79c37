//! Items of one table, read together by their keys.

use std::time::Duration;

use aws_sdk_dynamodb::types::KeysAndAttributes;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::Item;

/// How often a batch of items is asked for without getting any of them.
const MAX_FRUITLESS: usize = 20;

/// How many items are read with one call.
const MOST_AT_ONCE: usize = 100;

/// Reads items by their keys, in any order, however many calls the database cuts the answer into. What is not
/// there is left out.
///
/// # Errors
///
/// When the database does not answer.
pub(super) async fn batch_get(
    dynamo: &Dynamo,
    table: &str,
    mut item_keys: Vec<Item>,
) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::with_capacity(item_keys.len());
    let mut fruitless = 0;
    while !item_keys.is_empty() {
        let asked = item_keys.split_off(item_keys.len().saturating_sub(MOST_AT_ONCE));
        let count = asked.len();
        let wanted = KeysAndAttributes::builder().set_keys(Some(asked)).consistent_read(true).build();
        let wanted = wanted.expect("keys are set");
        let output = dynamo.client.batch_get_item().request_items(table, wanted).send().await?;
        items.extend(output.responses.unwrap_or_default().into_values().flatten());
        let unread = output.unprocessed_keys.unwrap_or_default().into_values().flat_map(|keys| keys.keys);
        let unread: Vec<_> = unread.collect();
        // A large answer comes in parts; one that does not shrink is throttled.
        if unread.len() == count {
            fruitless += 1;
            if fruitless == MAX_FRUITLESS {
                return Err(StoreError::Unavailable("the items are throttled".to_owned()));
            }
            tokio::time::sleep(Duration::from_millis(dynamo.random.below(20))).await;
        }
        item_keys.extend(unread);
    }
    Ok(items)
}

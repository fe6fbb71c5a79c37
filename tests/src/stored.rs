//! Items as stored in a table, and their size by DynamoDB's rules.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use marquee::engine::TABLE_PREFIX;

use crate::World;

pub type StoredItem = HashMap<String, AttributeValue>;

impl World {
    /// Reads every item in a table, such as `credentials`, directly from the engine.
    pub async fn stored(&self, table: &str) -> Vec<StoredItem> {
        let scan = self.engine().scan().table_name(format!("{TABLE_PREFIX}{table}"));
        scan.into_paginator().items().send().collect::<Result<_, _>>().await.expect("a response")
    }
}

/// Returns an item's size in bytes, which DynamoDB uses for limits and prices.
pub fn size_of(item: &StoredItem) -> usize {
    item.iter().map(|(name, value)| name.len() + size_of_value(value)).sum()
}

fn size_of_value(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(digits) => size_of_number(digits),
        AttributeValue::B(bytes) => bytes.as_ref().len(),
        AttributeValue::Bool(_) | AttributeValue::Null(_) => 1,
        // A map or a list takes three bytes, plus one byte per member.
        AttributeValue::M(entries) => {
            3 + entries.iter().map(|(name, value)| 1 + name.len() + size_of_value(value)).sum::<usize>()
        }
        AttributeValue::L(values) => 3 + values.iter().map(|value| 1 + size_of_value(value)).sum::<usize>(),
        other => panic!("unexpected type: {other:?}"),
    }
}

/// Returns a number's size in bytes: one byte for every two significant digits, one more byte, and one byte
/// for a minus sign.
fn size_of_number(digits: &str) -> usize {
    let significant = digits.trim_start_matches('-').trim_matches('0').len();
    significant.div_ceil(2) + 1 + usize::from(digits.starts_with('-'))
}

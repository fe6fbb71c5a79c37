//! Reads single items and queries a partition by sort key prefix or range.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;

use super::error::StoreError;
use super::item::{Item, Stored, text};

/// Reads an item with strong consistency.
pub(super) async fn get(client: &Client, table: &str, item_key: Item) -> Result<Option<Item>, StoreError> {
    let get = client.get_item().table_name(table).set_key(Some(item_key)).consistent_read(true);
    Ok(get.send().await?.item)
}

/// Reads an item with strong consistency and decodes it.
pub(super) async fn read<T: Stored>(
    client: &Client,
    table: &str,
    item_key: Item,
) -> Result<Option<T>, StoreError> {
    get(client, table, item_key).await?.as_ref().map(T::load).transpose()
}

/// Starts a consistent query for the items in a partition whose sort keys start with `prefix`.
pub(super) fn query(client: &Client, table: &str, partition: &str, prefix: &str) -> QueryFluentBuilder {
    of_partition(client, table, partition)
        .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
        .expression_attribute_values(":prefix", text(prefix))
}

/// Reads all items in a partition whose sort keys start with `prefix`, in sort key order, in several calls if
/// necessary.
pub(super) async fn query_all(
    client: &Client,
    table: &str,
    partition: &str,
    prefix: &str,
) -> Result<Vec<Item>, StoreError> {
    all(query(client, table, partition, prefix)).await
}

/// Reads all items in a partition whose sort keys are between the two keys in `range`, inclusive.
pub(super) async fn query_between(
    client: &Client,
    table: &str,
    partition: &str,
    range: [&str; 2],
) -> Result<Vec<Item>, StoreError> {
    all(between(client, table, partition, range)).await
}

/// Starts a consistent query for the items in a partition whose sort keys are between two keys, inclusive.
pub(super) fn between(
    client: &Client,
    table: &str,
    partition: &str,
    [first, last]: [impl Into<String>; 2],
) -> QueryFluentBuilder {
    of_partition(client, table, partition)
        .key_condition_expression("pk = :pk AND sk BETWEEN :first AND :last")
        .expression_attribute_values(":first", text(first))
        .expression_attribute_values(":last", text(last))
}

/// Starts a consistent query for the items in a partition whose sort keys are before `end`.
pub(super) fn query_before(client: &Client, table: &str, partition: &str, end: &str) -> QueryFluentBuilder {
    of_partition(client, table, partition)
        .key_condition_expression("pk = :pk AND sk < :end")
        .expression_attribute_values(":end", text(end))
}

/// Reads up to `limit` of a query's items, starting after a key, and returns whether there are more. To
/// determine this, one extra item is requested.
pub(super) async fn page(
    query: QueryFluentBuilder,
    after: Option<Item>,
    limit: usize,
) -> Result<(Vec<Item>, bool), StoreError> {
    let one_more = i32::try_from(limit + 1).unwrap_or(i32::MAX);
    let mut found = query.limit(one_more).set_exclusive_start_key(after).into_paginator().items().send();
    let mut items = Vec::new();
    while let Some(item) = found.next().await {
        if items.len() == limit {
            return Ok((items, true));
        }
        items.push(item?);
    }
    Ok((items, false))
}

/// Starts a consistent query for all items in a partition.
pub(super) fn query_partition(client: &Client, table: &str, partition: &str) -> QueryFluentBuilder {
    of_partition(client, table, partition).key_condition_expression("pk = :pk")
}

fn of_partition(client: &Client, table: &str, partition: &str) -> QueryFluentBuilder {
    client.query().table_name(table).expression_attribute_values(":pk", text(partition)).consistent_read(true)
}

async fn all(query: QueryFluentBuilder) -> Result<Vec<Item>, StoreError> {
    Ok(query.into_paginator().items().send().collect::<Result<_, _>>().await?)
}

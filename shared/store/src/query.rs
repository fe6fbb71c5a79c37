//! Items of one partition, read by the beginning of their sort keys or by a range of them.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;

use super::error::StoreError;
use super::item::{Item, text};

/// Reads an item as it is now.
///
/// # Errors
///
/// When the database does not answer.
pub(super) async fn get(client: &Client, table: &str, item_key: Item) -> Result<Option<Item>, StoreError> {
    let get = client.get_item().table_name(table).set_key(Some(item_key)).consistent_read(true);
    Ok(get.send().await?.item)
}

/// Starts a consistent query of a partition's items whose sort keys begin with a text.
pub(super) fn query(client: &Client, table: &str, partition: &str, prefix: &str) -> QueryFluentBuilder {
    of_partition(client, table, partition)
        .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
        .expression_attribute_values(":prefix", text(prefix))
}

/// Reads all of a partition's items whose sort keys begin with a text, in their order, however many calls the
/// database cuts the answer into.
///
/// # Errors
///
/// When the database does not answer.
pub(super) async fn query_all(
    client: &Client,
    table: &str,
    partition: &str,
    prefix: &str,
) -> Result<Vec<Item>, StoreError> {
    all(query(client, table, partition, prefix)).await
}

/// Reads all of a partition's items whose sort keys are between two texts, which are among them.
///
/// # Errors
///
/// When the database does not answer.
pub(super) async fn query_between(
    client: &Client,
    table: &str,
    partition: &str,
    [first, last]: [&str; 2],
) -> Result<Vec<Item>, StoreError> {
    let query = of_partition(client, table, partition)
        .key_condition_expression("pk = :pk AND sk BETWEEN :first AND :last")
        .expression_attribute_values(":first", text(first))
        .expression_attribute_values(":last", text(last));
    all(query).await
}

/// Reads at most `limit` items of a query from after a key on, and whether there are further ones: it asks for
/// one item more.
///
/// # Errors
///
/// When the database does not answer.
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

/// Starts a consistent query of all of a partition's items.
pub(super) fn query_partition(client: &Client, table: &str, partition: &str) -> QueryFluentBuilder {
    of_partition(client, table, partition).key_condition_expression("pk = :pk")
}

fn of_partition(client: &Client, table: &str, partition: &str) -> QueryFluentBuilder {
    client.query().table_name(table).expression_attribute_values(":pk", text(partition)).consistent_read(true)
}

async fn all(query: QueryFluentBuilder) -> Result<Vec<Item>, StoreError> {
    Ok(query.into_paginator().items().send().collect::<Result<_, _>>().await?)
}

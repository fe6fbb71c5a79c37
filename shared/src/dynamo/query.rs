//! Items of one partition, read by the beginning of their sort keys.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;

use super::error::StoreError;
use super::item::{Item, text};

/// Starts a consistent query of a partition's items whose sort keys begin with a text.
pub(super) fn query(client: &Client, table: &str, partition: &str, prefix: &str) -> QueryFluentBuilder {
    client
        .query()
        .table_name(table)
        .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
        .expression_attribute_values(":pk", text(partition))
        .expression_attribute_values(":prefix", text(prefix))
        .consistent_read(true)
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
    let pages = query(client, table, partition, prefix).into_paginator();
    Ok(pages.items().send().collect::<Result<_, _>>().await?)
}

//! The three tables, and how a local engine gets them.

use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};

use super::client::Dynamo;
use super::error::StoreError;

/// The index of assets by state.
pub(super) const BY_STATE: &str = "by_state";

/// Returns the names of the accounts, credentials and assets tables.
pub fn table_names(prefix: &str) -> [String; 3] {
    ["accounts", "credentials", "assets"].map(|table| format!("{prefix}{table}"))
}

/// Creates the tables in a local engine, each unless it is there; the cloud's come from the template.
///
/// # Errors
///
/// When the engine does not answer.
pub async fn create_tables(dynamo: &Dynamo) -> Result<(), StoreError> {
    let plain = |name: &str| with_key(dynamo.client.create_table().table_name(name), "pk", "sk");
    let by_state = GlobalSecondaryIndex::builder()
        .index_name(BY_STATE)
        .set_key_schema(Some(key_schema(BY_STATE, "sk")))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .expect("name and keys are set");
    let assets = plain(&dynamo.assets)
        .attribute_definitions(text_attribute(BY_STATE))
        .global_secondary_indexes(by_state);
    for table in [plain(&dynamo.accounts), plain(&dynamo.credentials), assets] {
        match table.send().await {
            Ok(_) => {}
            Err(error)
                if error.as_service_error().is_some_and(|error| error.is_resource_in_use_exception()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn with_key(table: CreateTableFluentBuilder, hash: &str, range: &str) -> CreateTableFluentBuilder {
    table
        .billing_mode(BillingMode::PayPerRequest)
        .attribute_definitions(text_attribute(hash))
        .attribute_definitions(text_attribute(range))
        .set_key_schema(Some(key_schema(hash, range)))
}

fn key_schema(hash: &str, range: &str) -> Vec<KeySchemaElement> {
    [(hash, KeyType::Hash), (range, KeyType::Range)]
        .map(|(name, kind)| {
            KeySchemaElement::builder()
                .attribute_name(name)
                .key_type(kind)
                .build()
                .expect("name and kind are set")
        })
        .to_vec()
}

fn text_attribute(name: &str) -> AttributeDefinition {
    AttributeDefinition::builder()
        .attribute_name(name)
        .attribute_type(ScalarAttributeType::S)
        .build()
        .expect("name and type are set")
}

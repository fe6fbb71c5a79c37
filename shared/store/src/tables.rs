//! The names of the three tables and their indexes, and the schema for local engines.

use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};

use super::client::Dynamo;
use super::error::StoreError;

/// The index of assets by state.
pub(super) const BY_STATE: &str = "by_state";

/// The index of all assets, which contains the attributes that lists can be filtered by.
pub(super) const BY_LIBRARY: &str = "by_library";

/// The attribute that contains a scenario's normalized name.
pub(super) const NAME: &str = "name";

/// The attribute that contains the customer's normalized name for a scenario.
pub(super) const CUSTOMER_SCENARIO_NAME: &str = "customer_scenario_name";

/// Returns the names of the accounts, credentials, and assets tables.
pub fn table_names(prefix: &str) -> [String; 3] {
    ["accounts", "credentials", "assets"].map(|table| format!("{prefix}{table}"))
}

/// Creates the missing tables in a local engine. In AWS, the template creates them.
pub async fn create_tables(dynamo: &Dynamo) -> Result<(), StoreError> {
    let plain = |name: &str| with_key(dynamo.client.create_table().table_name(name), "pk", "sk");
    let assets = asset_indexes().into_iter().fold(plain(&dynamo.assets), |table, index| {
        table.attribute_definitions(text_attribute(index.index_name())).global_secondary_indexes(index)
    });
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

/// Returns the indexes of the assets table. Each index is named after its hash key attribute.
fn asset_indexes() -> [GlobalSecondaryIndex; 2] {
    let keys_only = Projection::builder().projection_type(ProjectionType::KeysOnly);
    let filters = [NAME, CUSTOMER_SCENARIO_NAME, "updated", "state"].map(str::to_owned);
    let with_filters = Projection::builder()
        .projection_type(ProjectionType::Include)
        .set_non_key_attributes(Some(filters.into()));
    [(BY_STATE, keys_only), (BY_LIBRARY, with_filters)].map(|(name, projection)| {
        GlobalSecondaryIndex::builder()
            .index_name(name)
            .set_key_schema(Some(key_schema(name, "sk")))
            .projection(projection.build())
            .build()
            .expect("the name and the keys are set")
    })
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
                .expect("the name and the key type are set")
        })
        .to_vec()
}

fn text_attribute(name: &str) -> AttributeDefinition {
    AttributeDefinition::builder()
        .attribute_name(name)
        .attribute_type(ScalarAttributeType::S)
        .build()
        .expect("the name and the type are set")
}

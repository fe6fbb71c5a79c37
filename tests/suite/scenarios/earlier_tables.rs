//! Tables and assets that a version without the filters of lists has left.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};
use harness::{StoredItem, TestOrg, World, samples};
use serde_json::{Value, json};
use shared::dynamo::create_tables;
use shared::types::Family;

use super::{FAMILIES, list, read, stored_keys};

const TABLE: &str = "marquee-assets";

/// Makes the assets table as it was, with what lies in it: without the index of all assets, and without what
/// assets are found by.
async fn turn_back(world: &World) {
    let items = world.stored("assets").await;
    let engine = world.engine();
    engine.delete_table().table_name(TABLE).send().await.expect("the table goes");
    let attribute = |name| {
        let text = AttributeDefinition::builder().attribute_name(name);
        text.attribute_type(ScalarAttributeType::S).build().expect("an attribute")
    };
    let key = |name: &str, kind| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().expect("a key")
    };
    let keys = |hash| vec![key(hash, KeyType::Hash), key("sk", KeyType::Range)];
    let by_state = GlobalSecondaryIndex::builder()
        .index_name("by_state")
        .set_key_schema(Some(keys("by_state")))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .expect("an index");
    let table = engine
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(["pk", "sk", "by_state"].map(attribute).into()))
        .set_key_schema(Some(keys("pk")))
        .global_secondary_indexes(by_state);
    table.send().await.expect("the table is made");
    let is_new = |item: &StoredItem| item["sk"].as_s().is_ok_and(|sk| sk.starts_with("customer#"));
    for mut item in items.into_iter().filter(|item| !is_new(item)) {
        for attribute in ["by_library", "name", "customer_scenario_name", "customer_scenario"] {
            item.remove(attribute);
        }
        let put = engine.put_item().table_name(TABLE).set_item(Some(item));
        put.send().await.expect("the item is put");
    }
}

async fn found(world: &World, org: &TestOrg, family: Family, query: &str) -> Vec<Value> {
    list(world, org, family, query).await.data().as_array().expect("a page").clone()
}

#[tokio::test]
async fn a_local_table_without_the_index_gains_it_and_keeps_its_assets() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for family in FAMILIES {
        world.draft(&org, family).await;
    }
    turn_back(&world).await;
    let before = list(&world, &org, Family::Campaign, "?name=s").await;
    assert_eq!(before.error().0, 500, "the index is not there");
    create_tables(&world.app.dynamo).await.expect("the engine answers");
    create_tables(&world.app.dynamo).await.expect("it is there already");
    for family in FAMILIES {
        assert_eq!(found(&world, &org, family, "").await.len(), 1);
        assert_eq!(found(&world, &org, family, "?state=draft").await.len(), 1);
        assert!(found(&world, &org, family, "?name=s").await.is_empty());
        let path = world.draft(&org, family).await;
        let asset = read(&world, &org, &path).await.data();
        for query in ["?name=s", "?updated_since=2026-01-01T00:00:00Z"] {
            assert_eq!(found(&world, &org, family, query).await, std::slice::from_ref(&asset), "{query}");
        }
    }
}

#[tokio::test]
async fn an_asset_of_before_is_found_by_its_moment_once_it_changes_and_by_all_else_once_it_is_edited() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        turn_back(&world).await;
        create_tables(&world.app.dynamo).await.expect("the engine answers");
        let scenario = samples::body(family)["customer"]["customer_scenario_id"].clone();
        let scenario = format!("?customer_scenario_id={}", scenario.as_str().expect("a text"));
        let queries = ["?updated_since=2026-01-01T00:00:00Z", "?name=s", &scenario];
        let counts = async || {
            let mut counts = Vec::new();
            for query in queries {
                counts.push(found(&world, &org, family, query).await.len());
            }
            counts
        };
        assert_eq!(counts().await, [0, 0, 0]);
        world.bring_to(&org, &path, "queued").await;
        assert_eq!(counts().await, [1, 0, 0]);
        let edited = world.patch(&path).key(&org.key).json(&samples::edited(family)).send().await;
        assert_eq!(edited.data()["version"], 3);
        assert_eq!(counts().await, [1, 1, 1]);
        assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
        assert_eq!(counts().await, [0, 0, 0]);
    }
}

#[tokio::test]
async fn an_asset_of_before_is_deleted_whole() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        turn_back(&world).await;
        create_tables(&world.app.dynamo).await.expect("the engine answers");
        assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
        let left = stored_keys(&world, &org, family).await;
        assert!(left.iter().all(|key| key.starts_with("count#")), "{left:?}");
        assert_eq!(list(&world, &org, family, "").await.data(), json!([]));
    }
}

//! Field paths: they select exactly the named parts of a record, and openapi.yaml lists all of them.

use std::collections::BTreeSet;

use dataset::inventory::{Field, FieldSet, SortField};
use harness::{Contract, TestOrg, World};
use serde_json::{Value, json};

use super::{inventory, records, results, search, total};

/// Reads the first five measured records directly from the release, with only the fields at the given paths.
fn records_with(paths: &[&str]) -> Vec<Value> {
    let fields = paths.iter().map(|path| FieldSet::at(path).expect("valid path"));
    let fields = fields.fold(FieldSet::NONE, FieldSet::or);
    let first = inventory().indexes().filter(|index| inventory().has_measures(*index)).take(5);
    first.map(|index| serde_json::to_value(inventory().record(index, fields)).expect("JSON")).collect()
}

async fn assert_shown(world: &World, org: &TestOrg, fields: &Value, expected: &[Value]) {
    let found = search(world, org, &json!({ "fieldSet": fields, "pagination": { "page_size": 5 } })).await;
    assert_eq!(results(&found), expected, "{fields}");
    assert_eq!((&found["status"], total(&found)), (&json!("success"), records().len()), "{fields}");
}

#[tokio::test]
async fn record_has_exactly_the_requested_fields() {
    let (world, org) = World::with_org().await;
    let groups = ["id", "location", "construction", "layouts", "layouts.faces.spots", "representations"];
    for path in groups.iter().chain(&Field::ALL.map(Field::path)) {
        assert_shown(&world, &org, &json!([path]), &records_with(&[*path])).await;
    }
    assert_eq!(records_with(&["id"])[0], json!({ "spot_id": records()[0]["spot_id"] }));
    let maturities: Vec<Value> =
        records()[..5].iter().map(|record| json!({ "maturity": record["maturity"] })).collect();
    assert_shown(&world, &org, &json!(["maturity"]), &maturities).await;
}

#[tokio::test]
async fn paths_combine_in_any_order_and_an_empty_list_returns_whole_records() {
    let (world, org) = World::with_org().await;
    let paths =
        ["media_name", "location.geometry.coordinates", "spot_id", "location.state", "id", "media_name"];
    assert_shown(&world, &org, &json!(paths), &records_with(&paths)).await;
    let all = Field::ALL.map(Field::path).into_iter().chain(["maturity"]);
    let every: Vec<&str> = all.cycle().take(200).collect();
    for whole in [json!(every), json!([]), json!(null)] {
        assert_shown(&world, &org, &whole, &records()[..5]).await;
    }
}

/// Returns the documented schema of the member at a dotted path. Follows lists and references.
fn documented(path: &str) -> Value {
    let document = Contract::get().document();
    let resolved = |mut schema: Value| {
        while let Some(inner) = schema.get("items").filter(|_| schema["type"] == "array") {
            schema = inner.clone();
        }
        match schema["$ref"].as_str() {
            Some(reference) => document.pointer(reference.trim_start_matches('#')).expect("a schema").clone(),
            None => schema,
        }
    };
    let record = document["components"]["schemas"]["InventoryRecord"].clone();
    path.split('.').fold(record, |schema, name| resolved(schema["properties"][name].clone()))
}

#[test]
fn openapi_lists_every_field_and_every_sort_path() {
    for path in Field::ALL.map(Field::path).into_iter().chain(["index", "maturity"]) {
        assert!(documented(path).is_object(), "{path}");
    }
    let request =
        &Contract::get().document()["components"]["schemas"]["InventorySearchRequest"]["properties"];
    let sorted = request["sort"]["properties"]["field"]["enum"].as_array().expect("a list");
    let sorted: BTreeSet<&str> = sorted.iter().filter_map(Value::as_str).collect();
    let expected: BTreeSet<&str> =
        SortField::all().map(|field| field.field().path()).chain(["id", "distance", "index"]).collect();
    assert_eq!(sorted, expected);
}

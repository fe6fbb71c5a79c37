//! Field paths select exactly the named parts of a record, and openapi.yaml lists the same paths.

use std::collections::BTreeSet;

use dataset::inventory::{Field, SortField};
use harness::{Contract, World};
use serde_json::{Map, Value, json};

use super::{id, records, results, search};

/// Keeps what is at the paths, and the objects and lists above it.
fn kept(value: &Value, paths: &[&str]) -> Option<Value> {
    if paths.contains(&"") {
        return Some(value.clone());
    }
    match value {
        Value::Object(members) => {
            let of_member = |(name, member): (&String, &Value)| {
                let rests = paths.iter().filter_map(|path| path.strip_prefix(name.as_str()));
                let under =
                    rests.filter_map(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix('.') });
                let under: Vec<&str> = under.collect();
                if under.is_empty() { None } else { Some((name.clone(), kept(member, &under)?)) }
            };
            Some(members.iter().filter_map(of_member).collect::<Map<_, _>>().into())
        }
        Value::Array(items) => Some(items.iter().filter_map(|item| kept(item, paths)).collect()),
        _ => None,
    }
}

/// Takes away the members that are empty objects: whether an object is there that lacks all that was asked of
/// it makes no difference.
fn without_empty_members(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| (name.clone(), without_empty_members(member)));
            members.filter(|(_, member)| *member != json!({})).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(without_empty_members).collect(),
        other => other.clone(),
    }
}

async fn results_with(world: &World, org: &harness::TestOrg, fields: &Value) -> Vec<Value> {
    let found = search(world, org, &json!({ "fieldSet": fields, "pagination": { "page_size": 5 } })).await;
    assert_eq!(results(&found).len(), 5, "a whole page");
    results(&found).to_vec()
}

#[tokio::test]
async fn a_record_has_what_its_paths_name_and_nothing_else() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let documented = [
        "id",
        "digital",
        "media_name",
        "audio",
        "full_motion",
        "interactive",
        "rotating",
        "partial_motion",
        "location.state",
        "location.dma_name",
        "location.geometry",
        "media_type.name",
        "construction.construction_type.name",
        "illumination_type.name",
        "classification_type.name",
        "placement_type.name",
        "status_type.name",
        "representations",
        "layouts",
    ];
    let groups = [
        "location",
        "construction",
        "construction.construction_type",
        "layouts.faces",
        "layouts.faces.spots",
        "place",
    ];
    let leaves = Field::ALL.map(Field::path);
    for path in documented.iter().chain(&groups).chain(&leaves) {
        let stored = if *path == "id" { "spot_id" } else { path };
        for (result, record) in results_with(&world, &org, &json!([path])).await.iter().zip(records()) {
            let expected = kept(record, &[stored]).as_ref().map(without_empty_members);
            assert_eq!(Some(without_empty_members(result)), expected, "{path}");
        }
    }
}

#[tokio::test]
async fn paths_add_up_in_any_order_and_as_often_as_they_come() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let one = results_with(
        &world,
        &org,
        &json!(["id", "location.state", "location.geometry.coordinates", "media_name"]),
    )
    .await;
    let other = json!([
        "media_name",
        "location.geometry.coordinates",
        "spot_id",
        "location.state",
        "id",
        "media_name"
    ]);
    assert_eq!(one, results_with(&world, &org, &other).await);
    for (result, record) in one.iter().zip(records()) {
        let paths = ["spot_id", "location.state", "location.geometry.coordinates", "media_name"];
        assert_eq!(Some(result), kept(record, &paths).as_ref());
        assert_eq!(id(result), id(record));
    }
    let every: Vec<&str> = Field::ALL.map(Field::path).into_iter().cycle().take(200).collect();
    assert_eq!(results_with(&world, &org, &json!(every)).await, records()[..5]);
}

#[tokio::test]
async fn no_paths_are_the_whole_record() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for fields in [json!(null), json!([])] {
        assert_eq!(results_with(&world, &org, &fields).await, records()[..5], "{fields}");
    }
}

#[tokio::test]
async fn status_and_total_are_there_whatever_is_asked_for() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for fields in [json!([]), json!(["media_name"]), json!(["location.places.place_name"])] {
        let found =
            search(&world, &org, &json!({ "fieldSet": fields, "pagination": { "page_size": 1 } })).await;
        assert_eq!(
            (&found["status"], &found["total"]),
            (&json!("success"), &json!(records().len())),
            "{fields}"
        );
        assert_eq!(results(&found).len(), 1, "{fields}");
    }
}

/// Returns what the contract says of the member at a path, through its objects and lists.
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
fn the_contract_has_every_field_and_every_path_to_sort_by() {
    for path in Field::ALL.map(Field::path) {
        assert!(documented(path).is_object(), "{path}");
    }
    let request =
        &Contract::get().document()["components"]["schemas"]["InventorySearchRequest"]["properties"];
    let sorted = request["sort"]["properties"]["field"]["enum"].as_array().expect("paths");
    let sorted: BTreeSet<&str> = sorted.iter().filter_map(Value::as_str).collect();
    let expected: BTreeSet<&str> =
        SortField::all().map(|field| field.field().path()).chain(["id", "distance"]).collect();
    assert_eq!(sorted, expected);
}

#[test]
fn the_contract_takes_and_refuses_what_the_service_does() {
    let takes = |body: &Value| Contract::get().accepts_request("search_inventory", body);
    let circle = |distance: Value| {
        let circle = json!({ "lat": 1, "lon": 2.5, "distance": distance });
        json!({ "filter": { "geo_distance": circle } })
    };
    let taken = [
        json!({}),
        json!({ "filter": null, "filters": {} }),
        json!({ "filters": { "state": "NY", "digital": false, "id_min": -1 } }),
        json!({ "fieldSet": [], "sort": { "order": "desc" }, "pagination": { "page": 2 } }),
        circle(json!("5km")),
        circle(json!(" .5 NM ")),
        circle(json!("500")),
        circle(json!(0)),
    ];
    for body in taken {
        assert!(takes(&body), "{body}");
    }
    let refused = [
        json!([]),
        json!({ "filter": {}, "filters": {} }),
        json!({ "filter": { "state": ["NY"] } }),
        json!({ "filter": { "state": " " } }),
        json!({ "filter": { "digital": "true" } }),
        json!({ "filter": { "partial_motion": true } }),
        json!({ "sort": { "field": "layouts.id" } }),
        json!({ "pagination": { "page": 0 } }),
        circle(json!("5KM")),
        circle(json!("-5km")),
        circle(json!(-1)),
        circle(json!("km")),
    ];
    for body in refused {
        assert!(!takes(&body), "{body}");
    }
}

//! Members of inventory records: every record in the sample release has every documented member, except those
//! that neither the sample's sources nor the model provide.

use std::collections::BTreeMap;

use harness::{Contract, World};
use serde_json::{Value, json};

use super::{records, results, search};

/// The members that neither the sample's sources nor the model provide.
const NOT_IN_THE_SAMPLE: [&str; 5] =
    [".rate", ".photo_url", ".available_from", ".read_side", ".layouts.faces.orientation"];

/// The members that only New York's displays have, because pedestrians were counted only there.
const ONLY_IN_NEW_YORK: [&str; 5] =
    [".weekly_impressions", ".impressions_source", ".impressions_vintage", ".persons", ".impressions_of"];

fn resolved(schema: &Value) -> &Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            Contract::get().document().pointer(reference.trim_start_matches('#')).expect("a schema")
        }
        None => schema,
    }
}

/// Walks through a schema and a value in parallel. For each member's path, counts the objects with the member
/// and those without it.
fn walk(schema: &Value, value: &Value, path: &str, found: &mut BTreeMap<String, (usize, usize)>) {
    let schema = resolved(schema);
    if let Some(items) = schema.get("items") {
        value.as_array().expect("a list").iter().for_each(|item| walk(items, item, path, found));
    }
    let Some(members) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, schema) in members {
        let path = format!("{path}.{name}");
        let (present, absent) = found.entry(path.clone()).or_default();
        match value.get(name) {
            Some(value) => {
                *present += 1;
                walk(schema, value, &path, found);
            }
            None => *absent += 1,
        }
    }
}

#[test]
fn every_sample_record_has_every_documented_member() {
    let schema = &Contract::get().document()["components"]["schemas"]["InventoryRecord"];
    let mut found = BTreeMap::new();
    records().iter().for_each(|record| walk(schema, record, "", &mut found));
    // Only searches with a circle return a distance, and only searches with a cohort return an index.
    for computed in [".distance", ".index"] {
        assert!(found.remove(computed).is_some(), "{computed}");
    }
    for path in NOT_IN_THE_SAMPLE {
        assert!(matches!(found.remove(path), Some((0, 1..))), "{path}");
    }
    let in_new_york = records().iter().filter(|record| record["location"]["state"] == "NY").count();
    for path in ONLY_IN_NEW_YORK {
        assert_eq!(found.remove(path), Some((in_new_york, records().len() - in_new_york)), "{path}");
    }
    assert!(found.len() > 65, "{found:?}");
    for (path, (present, absent)) in &found {
        assert_eq!(*absent, 0, "{path} is absent");
        assert!(*present > 0, "{path} never occurs");
    }
    for path in [".location.places", ".location.place_types.name", ".layouts.faces.spots.spot_length"] {
        assert!(found.contains_key(path), "{path}");
    }
}

#[tokio::test]
async fn unknown_data_is_an_empty_text_an_empty_list_or_null() {
    let (world, org) = World::with_org().await;
    let sign =
        json!({ "filter": { "dma_name": "San Francisco-Oak-San Jose" }, "pagination": { "page_size": 1 } });
    let kiosk = json!({ "filter": { "media_owner": "CityBridge" }, "pagination": { "page_size": 1 } });
    let (sign, kiosk) = (search(&world, &org, &sign).await, search(&world, &org, &kiosk).await);
    let (sign, kiosk) = (&results(&sign)[0], &results(&kiosk)[0]);
    for (record, pointer, expected) in [
        (sign, "/location/places", json!([])),
        (sign, "/location/place_types", json!({ "name": "" })),
        (sign, "/representations", json!([])),
        (sign, "/layouts/0/faces/0/spots/0/spot_length", Value::Null),
        (kiosk, "/representations/0/0/account", json!({ "name": "CityBridge", "parent_account_name": "" })),
    ] {
        assert_eq!(record.pointer(pointer), Some(&expected), "{pointer} of {record}");
    }
    let length = json!({ "fieldSet": ["layouts.faces.spots.spot_length"], "pagination": { "page_size": 1 },
        "filter": { "digital": false } });
    let only_length = &search(&world, &org, &length).await["results"][0];
    assert_eq!(*only_length, json!({ "layouts": [{ "faces": [{ "spots": [{ "spot_length": null }] }] }] }));
}

#[tokio::test]
async fn members_that_the_model_filled_in_are_listed_and_the_status_says_so() {
    let (world, org) = World::with_org().await;
    for (filter, given) in [
        (
            json!({ "media_name": "LinkNYC Link1.0 kiosk" }),
            &["digital", "layouts.faces.width", "representations.account.name"][..],
        ),
        (json!({ "state": "CA" }), &["location.primary_artery", "location.geometry.coordinates"]),
        (json!({ "media_name": "Bus shelter" }), &["location.primary_artery", "construction"]),
    ] {
        let body = json!({ "filter": filter, "pagination": { "page_size": 100 } });
        for record in results(&search(&world, &org, &body).await) {
            let modelled: Vec<&str> = texts(&record["modelled"]);
            for path in ["location.orientation", "layouts.faces.spots.measures", "status_type.name"] {
                assert!(modelled.contains(&path), "{path}: {record}");
            }
            assert!(given.iter().all(|path| !modelled.contains(path)), "{record}");
            assert_eq!(record["status_type"]["name"], "Published - Modelled");
        }
    }
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

//! GeoJSON of places and displays, parsed with the `geojson` crate.

use geojson::feature::Id;
use geojson::{FeatureCollection, GeoJson, GeometryValue};
use harness::{Answer, TestOrg, World, samples};
use serde_json::{Value, json};

use super::{A_MINUTE, GEO_JSON, JSON, TableCall, at, rows_of};

/// Sends a search for JSON and again for GeoJSON. Returns the records, the feature collection, and the
/// GeoJSON response.
async fn on_a_map(world: &World, org: &TestOrg, call: &TableCall) -> (Vec<Value>, FeatureCollection, Answer) {
    world.clock.advance(A_MINUTE);
    let (json, map) = (call.answer(world, org, JSON).await, call.answer(world, org, GEO_JSON).await);
    assert_eq!(map.status, 200, "{}", map.text());
    assert_eq!(map.header("content-type"), GEO_JSON);
    let read: GeoJson = map.text().parse().expect("the text is GeoJSON");
    let GeoJson::FeatureCollection(collection) = read else {
        panic!("expected a feature collection: {}", map.text())
    };
    (rows_of(&json.json(), call.table(world)).to_vec(), collection, map)
}

fn without_position(record: &Value) -> Value {
    let mut record = record.clone();
    if record["location"].get("lat").is_some() || record["location"].get("lon").is_some() {
        record.as_object_mut().expect("an object").remove("location");
    } else if let Some(location) = record.get_mut("location").and_then(Value::as_object_mut) {
        location.remove("geometry");
        location.remove("geo_point");
        if location.is_empty() {
            record.as_object_mut().expect("an object").remove("location");
        }
    }
    record
}

fn searches() -> [(TableCall, &'static str, [&'static str; 2]); 5] {
    let near = json!({ "geo_distance": { "lat": 40.758, "lon": -73.9855, "distance": "1km" } });
    let at_places = ["location.lon", "location.lat"];
    [
        (TableCall::post("POST /v2/msearch", json!({ "filter": near })), "place_id", at_places),
        (TableCall::post("POST /msearch", json!({ "filter": { "state": "AK" } })), "place_id", at_places),
        (
            TableCall::post("POST /msearch/inventory", json!({ "filter": near })),
            "spot_id",
            ["location.geometry.coordinates", "location.geometry.coordinates"],
        ),
        (
            TableCall::post("POST /v2/measures/campaigns/estimate", samples::estimated_campaign()),
            "display_id",
            at_places,
        ),
        (
            TableCall::post("POST /v2/measures/events/estimate", samples::estimated_event()),
            "place_id",
            at_places,
        ),
    ]
}

#[tokio::test]
async fn each_record_is_a_point_with_its_id_and_members() {
    let (world, org) = World::with_org().await;
    for (call, id, [longitude, latitude]) in searches() {
        let (records, collection, _) = on_a_map(&world, &org, &call).await;
        assert!(!records.is_empty() && records.len() == collection.features.len());
        for (record, feature) in records.iter().zip(&collection.features) {
            let expected = match &record[id] {
                Value::String(text) => Id::String(text.clone()),
                number => Id::Number(number.as_number().expect("a number").clone()),
            };
            assert_eq!(feature.id, Some(expected));
            let degrees = |path: &str, index: usize| {
                let found = at(record, path);
                found.as_f64().or_else(|| found[index].as_f64()).expect("the record has degrees")
            };
            let geometry = feature.geometry.as_ref().expect("a geometry");
            let GeometryValue::Point { coordinates } = &geometry.value else { panic!("{geometry:?}") };
            assert_eq!(coordinates.as_slice(), [degrees(longitude, 0), degrees(latitude, 1)]);
            let properties = Value::Object(feature.properties.clone().expect("the feature has properties"));
            assert_eq!(properties, without_position(record));
        }
    }
}

#[tokio::test]
async fn collection_without_records_is_empty() {
    let (world, org) = World::with_org().await;
    let nowhere = TableCall::post("POST /v2/msearch", json!({ "filter": { "city": "nowhere" } }));
    let (_, collection, answer) = on_a_map(&world, &org, &nowhere).await;
    assert_eq!((collection.features.len(), answer.header("x-total-count")), (0, "0"));
}

#[tokio::test]
async fn record_without_a_requested_position_has_no_geometry() {
    let (world, org) = World::with_org().await;
    for (name, paths, member) in [
        ("POST /v2/msearch", json!(["place_name"]), "place_name"),
        ("POST /v2/msearch", json!(["place_name", "location.lat"]), "place_name"),
        ("POST /msearch/inventory", json!(["media_name", "location.geometry.type"]), "media_name"),
    ] {
        let search =
            json!({ "filter": { "state": "NY" }, "fieldSet": paths, "pagination": { "page_size": 2 } });
        let (records, collection, _) = on_a_map(&world, &org, &TableCall::post(name, search)).await;
        assert_eq!(records.len(), 2);
        for (record, feature) in records.iter().zip(&collection.features) {
            assert!(feature.geometry.is_none() && feature.id.is_none(), "{name} {paths}");
            let properties = feature.properties.as_ref().expect("the feature has properties");
            assert_eq!(properties[member], record[member], "{name} {paths}");
        }
    }
}

#[tokio::test]
async fn record_with_only_a_requested_position_has_no_properties() {
    let (world, org) = World::with_org().await;
    for (name, paths) in
        [("POST /v2/msearch", json!(["location"])), ("POST /msearch/inventory", json!(["location.geometry"]))]
    {
        let search =
            json!({ "filter": { "state": "NY" }, "fieldSet": paths, "pagination": { "page_size": 2 } });
        let (_, collection, _) = on_a_map(&world, &org, &TableCall::post(name, search)).await;
        assert_eq!(collection.features.len(), 2);
        for feature in &collection.features {
            assert!(
                feature.geometry.is_some() && feature.properties == Some(serde_json::Map::new()),
                "{feature:?}"
            );
        }
    }
}

#[tokio::test]
async fn collection_has_the_meta_of_the_json_response() {
    let (world, org) = World::with_org().await;
    for (call, ..) in searches() {
        let (_, collection, map) = on_a_map(&world, &org, &call).await;
        let meta = &collection.foreign_members.as_ref().expect("the collection has foreign members")["meta"];
        assert_eq!(meta["request_id"], map.header("x-request-id"));
        assert_eq!(meta["credits_used"], json!(map.credits_used()));
        assert_eq!(meta["provenance"]["data_maturity"], map.header("x-data-maturity"));
    }
}

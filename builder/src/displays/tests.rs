//! Tests the completion of records.

use dataset::inventory::{Field, FieldSet, Record};
use serde_json::{Value, json};

use super::complete;

fn completed(record: Value) -> Value {
    let mut record: Record<'static> = serde_json::from_value(record).unwrap();
    complete(&mut record, "20260731", FieldSet::NONE);
    serde_json::to_value(&record).unwrap()
}

/// Returns whether `whole` contains all members of `part`. An empty list matches any list.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(name, part)| whole.get(name).is_some_and(|whole| holds(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) if !part.is_empty() => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(whole, part)| holds(whole, part))
        }
        (Value::Array(_), Value::Array(_)) => true,
        _ => whole == part,
    }
}

#[test]
fn bare_spot_gets_typical_values_but_no_media_owner() {
    for id in 1..500 {
        let bare = json!({ "spot_id": id, "location": { "geometry": { "type": "Point", "coordinates": [1.5, 2.5] } } });
        let whole = completed(bare.clone());
        assert!(holds(&whole, &bare), "{whole}");
        assert_eq!(
            whole.as_object().map(serde_json::Map::len),
            Some(18),
            "all members except name, media owner, and place: {whole}"
        );
        assert_eq!(whole["status_type"]["name"], "Published - Modelled");
        assert!(whole["location"]["orientation"].as_u64().is_some_and(|degrees| degrees < 360), "{whole}");
        assert!(whole.get("place").is_none(), "{whole}");
        let face = &whole["layouts"][0]["faces"][0];
        assert!(face["width"].as_u64() > Some(0) && face["height"].as_u64() > Some(0), "{whole}");
        assert_eq!(face["spots"][0]["id"], id);
        for spot in face["spots"].as_array().unwrap() {
            assert_eq!(spot["measures"], json!([{ "modelled": "20260731" }]));
            assert!(spot.get("plant_spot_id").is_none(), "{spot}");
        }
        assert_eq!(whole, completed(bare), "the same spot gets the same values");
    }
}

#[test]
fn existing_members_stay_and_completed_members_match_them() {
    let point = json!({ "geometry": { "type": "Point", "coordinates": [1.5, 2.5] }, "orientation": 12.5 });
    for (said, path, expected) in [
        (
            json!({ "media_type": { "name": "bulletin" }, "digital": true }),
            "/layouts/0/faces/0/spots/7/spot_length",
            json!(8),
        ),
        (
            json!({ "media_type": { "name": "Poster" }, "digital": false }),
            "/layouts/0/faces/0/width",
            json!(272),
        ),
        (json!({ "media_type": { "name": "Junior-Poster" } }), "/layouts/0/faces/0/height", json!(60)),
        (json!({ "digital": true }), "/illumination_end_time", json!("23:59:59")),
        (
            json!({ "illumination_type": { "name": "Sunlit Ambient" }, "digital": false }),
            "/illumination_end_time",
            json!("17:59:59"),
        ),
        (
            json!({ "construction": { "construction_type": { "name": "Bus Exterior" } } }),
            "/media_type/name",
            json!("Panel"),
        ),
        (
            json!({ "construction": { "construction_type": { "name": "Elevator" } } }),
            "/construction/construction_type/id",
            json!("8"),
        ),
        (
            json!({ "classification_type": { "name": "place-based" }, "media_type": { "name": "Panel" } }),
            "/placement_type/name",
            json!("Set Back"),
        ),
        (json!({ "media_type": { "name": "Hologram" } }), "/status_type/name", json!("Published - Modelled")),
        (
            json!({ "layouts": [], "digital": false }),
            "/layouts/0/faces/0/spots/0/measures/0/modelled",
            json!("20260731"),
        ),
        (
            json!({ "layouts": [{ "faces": [{ "width": 5 }, { "spots": [{ "id": 3 }, {}] }] }] }),
            "/layouts/0/faces/1/spots/0/id",
            json!(3),
        ),
        (
            json!({ "layouts": [{ "faces": [{ "spots": [{ "measures": [{ "counted": "20250101" }] }] }] }] }),
            "/layouts/0/faces/0/spots/0/measures",
            json!([{ "counted": "20250101" }]),
        ),
        (
            json!({ "status_type": { "name": "Published - Suppressed" } }),
            "/layouts/0/faces/0/spots/0/measures",
            json!([]),
        ),
        (json!({ "audio": true, "digital": false }), "/layouts/0/faces/0/spots/0/audio", json!(true)),
        (json!({ "representations": [] }), "/representations", json!([])),
        (json!({ "media_name": "Sign 4" }), "/media_name", json!("Sign 4")),
    ] {
        for id in 1..50 {
            let mut record = said.clone();
            record["spot_id"] = id.into();
            record["location"] = point.clone();
            let whole = completed(record.clone());
            assert!(holds(&whole, &record), "{record} in {whole}");
            assert_eq!(whole.pointer(path), Some(&expected), "{path} of {whole}");
        }
    }
}

/// Returns the paths that a completed record lists as modelled.
fn modelled(record: &Value) -> Vec<String> {
    serde_json::from_value(record["modelled"].clone()).unwrap()
}

/// Returns the paths of all fields with a value, in the same order as the record's members.
fn paths(record: &Value) -> Vec<&'static str> {
    fn has(value: &Value, path: &[&str]) -> bool {
        match (value, path) {
            (Value::Array(items), path) if !path.is_empty() => items.iter().any(|item| has(item, path)),
            (value, [name, rest @ ..]) => value.get(name).is_some_and(|value| has(value, rest)),
            (value, []) => *value != json!([]),
        }
    }
    let has = |path: &&str| has(record, &path.split('.').collect::<Vec<&str>>());
    Field::ALL.map(Field::path).into_iter().filter(has).filter(|path| *path != "modelled").collect()
}

#[test]
fn every_filled_in_member_is_listed_as_modelled() {
    let bare =
        json!({ "spot_id": 7, "location": { "geometry": { "type": "Point", "coordinates": [1.5, 2.5] } } });
    for said in [
        json!({}),
        json!({ "media_type": { "name": "Poster" }, "digital": false, "location": { "orientation": 12.5 } }),
        json!({ "digital": true, "construction": { "construction_type": { "name": "Elevator" } } }),
        json!({ "status_type": { "name": "Published - Suppressed" } }),
        json!({ "weekly_impressions": 4_000, "layouts": [{ "faces": [{ "width": 5, "orientation": 90 }] }] }),
        json!({ "layouts": [{ "faces": [{ "spots": [{ "measures": [{ "counted": "20250101" }] }] }] }] }),
    ] {
        let mut given = bare.clone();
        for (member, value) in said.as_object().unwrap() {
            match value.as_object().filter(|_| member == "location") {
                Some(members) => given["location"].as_object_mut().unwrap().extend(members.clone()),
                None => given[member] = value.clone(),
            }
        }
        let whole = completed(given.clone());
        let before = paths(&given);
        let added: Vec<&str> = paths(&whole).into_iter().filter(|path| !before.contains(path)).collect();
        assert_eq!(modelled(&whole), added, "{whole}");
    }
}

#[test]
fn member_that_only_some_items_lack_is_modelled() {
    let faces = json!([{ "width": 5, "height": 6 }, { "width": 7 }]);
    let whole = completed(json!({ "spot_id": 7, "layouts": [{ "faces": faces }] }));
    let modelled = modelled(&whole);
    let has = |path: &str| modelled.iter().any(|modelled| modelled == path);
    assert!(has("layouts.faces.height") && !has("layouts.faces.width"), "{whole}");
}

#[test]
fn status_of_a_record_with_modelled_members_is_not_measured() {
    let given = json!({ "spot_id": 7, "status_type": { "name": "published - measured" } });
    let whole = completed(given);
    assert_eq!(whole["status_type"]["name"], "Published - Modelled");
    assert!(modelled(&whole).contains(&"status_type.name".to_owned()), "{whole}");

    // The record is already complete, so completing it changes nothing.
    let mut measured = whole.clone();
    measured["status_type"]["name"] = "Published - Measured".into();
    measured.as_object_mut().unwrap().remove("modelled");
    assert_eq!(completed(measured.clone()), measured);
}

#[test]
fn record_with_weekly_impressions_gets_no_modelled_measure() {
    let whole = completed(json!({ "spot_id": 7, "weekly_impressions": 0 }));
    assert_eq!(whole["layouts"][0]["faces"][0]["spots"][0]["measures"], json!([]));
    assert!(!modelled(&whole).contains(&"layouts.faces.spots.measures".to_owned()), "{whole}");
}

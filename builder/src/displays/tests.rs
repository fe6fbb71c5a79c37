//! Tests of the completion of records.

use dataset::inventory::Record;
use serde_json::{Value, json};

use super::complete;

fn completed(record: Value) -> Value {
    let mut record: Record<'static> = serde_json::from_value(record).unwrap();
    complete(&mut record, "20260731");
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
            "all members except name and media owner: {whole}"
        );
        assert_eq!(whole["status_type"]["name"], "Published - Measured");
        assert!(whole["location"]["orientation"].as_u64().is_some_and(|degrees| degrees < 360), "{whole}");
        assert_eq!(whole["place"], json!({ "place_id": "", "place_name": "" }));
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
        (json!({ "media_type": { "name": "Hologram" } }), "/status_type/name", json!("Published - Measured")),
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

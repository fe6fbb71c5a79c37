//! Adds all missing members to the sample's records, so that each record shows every member.
//!
//! Imported records aren't changed. They lack the members that the imported file lacks.

use dataset::inventory::Record;
use serde_json::{Map, Value, json};

/// Returns a record with all members. Missing strings and lists are empty, and missing numbers are null.
///
/// Doesn't add flags or members that every display has. [`complete`](crate::displays::complete) adds them.
pub(super) fn with_every_member(record: &Record<'_>) -> Record<'static> {
    let mut whole = serde_json::to_value(record).expect("a record is JSON");
    fill(&mut whole, &blank());
    serde_json::from_value(whole).expect("a record with more of its members")
}

/// Returns a record with blank values. Each list has one blank item, which is the template for other items.
fn blank() -> Value {
    let named = || json!({ "name": "" });
    let spot = json!({
        "plant_spot_id": "", "spot_share_of_voice": "", "spot_length": null, "max_frames": "", "measures": [],
    });
    json!({
        "media_name": "",
        "illumination_type": named(),
        "classification_type": named(),
        "media_type": named(),
        "placement_type": named(),
        "status_type": named(),
        "construction": { "construction_type": { "id": "", "name": "" } },
        "location": {
            "state": "", "county_id": "", "county_name": "", "dma_id": "", "dma_name": "", "cbsa_code": "",
            "cbsa_name": "", "zip_code": "", "primary_artery": "", "geo_point": "",
            "places": [{ "place_name": "" }], "place_types": named(),
        },
        "layouts": [{ "spot_share_of_voice": "", "faces": [{ "spots": [spot] }] }],
        "representations": [[{
            "account": { "name": "", "parent_account_name": "" }, "representation_type": named(),
        }]],
        "place": { "place_id": "", "place_name": "" },
    })
}

/// Adds the missing members of a value from a blank one. Missing lists become empty.
fn fill(value: &mut Value, blank: &Value) {
    match (value, blank) {
        (Value::Object(members), Value::Object(blank)) => {
            for (name, blank) in blank {
                let empty = match blank {
                    Value::Object(_) => Value::Object(Map::new()),
                    Value::Array(_) => Value::Array(Vec::new()),
                    other => other.clone(),
                };
                fill(members.entry(name).or_insert(empty), blank);
            }
        }
        (Value::Array(items), Value::Array(blank)) => {
            blank.iter().for_each(|blank| items.iter_mut().for_each(|item| fill(item, blank)));
        }
        _ => {}
    }
}

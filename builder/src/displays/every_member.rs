//! Adds blank values for a record's missing members, if the column map requests it.

use dataset::inventory::Record;
use serde_json::{Map, Value, json};

/// Adds blank values for missing members that [`complete`](crate::displays::complete) doesn't fill in, such
/// as areas, media owners, and places. Added strings and lists are empty, and added numbers are null.
///
/// The optional members for face directions, impressions, rate, photo, availability, read side, and venue
/// type aren't added.
pub(crate) fn with_every_member(record: &Record<'_>) -> Record<'static> {
    let mut whole = serde_json::to_value(record).expect("records can be serialized");
    fill(&mut whole, &blank());
    serde_json::from_value(whole).expect("a record with added members is valid")
}

/// Returns a record in which all values are blank. Each list contains one blank item as a template for the
/// list's items.
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

/// Adds the members of `blank` that are missing from `value`. Added lists are empty.
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

//! Request bodies with the same string in every member, so that partial writes are visible.

use serde_json::{Value, json};
use store::Family;

use crate::{Answer, samples};

/// Returns a valid body with the stamp in every member.
pub fn stamped(family: Family, stamp: &str) -> Value {
    let mut body = samples::body(family);
    body["customer"]["customer_scenario_id"] = json!(stamp);
    body["customer"]["customer_scenario_info"] = json!(stamp);
    match family {
        Family::Campaign => {
            body["campaign"] = json!({ "name": stamp, "reference": stamp });
            let seed =
                stamp.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
            body["spots"] = if stamp.starts_with("large") {
                large_spots(seed, 300)
            } else {
                json!([{ "display_id": stamp, "spot_id": 1, "customer_spot_id": stamp }])
            };
            body["cohort"]["service_segment_ids"] = json!([stamp]);
        }
        Family::Event => {
            body["name"] = json!(stamp);
            body["description"] = json!(stamp);
            body["place_ids"] = json!([stamp, stamp]);
            body["periods"][0]["period_name"] = json!(stamp);
            body["cohort"]["service_segment_id"] = json!(stamp);
        }
    }
    body
}

/// Checks that every member of an asset has the same stamp, and returns the stamp.
pub fn whole(asset: &Value) -> String {
    let mut body = asset.clone();
    let members = body.as_object_mut().expect("an asset");
    for made_here in
        ["asset_id", "org_id", "state", "version", "last_measured_at", "created_at", "updated_at"]
    {
        members.remove(made_here).expect("the asset has every member");
    }
    let stamp = text(&body["customer"]["customer_scenario_id"]);
    let family = if body.get("spots").is_some() { Family::Campaign } else { Family::Event };
    assert!(body == stamped(family, &stamp), "{stamp} was written partially");
    stamp
}

pub fn version(answer: &Answer) -> u64 {
    answer.header("etag").trim_matches('"').parse().expect("an entity tag is a quoted version")
}

pub fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

/// Returns 2,000 spots with random references of the given length. They make a campaign too large for its
/// main item.
pub fn large_spots(seed: u64, characters: usize) -> Value {
    let mut rng = fastrand::Rng::with_seed(seed);
    let spot = |number: usize| {
        let reference: String = (0..characters).map(|_| rng.alphanumeric()).collect();
        json!({ "display_id": "30412887", "spot_id": number, "customer_spot_id": reference })
    };
    (0..2_000).map(spot).collect()
}

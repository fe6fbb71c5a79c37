//! Tests the notices about rows with areas that contradict their position.

use builder::build::Notice;
use serde_json::json;

use crate::{Outcome, PLACES, build_file, code, import_displays};

fn contradictions(outcome: &Outcome) -> Vec<String> {
    let notices = outcome.notices().iter().filter(|notice| matches!(notice, Notice::Contradiction { .. }));
    notices.map(|notice| outcome.folder.relative(&notice.to_string())).collect()
}

#[test]
fn contradictions_are_counted_by_member_and_by_the_value_that_is_used() {
    let text = "spot_id,latitude,longitude,state,zip_code\n1,41.8858,-87.6231,IL,60601\n2,41.8858,-87.6231,NY,\n\
                3,41.8858,-87.6231,CA,60601\n4,41.8858,-87.6231,WI,\n";
    let outcome = import_displays("csv", text, None);
    let rows = "Example Outdoor (example): rows whose state contradicts their location:";
    assert_eq!(
        contradictions(&outcome),
        [
            format!(
                "{rows} 2; in the first, row 3 of rows.csv, \"NY\" is given and IL is derived; the derived value \
                 is used"
            ),
            format!(
                "{rows} 1; in the first, row 5 of rows.csv, \"WI\" is given and IL is derived; the given value \
                 is used"
            ),
        ]
    );
    assert_eq!(outcome.reasons(), []);
}

#[test]
fn full_record_with_a_contradictory_state_is_stored_as_sent() {
    let record = |id: u32, state: &str| {
        let geometry = json!({"type": "Point", "coordinates": [-87.6231, 41.8858]});
        let location = json!({"state": state, "zip_code": "60601", "geometry": geometry});
        json!({"spot_id": id, "location": location}).to_string()
    };
    let outcome = import_displays("jsonl", [record(1, "IL"), record(2, "NY")].join("\n"), None);
    assert_eq!(outcome.records()[1]["location"]["state"], "NY");
    assert_eq!(
        contradictions(&outcome),
        ["Example Outdoor (example): rows whose state contradicts their location: 1; in the first, \
          row 2 of rows.jsonl, \"NY\" is given and IL is derived; the given value is used"]
    );
}

#[test]
fn given_county_and_dma_of_a_place_are_used() {
    let text = "place_name,place_type,latitude,longitude,county,dma\n\
                A,Bank,40.758,-73.9855,\"Kings, NY\",\"Chicago, IL\"\n";
    let outcome = build_file(PLACES, "csv", text, None);
    let place = outcome.places().remove(0);
    assert_eq!([place.county, place.dma].map(code), ["36047", "602"].map(|code| Some(code.to_owned())));
    let members: Vec<String> = contradictions(&outcome);
    assert!(members[0].contains("rows whose county contradicts"), "{members:?}");
    assert!(members[1].contains("rows whose dma contradicts"), "{members:?}");
}

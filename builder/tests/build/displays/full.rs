//! Tests that complete records are either stored unchanged or rejected.

use dataset::Figures;
use dataset::tiles::{self, Layer, LayerPoints, LayerSource, TileId, Visits};
use serde_json::{Value, json};

use crate::{DISPLAYS, Outcome, build_file, import_displays};

fn add_lines(rows: &[Value]) -> Outcome {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    import_displays("jsonl", lines.join("\n"), None)
}

/// Returns a record that contains every member.
fn record() -> Value {
    let text = r#"{
        "spot_id": 30001234,
        "digital": true, "audio": false, "full_motion": false, "partial_motion": true,
        "interactive": false, "rotating": true,
        "media_name": "I-80 & Virginia St",
        "illumination_type": {"name": "Backlit"},
        "illumination_start_time": "00:00:00", "illumination_end_time": "23:59:59",
        "classification_type": {"name": "Roadside"},
        "construction": {"construction_type": {"id": "1", "name": "Freestanding"}},
        "media_type": {"name": "Bulletin"},
        "placement_type": {"name": "Set Back"},
        "status_type": {"name": "Published - Measured"},
        "location": {
            "state": "NV", "county_id": "32031", "county_name": "Washoe", "dma_id": "811", "dma_name": "Reno",
            "cbsa_code": "39900", "cbsa_name": "Reno, NV", "zip_code": "89501", "primary_artery": "I-80 at Virginia St",
            "geometry": {"type": "Point", "coordinates": [-119.8138, 39.5296]},
            "geo_point": "39.5296, -119.8138",
            "places": [{"place_name": "Downtown"}, {}], "place_types": {"name": "Neighborhood"}, "orientation": 112.5
        },
        "layouts": [{
            "id": 7, "audio": false, "full_motion": false, "interactive": false,
            "partial_motion": true, "rotating": true,
            "spot_share_of_voice": "0.50",
            "faces": [{"id": -8, "width": 576, "height": 168, "orientation": 112.5, "spots": [
                {"id": 9, "plant_spot_id": "A-17", "spot_share_of_voice": "0.5", "spot_length": 8, "max_frames": "1",
                 "rotating": true, "audio": false, "full_motion": false, "partial_motion": true, "interactive": false,
                 "measures": [{"at_home": "20260630", "circulation": "20260101"}, {}]},
                {"id": 10, "measures": []}
            ]}]
        }, {}],
        "representations": [[{"account": {"name": "Example Outdoor", "parent_account_name": "Example"},
        "representation_type": {"name": "Own"}}], []],
        "place": {"place_id": "", "place_name": ""},
        "weekly_impressions": 41250, "impressions_source": "Example Institute", "impressions_vintage": "2026-09-30",
        "persons": "18+", "impressions_of": "display", "rate": {"amount": 1875.5, "currency": "USD", "weeks": 4},
        "photo_url": "https://photos.example.com/A-17.jpg", "available_from": "2027-01-04", "read_side": "right",
        "venue_type": "outdoor.billboards.roadside", "modelled": ["location.orientation"]
    }"#;
    serde_json::from_str(text).expect("JSON")
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut record = record();
    for (pointer, value) in changes {
        let (object, member) = pointer.rsplit_once('/').expect("a pointer");
        record.pointer_mut(object).expect("an object")[member] = value.clone();
    }
    record
}

#[test]
fn stores_complete_records_unchanged() {
    let sparse =
        json!({"spot_id": 5, "location": {"geometry": {"type": "Point", "coordinates": [2.35, 48.85]}}});
    let imported = add_lines(&[record(), sparse.clone()]);
    assert_eq!(imported.records(), [sparse, record()]);
    assert_eq!(imported.summary().unmeasured, 1);
    let source = imported.release().manifest().provenance(Figures::Inventory).expect("a provenance");
    let areas = "areas: Postal code data (c) GeoNames, CC BY 4.0";
    assert_eq!(source.source, format!("Example Outdoor; {areas}"));
    assert_eq!(source.data_vintage, "2026-06-30");
}

#[test]
fn tiles_contain_only_measured_spots() {
    let sparse =
        json!({"spot_id": 5, "location": {"geometry": {"type": "Point", "coordinates": [2.35, 48.85]}}});
    let imported = add_lines(&[record(), sparse]);
    let source = imported.inventory();
    assert_eq!(tiles::check(imported.release(), LayerSource::Faces(&source)), Ok(()));
    let points = LayerPoints::open(imported.release(), Layer::Faces).expect("a part");
    let world =
        points.tile(TileId::new(0, 0, 0).expect("a tile that exists"), Visits::Included).expect("a point");
    assert_eq!((points.len(), world.features), (1, 1));
}

#[test]
fn accepts_id_as_an_alias_for_spot_id() {
    let mut other = record();
    other["id"] = other["spot_id"].take();
    other.as_object_mut().expect("an object").remove("spot_id");
    assert_eq!(add_lines(&[other]).records(), [record()]);
}

#[test]
#[rustfmt::skip]
fn rejects_invalid_records_with_the_member_and_the_reason() {
    let face = "/layouts/0/faces/0";
    let cases: Vec<(Value, &str)> = vec![
        (with(&[("/spot_id", json!(0))]), "spot_id: 0 is not a whole number from 1 to 4294967295"),
        (with(&[("/spot_id", json!(4_294_967_296_u64))]), "spot_id: invalid value: integer `4294967296`, expected u32"),
        (with(&[("/spot_id", json!(null))]), "spot_id is missing"),
        (with(&[("/spot_id", json!("7"))]), "spot_id: invalid type: string \"7\", expected u32"),
        (with(&[(&format!("{face}/width"), json!("x"))]),
        "layouts[0].faces[0].width: invalid type: string \"x\", expected i64"),
        (with(&[(&format!("{face}/width"), json!(-1)), (&format!("{face}/height"), json!(-2))]),
            "layouts[0].faces[0].width: -1 is less than 0; \
             layouts[0].faces[0].height: -2 is less than 0"),
        (with(&[(&format!("{face}/spots/1/spot_length"), json!(-8))]),
            "layouts[0].faces[0].spots[1].spot_length: -8 is less than 0"),
        (with(&[(&format!("{face}/spots/0/measures"), json!([{"a": "2026-06-30", "b": "20260230", "c": ""}]))]),
            "layouts[0].faces[0].spots[0].measures[0].a: \"2026-06-30\" is not a calendar date (YYYYMMDD); \
             layouts[0].faces[0].spots[0].measures[0].b: \"20260230\" is not a calendar date (YYYYMMDD); \
             layouts[0].faces[0].spots[0].measures[0].c: \"\" is not a calendar date (YYYYMMDD)"),
        (with(&[("/illumination_start_time", json!("24:00:00")), ("/illumination_end_time", json!("6:00"))]),
            "illumination_start_time: \"24:00:00\" is not a time (HH:MM:SS); \
             illumination_end_time: \"6:00\" is not a time (HH:MM:SS)"),
        (with(&[("/location/orientation", json!(360.5))]),
            "location.orientation: 360.5 is not between 0 and 360 degrees"),
        (with(&[("/location/geometry", json!(null))]), "location.geometry is missing; it must be a Point"),
        (with(&[("/location/geometry", json!({}))]), "location.geometry.type is missing; it must be Point; location.geometry.coordinates is missing; it must be [longitude, latitude]"),
        (with(&[("/location/geometry/type", json!("Polygon"))]), "location.geometry.type: unknown variant `Polygon`, expected `Point`"),
        (with(&[("/location/geometry/coordinates", json!([-181, 91]))]), "location.geometry.coordinates[0]: -181 is not between -180 and 180 degrees; location.geometry.coordinates[1]: 91 is not between -90 and 90 degrees"),
        (with(&[("/location/geometry/coordinates", json!([0, 0]))]), "location.geometry.coordinates are both 0, which means that the position is missing"),
        (with(&[("/location/geometry/coordinates", json!([39.5296, -119.8138]))]), "location.geometry.coordinates[1]: -119.8138 is not between -90 and 90 degrees; location.geometry.coordinates: latitude and longitude look swapped"),
        (with(&[("/location/geometry/coordinates", json!([119.8138, 39.5296]))]), "location: the position is more than 500 km from every ZIP code, but the address is in the United States: longitude lacks its minus sign"),
        (with(&[("/location/state", json!("Nevada")), ("/location/zip_code", json!(null)), ("/location/geometry/coordinates", json!([119.8138, 39.5296]))]), "location: the position is more than 500 km from every ZIP code, but the address is in the United States: longitude lacks its minus sign"),
        (with(&[("/location/state", json!(null)), ("/location/geometry/coordinates", json!([-73.9862, 40.7566]))]), "location: the position is in NY, 3853 km from zip_code 89501 in NV: correct the position or zip_code, or leave zip_code empty to use the nearest ZIP code; if the address is outside the United States, name the country (or set outside_us = true in the source's entry)"),
        (with(&[("/media_name", json!("x".repeat(10_001)))]), "\"media_name\" is longer than 10000 bytes"),
        (with(&[(&format!("{face}/spots/0/plant_spot_id"), json!("x".repeat(1_000_000)))]), "layouts[0].faces[0].spots[0].plant_spot_id is longer than 10000 bytes"),
        (with(&[("/weekly_impressions", json!(-1))]), "weekly_impressions: -1 is not between 0 and 1000000000000"),
        (with(&[("/weekly_impressions", json!(1_000_000_000_001_i64))]), "weekly_impressions: 1000000000001 is not between 0 and 1000000000000"),
        (with(&[("/weekly_impressions", json!(1.5))]), "weekly_impressions: invalid type: floating point `1.5`, expected i64"),
        (with(&[("/impressions_vintage", json!("20260801")), ("/available_from", json!("2027-02-30"))]), "impressions_vintage: \"20260801\" is not a calendar date (YYYY-MM-DD); available_from: \"2027-02-30\" is not a calendar date (YYYY-MM-DD)"),
        (with(&[("/persons", json!("18")), ("/impressions_of", json!("")), ("/read_side", json!("Left"))]), "persons: \"18\" is not \"all\", \"5+\", or \"18+\"; impressions_of: \"\" is not \"display\" or \"spot\"; read_side: \"Left\" is not \"left\", \"right\", or \"center\""),
        (with(&[("/rate", json!({"amount": -0.5, "currency": "usd", "weeks": 0}))]), "rate.amount: -0.5 is not between 0 and 1000000000000; rate.currency: \"usd\" is not three capital letters, such as USD; rate.weeks: 0 is not between 1 and 520"),
        (with(&[("/rate", json!({"price": 1}))]), "rate.price: unknown field `price`, expected one of `amount`, `currency`, `weeks`"),
        (with(&[("/photo_url", json!("http://example.com/a.jpg"))]), "photo_url: \"http://example.com/a.jpg\" is not a valid https:// URL (user names and passwords are not allowed)"),
        (with(&[("/photo_url", json!("https://"))]), "photo_url: \"https://\" is not a valid https:// URL (user names and passwords are not allowed)"),
        (with(&[("/photo_url", json!("https://me@example.com/a.jpg"))]), "photo_url: \"https://me@example.com/a.jpg\" is not a valid https:// URL (user names and passwords are not allowed)"),
        (with(&[("/photo_url", json!("https://example.com/a b.jpg"))]), "photo_url: \"https://example.com/a b.jpg\" is not a valid https:// URL (user names and passwords are not allowed)"),
        (with(&[("/venue_type", json!("transit.airport"))]), "venue_type: \"transit.airport\" is not an OpenOOH 1.1 venue type, such as transit.airports.gates"),
        (with(&[(&format!("{face}/orientation"), json!(-0.5))]), "layouts[0].faces[0].orientation: -0.5 is not between 0 and 360 degrees"),
        (with(&[("/modelled", json!(["location.orientation", "location.colour"]))]), "modelled[1]: \"location.colour\" is not the path of a member, such as location.orientation"),
        (with(&[("/modelled", json!(["weekly_impressions"])), ("/status_type", json!({"name": "Published - Measured"}))]), "status_type.name is \"Published - Measured\", but modelled includes impressions or measures; set status_type.name to \"Published - Modelled\""),
    ];
    let rows: Vec<Value> = cases.iter().map(|(row, _)| row.clone()).chain([record()]).collect();
    let imported = add_lines(&rows);
    assert_eq!((imported.summary().accepted, imported.rejects.len()), (1, cases.len()));
    for (reject, (row, reason)) in imported.rejects.iter().zip(&cases) {
        assert_eq!(reject.reason, *reason);
        assert_eq!(reject.row, row.to_string());
    }
}

#[test]
fn keeps_state_names_as_written() {
    let imported = add_lines(&[with(&[("/location/state", json!("Nevada"))])]);
    assert_eq!(imported.records()[0]["location"]["state"], "Nevada");
}

#[test]
fn rejects_unknown_and_duplicate_members() {
    let double = record().to_string().replacen('{', "{\"digital\": false,", 1);
    let both = with(&[("/id", json!(8))]).to_string();
    let lines = [
        with(&[("/colour", json!("red"))]).to_string(),
        with(&[("/layouts/0/faces/0/depth", json!(1))]).to_string(),
        double,
        both,
        "[1]".to_owned(),
        "{\"spot_id\": ".to_owned(),
        record().to_string(),
    ];
    let imported = import_displays("ndjson", lines.join("\n"), None);
    let reasons = imported.reasons();
    for ((line, reason), (number, begins)) in reasons.iter().zip([
        (1, "colour: unknown field `colour`, expected one of `id`, `spot_id`, "),
        (2, "layouts[0].faces[0].depth: unknown field `depth`, expected one of `id`, `width`, `height`, `orientation`, `spots`"),
        (3, "invalid JSON: member \"digital\" occurs twice"),
        (4, "duplicate field `spot_id`"),
        (5, "the line is not a JSON object"),
        (6, "invalid JSON: EOF while parsing a value"),
    ]) {
        assert!(*line == number && reason.contains(begins), "{line}: {reason}");
    }
    assert_eq!((reasons.len(), imported.ids()), (6, vec![30_001_234]));
}

#[test]
fn fails_if_every_record_is_rejected() {
    let rows = [
        with(&[("/spot_id", json!(null)), ("/location/geometry", json!(null))]),
        with(&[("/location/geometry", json!(null))]),
    ];
    let imported = import_displays("jsonl", format!("{}\n\n{}\n", rows[0], rows[1]), None);
    assert_eq!(imported.error(), "Example Outdoor (example): every row was rejected");
    let missing = "location.geometry is missing; it must be a Point";
    assert_eq!(imported.reasons(), [(1, &*format!("spot_id is missing; {missing}")), (3, missing)]);
}

#[test]
fn accepts_records_outside_the_united_states_if_outside_us_is_set() {
    let berlin = with(&[
        ("/location/geometry/coordinates", json!([13.405, 52.52])),
        ("/location/zip_code", json!("10115")),
        ("/location/state", json!(null)),
    ]);
    let rejects = add_lines(std::slice::from_ref(&berlin)).rejects;
    let fix = "name the country (or set outside_us = true in the source's entry)";
    assert!(rejects[0].reason.ends_with(fix), "{rejects:?}");
    let entry = format!("{DISPLAYS}outside_us = true\n");
    assert_eq!(build_file(&entry, "jsonl", berlin.to_string(), None).ids(), [30_001_234]);
}

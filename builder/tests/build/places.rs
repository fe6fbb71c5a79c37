//! Tests the conversion of rows to places, and the errors for invalid values.

use builder::build::Notice;
use dataset::places::NewPlace;
use dataset::{PlaceId, Position, RecordSource};
use serde_json::{Value, json};

use crate::{Outcome, code, import, import_each};

/// Returns a row with a valid value in every field.
fn row() -> Value {
    json!({
        "place_id": "17",
        "place_name": "Blue Kettle",
        "brand": "Blue Kettle",
        "place_type": "Coffee Shop",
        "street_address": "1500 Broadway",
        "city": "New York",
        "state": "NY",
        "zip_code": "10036",
        "latitude": "40.7566",
        "longitude": "-73.9862",
        "country": "US",
        "published_date": "2025-03-14",
    })
}

fn with(changes: &Value) -> Value {
    let mut row = row();
    for (field, value) in changes.as_object().expect("fields") {
        row[field] = value.clone();
    }
    row
}

fn import_rows(rows: &[Value]) -> Outcome {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    import("jsonl", lines.join("\n"))
}

/// Builds a release from one row with changes and returns its place. The row must be accepted.
fn place(changes: &Value) -> NewPlace {
    let outcome = import_rows(&[with(changes)]);
    assert_eq!(outcome.reasons(), []);
    outcome.places().remove(0)
}

#[test]
fn converts_a_row_to_a_place_with_its_markets() {
    let untidy =
        json!({"place_name": "  Blue Kettle ", "state": "ny", "zip_code": "10036-7012", "latitude": 40.7566});
    for changes in [json!({}), untidy] {
        let place = place(&changes);
        let areas = [place.zip, place.county, place.cbsa, place.dma].map(code);
        assert_eq!(areas, ["10036", "36061", "35620", "501"].map(|area| Some(area.to_owned())));
        let expected = NewPlace {
            id: PlaceId::from_raw(17),
            name: "Blue Kettle".to_owned(),
            brand: "Blue Kettle".to_owned(),
            place_type: "Coffee Shop".to_owned(),
            street_address: "1500 Broadway".to_owned(),
            city: "New York".to_owned(),
            state: "NY".to_owned(),
            zip_code: "10036".to_owned(),
            position: Position { latitude: 40.7566, longitude: -73.9862 },
            published_date: "2025-03-14".to_owned(),
            source: RecordSource { name: "Example".to_owned(), vintage: "2026-07-01".to_owned() },
            ..place.clone()
        };
        assert_eq!(place, expected);
    }
}

#[test]
fn rejects_invalid_rows_with_all_reasons() {
    let long = "é".repeat(201);
    #[rustfmt::skip]
    let dirty = [
        (json!({"place_name": ""}), "place_name is missing"),
        (json!({"place_name": null, "place_type": " \t"}), "place_name is missing; place_type is missing"),
        (json!({"place_name": long}), "place_name is longer than 200 characters"),
        (json!({"brand": "a\tb"}), "brand contains a control character, such as a tab"),
        (json!({"city": {"name": "New York"}}), "city is an object, not a string or a number"),
        (json!({"place_name": ["a"]}), "place_name is an array, not a string or a number"),
        (json!({"latitude": "", "longitude": null}), "latitude is missing; longitude is missing"),
        (json!({"latitude": "40,7566"}), "latitude \"40,7566\" is not in decimal degrees"),
        (json!({"latitude": "40°45'N"}), "latitude \"40°45'N\" is not in decimal degrees"),
        (json!({"latitude": "NaN"}), "latitude NaN is not between -90 and 90 degrees"),
        (json!({"latitude": "-inf"}), "latitude -inf is not between -90 and 90 degrees"),
        (json!({"latitude": -120.5, "longitude": 181}), "latitude -120.5 is not between -90 and 90 degrees; longitude 181 is not between -180 and 180 degrees"),
        (json!({"latitude": "0", "longitude": "-0.0"}), "latitude and longitude are both 0, which means that the position is missing"),
        (json!({"state": "New Yorks"}), "state \"New Yorks\" is not the name or two-letter code of a state"),
        (json!({"state": "ZZ", "zip_code": "1"}), "state \"ZZ\" is not the name or two-letter code of a state; zip_code \"1\" is not 5 digits or ZIP+4"),
        (json!({"zip_code": "100367"}), "zip_code \"100367\" is not 5 digits or ZIP+4"),
        (json!({"zip_code": "10036-"}), "zip_code \"10036-\" is not 5 digits or ZIP+4"),
        (json!({"zip_code": "10036-12é"}), "zip_code \"10036-12é\" is not 5 digits or ZIP+4"),
        (json!({"zip_code": 501}), "zip_code \"501\" is not 5 digits or ZIP+4"),
        (json!({"zip_code": "1003é678"}), "zip_code \"1003é678\" is not 5 digits or ZIP+4"),
        (json!({"place_id": "0"}), "place_id \"0\" is not a whole number from 1 to 999999999999"),
        (json!({"place_id": "1000000000000"}), "place_id \"1000000000000\" is not a whole number from 1 to 999999999999"),
        (json!({"place_id": "+5"}), "place_id \"+5\" is not a whole number from 1 to 999999999999"),
        (json!({"place_id": 5.5}), "place_id \"5.5\" is not a whole number from 1 to 999999999999"),
        (json!({"place_id": "A-17"}), "place_id \"A-17\" is not a whole number from 1 to 999999999999"),
        (json!({"published_date": "2025-02-30"}), "published_date \"2025-02-30\" is not a calendar date (YYYY-MM-DD)"),
        (json!({"published_date": "2025-3-014"}), "published_date \"2025-3-014\" is not a calendar date (YYYY-MM-DD)"),
    ];
    let (rows, reasons): (Vec<Value>, Vec<&str>) =
        dirty.iter().map(|(changes, reason)| (with(changes), *reason)).unzip();
    let outcome = import_rows(&rows);
    assert_eq!(outcome.rejects.len(), rows.len());
    for ((reject, expected), row) in outcome.rejects.iter().zip(reasons).zip(&rows) {
        assert_eq!(reject.reason, expected, "{row}");
        assert_eq!(reject.row, row.to_string());
    }
    assert_eq!(outcome.error(), "Example: every row was rejected");
}

#[test]
fn normalizes_zip_codes_to_five_digits() {
    let zips = ["2109", "02109", "02109-1234", "2109-1234", "021091234"];
    let boston = |zip_code| json!({"zip_code": zip_code, "latitude": 42.359, "longitude": -71.0556});
    for place in import_each(zips.map(boston)) {
        let place = place.expect("a place");
        assert_eq!([&*place.zip_code, &place.city, &place.state], ["02109", "Boston", "MA"]);
    }
}

#[test]
fn uses_the_source_vintage_as_the_default_publication_date() {
    assert_eq!(place(&json!({"published_date": null})).published_date, "2026-07-01");
}

#[test]
fn derives_missing_ids_from_the_name_and_address() {
    let ids = |changes: &[Value]| -> Vec<u64> {
        let without_id = |changes: &Value| {
            let mut row = with(changes);
            row["place_id"] = Value::Null;
            row
        };
        let outcome = import_rows(&changes.iter().map(without_id).collect::<Vec<Value>>());
        let mut places = outcome.places();
        places.sort_by(|one, other| one.street_address.cmp(&other.street_address));
        places.iter().map(|place| place.id.raw()).collect()
    };
    let two = ids(&[json!({}), json!({"street_address": "1501 Broadway"})]);
    let is_derived = |id: &u64| (100_000_000_000..1_000_000_000_000).contains(id);
    assert!(two[0] != two[1] && two.iter().all(is_derived), "{two:?}");
    let elsewhere_and_in_capitals =
        json!({"place_name": "BLUE  KETTLE", "latitude": 40.7, "brand": "", "city": "NYC"});
    assert_eq!(ids(&[elsewhere_and_in_capitals]), two[..1]);
}

#[test]
fn derives_the_same_ids_as_the_sample() {
    let row = json!({
        "place_name": "Taco Bell", "place_type": "Quick Service Restaurant", "street_address": "2351 E. 5th Ave",
        "zip_code": "99501", "latitude": 61.217, "longitude": -149.832,
    });
    assert_eq!(import_rows(&[row]).places()[0].id, PlaceId::of("Taco Bell", "2351 E. 5th Ave", "99501"));
}

#[test]
fn rejects_duplicate_places_and_names_the_other_row() {
    let same = "has the same name and either the same street address and ZIP code or the same position";
    let outcome = import_rows(&[
        row(),
        with(&json!({"place_name": "blue kettle", "place_id": "18"})),
        with(&json!({"place_name": "Red Kettle"})),
        with(&json!({"place_id": null})),
        row(),
        with(&json!({"place_name": "", "place_id": "19"})),
        with(&json!({"place_name": "Green Kettle", "place_id": "19"})),
    ]);
    let id = "row 1 also has place_id 17";
    assert_eq!(
        outcome.reasons(),
        [
            (2, &*format!("row 1 {same}")),
            (3, id),
            (4, &*format!("row 1 {same}")),
            (5, &*format!("row 1 {same}")),
            (6, "place_name is missing"),
        ]
    );
}

#[test]
fn distinguishes_places_without_addresses_by_position() {
    let nameless = |latitude: f64| {
        with(&json!({"place_id": null, "street_address": null, "zip_code": null, "latitude": latitude}))
    };
    let outcome = import_rows(&[nameless(40.7566), nameless(40.7576), nameless(40.75661)]);
    assert_eq!(outcome.summary().accepted, 2);
    assert_eq!(outcome.rejects[0].line, 3);
}

#[test]
fn reports_unknown_place_types_with_the_most_similar_known_type() {
    let rows =
        [("11", "Cofee Shop"), ("12", "COFFEE  shop"), ("13", "cofee shop"), ("14", "Depatment Store")];
    let rows = rows.map(|(id, kind)| {
        with(&json!({"place_id": id, "place_type": kind, "place_name": format!("Kettle {id}")}))
    });
    let outcome = import_rows(&rows);
    let notice = |name: &str, places, nearest_name: &str| Notice::NewPlaceType {
        source_name: "Example".to_owned(),
        name: name.to_owned(),
        places,
        nearest_name: Some(nearest_name.to_owned()),
    };
    let notices = [notice("Cofee Shop", 2, "Coffee Shop"), notice("Depatment Store", 1, "Department Store")];
    assert_eq!(outcome.notices(), notices);
}

#[test]
fn fails_if_a_source_has_no_rows() {
    let row = row();
    let header: Vec<&str> = row.as_object().expect("fields").keys().map(String::as_str).collect();
    assert_eq!(import("csv", header.join(",")).error(), "Example: the files contain no rows");
}

//! What a row must say to become a place.

use builder::build::{About, Import, Notice, Rejects, add_places};
use builder::columns::ColumnMap;
use builder::places::{Existing, Setup, TARGETS};
use dataset::places::NewPlace;
use dataset::{GeographyIndex, PlaceId, Position};
use serde_json::{Value, json};

use crate::inventory::EMPTY;
use crate::{LOCATOR, Outcome, example_source, file, import, import_with};

/// A row that is right in every field.
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
    import("jsonl", lines.join("\n")).expect("a file of places")
}

/// The one place of a row that is accepted.
fn place(changes: &Value) -> NewPlace {
    let outcome = import_rows(&[with(changes)]);
    assert_eq!(outcome.reasons(), []);
    outcome.places.into_iter().next().expect("a place")
}

#[test]
fn a_row_becomes_a_place_of_its_market() {
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
        county: Some(GeographyIndex::from_raw(36061)),
        cbsa: Some(GeographyIndex::from_raw(35620)),
        dma: Some(GeographyIndex::from_raw(501)),
        zip: LOCATOR.find("10036").map(|area| area.index),
        source: example_source(),
    };
    assert_eq!(place(&json!({})), expected);
    let untidy =
        json!({"place_name": "  Blue Kettle ", "state": "ny", "zip_code": "10036-7012", "latitude": 40.7566});
    assert_eq!(place(&untidy), expected);
}

#[test]
fn everything_that_is_wrong_with_a_row_is_said() {
    let long = "é".repeat(201);
    #[rustfmt::skip]
    let dirty = [
        (json!({"place_name": ""}), "place_name is missing"),
        (json!({"place_name": null, "place_type": " \t"}), "place_name is missing; place_type is missing"),
        (json!({"place_name": long}), "place_name is longer than 200 characters"),
        (json!({"brand": "a\tb"}), "brand has a control character, such as a tab"),
        (json!({"city": {"name": "New York"}}), "city is an object, not a string or a number"),
        (json!({"place_name": ["a"]}), "place_name is an array, not a string or a number"),
        (json!({"latitude": "", "longitude": null}), "latitude is missing; longitude is missing"),
        (json!({"latitude": "40,7566"}), "latitude \"40,7566\" is not in decimal degrees"),
        (json!({"latitude": "40°45'N"}), "latitude \"40°45'N\" is not in decimal degrees"),
        (json!({"latitude": "NaN"}), "latitude NaN is not within -90 and 90 degrees"),
        (json!({"latitude": "-inf"}), "latitude -inf is not within -90 and 90 degrees"),
        (json!({"latitude": -120.5, "longitude": 181}), "latitude -120.5 is not within -90 and 90 degrees; longitude 181 is not within -180 and 180 degrees"),
        (json!({"latitude": "0", "longitude": "-0.0"}), "latitude and longitude are both 0, which stands for a position that is missing"),
        (json!({"state": "New Yorks"}), "state \"New Yorks\" is neither the two letters nor the name of a state"),
        (json!({"state": "ZZ", "zip_code": "1"}), "state \"ZZ\" is neither the two letters nor the name of a state; zip_code \"1\" is not 5 digits or ZIP+4"),
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
        (json!({"published_date": "2025-02-30"}), "published_date \"2025-02-30\" is not a date YYYY-MM-DD"),
        (json!({"published_date": "3/14/2025"}), "published_date \"3/14/2025\" is not a date YYYY-MM-DD; a column map can name its form in [dates]"),
        (json!({"published_date": "2025-3-014"}), "published_date \"2025-3-014\" is not a date YYYY-MM-DD"),
    ];
    let (rows, reasons): (Vec<Value>, Vec<&str>) =
        dirty.iter().map(|(changes, reason)| (with(changes), *reason)).unzip();
    let outcome = import_rows(&rows);
    assert_eq!(outcome.rejects.len(), rows.len());
    for ((reject, expected), row) in outcome.rejects.iter().zip(reasons).zip(&rows) {
        assert_eq!(reject.reason, expected, "{row}");
        assert_eq!(reject.row, row.to_string());
    }
    assert_eq!((outcome.summary.rows, outcome.summary.rejected), (28, 28));
}

#[test]
fn a_zip_code_keeps_its_five_digits() {
    let zips = [("2109", "02109"), ("02109-1234", "02109"), ("2109-1234", "02109"), ("021091234", "02109")];
    for (given, expected) in zips {
        let boston = json!({"zip_code": given, "state": null, "city": null, "latitude": 42.359, "longitude": -71.0556});
        let place = place(&boston);
        assert_eq!([&*place.zip_code, &place.city, &place.state], [expected, "Boston", "MA"]);
    }
}

#[test]
fn a_place_without_a_date_gets_the_one_of_the_import() {
    assert_eq!(place(&json!({"published_date": null})).published_date, "2026-07-01");
}

#[test]
fn an_id_that_is_missing_follows_from_what_the_place_is() {
    let without_id = |changes: &Value| {
        let mut row = with(changes);
        row["place_id"] = Value::Null;
        row
    };
    let outcome =
        import_rows(&[without_id(&json!({})), without_id(&json!({"street_address": "1501 Broadway"}))]);
    let ids: Vec<u64> = outcome.places.iter().map(|place| place.id.raw()).collect();
    assert!(
        ids[0] != ids[1] && ids.iter().all(|id| (100_000_000_000..1_000_000_000_000).contains(id)),
        "{ids:?}"
    );
    assert_eq!(outcome.summary.derived_ids, 2);
    let elsewhere_and_in_capitals =
        json!({"place_name": "BLUE  KETTLE", "latitude": 40.7, "brand": "", "city": "NYC"});
    assert_eq!(import_rows(&[without_id(&elsewhere_and_in_capitals)]).places[0].id.raw(), ids[0]);
}

#[test]
fn an_imported_place_of_the_sample_gets_the_id_that_it_has_there() {
    let row = json!({
        "place_name": "Taco Bell", "place_type": "Quick Service Restaurant", "street_address": "2351 E. 5th Ave",
        "zip_code": "99501", "latitude": 61.217, "longitude": -149.832,
    });
    assert_eq!(import_rows(&[row]).places[0].id, PlaceId::of("Taco Bell", "2351 E. 5th Ave", "99501"));
}

#[test]
fn a_row_that_repeats_another_is_rejected_and_names_it() {
    let same = "has the same name at the same street address and ZIP code, or at the same position";
    let outcome = import_rows(&[
        row(),
        with(&json!({"place_name": "blue kettle", "place_id": "18"})),
        with(&json!({"place_name": "Red Kettle"})),
        with(&json!({"place_id": null})),
        row(),
        with(&json!({"place_name": "", "place_id": "19"})),
        with(&json!({"place_name": "Green Kettle", "place_id": "19"})),
    ]);
    let id = "row 1 of the file has the same place_id 17";
    assert_eq!(
        outcome.reasons(),
        [
            (2, &*format!("row 1 of the file {same}")),
            (3, id),
            (4, &*format!("row 1 of the file {same}")),
            (5, &*format!("row 1 of the file {same}; {id}")),
            (6, "place_name is missing"),
        ]
    );
}

#[test]
fn places_without_an_address_are_told_apart_by_their_position() {
    let nameless = |latitude: f64| {
        with(&json!({"place_id": null, "street_address": null, "zip_code": null, "latitude": latitude}))
    };
    let outcome = import_rows(&[nameless(40.7566), nameless(40.7576), nameless(40.75661)]);
    assert_eq!(outcome.summary.accepted, 2);
    assert_eq!(outcome.rejects[0].line, 3);
}

#[test]
fn a_row_that_repeats_a_place_of_the_release_is_rejected_and_names_it() {
    let position = Position { latitude: 40.7566, longitude: -73.9862 };
    let existing = [
        Existing { id: PlaceId::from_raw(17), name: "Elsewhere", street_address: "", zip_code: "", position },
        Existing {
            id: PlaceId::from_raw(99),
            name: "Blué Kettle",
            street_address: "1500 broadway",
            zip_code: "10036",
            position,
        },
    ];
    let source = file("jsonl", row().to_string());
    let outcome = import_with(&source, &ColumnMap::own_names(&TARGETS), &LOCATOR, &existing);
    std::fs::remove_file(&source).expect("written");
    let reason = "place 99 of the release has the same name at the same street address and ZIP code, or at the \
                  same position; place 17 of the release has the same place_id 17";
    assert_eq!(outcome.expect("a file of places").reasons(), [(1, reason)]);
}

#[test]
fn the_rejected_rows_are_not_written_over_the_source() {
    let source = file("csv", "place_name\n");
    let mut rejects = builder::build::Rejects::into_file(source.clone());
    let map = ColumnMap::own_names(&TARGETS);
    let setup = Setup {
        map: &map,
        locator: &LOCATOR,
        is_foreign: false,
        source: &example_source(),
        progress: &|_, _, _| {},
    };
    let read = builder::places::read(std::slice::from_ref(&source), setup, [], &mut rejects);
    let error = read.expect_err("the same file").to_string();
    assert!(error.ends_with("the rejected rows cannot be written over the rows that are read"), "{error}");
    assert_eq!(std::fs::read_to_string(&source).expect("the source"), "place_name\n");
    std::fs::remove_file(&source).expect("written");
}

#[test]
fn a_new_place_type_is_announced_with_the_nearest_that_is_known() {
    let rows = [("11", "Cofee Shop"), ("12", "COFFEE  shop"), ("13", "cofee shop"), ("14", "Gas Station")];
    let rows = rows.map(|(id, kind)| {
        with(&json!({"place_id": id, "place_type": kind, "place_name": format!("Kettle {id}")})).to_string()
    });
    let files = [file("jsonl", rows.join("\n"))];
    let about = About { source: "Example".to_owned(), vintage: "2026-07-01".to_owned() };
    let import = Import {
        base: &EMPTY,
        files: &files,
        about: &about,
        is_foreign: false,
        max_rejects: None,
        out: None,
        progress: &|_, _, _| {},
    };
    let map = ColumnMap::own_names(&TARGETS);
    let summary = add_places(&import, &map, &mut Rejects::beside_sources()).expect("a file of places");
    let notice = |name: &str, places| Notice::NewPlaceType {
        name: name.to_owned(),
        places,
        nearest: Some("Coffee Shop".to_owned()),
    };
    assert_eq!(summary.notices, [notice("Cofee Shop", 2), notice("Gas Station", 1)]);
    std::fs::remove_file(&files[0]).expect("written");
}

//! Tests that the places file doesn't depend on the order of the input, and that corrupted files are
//! rejected.

use std::fs;

use dataset::Part;

use crate::fixture::{GEOGRAPHIES, Row, Scratch, places};

fn rows() -> Vec<Row> {
    let cities = ["Anchorage", "anchorage", "Nome"];
    (0..12)
        .map(|number| Row {
            city: cities[number % 3].to_owned(),
            zip_code: format!("{:05}", 99_500 + number % 7),
            place_type: ["Coffee Shop", "Bank"][number % 2].to_owned(),
            ..Row::new(["Starbucks", "Café", "STARBUCKS"][number % 3], &format!("{} Main St", number / 3))
        })
        .collect()
}

#[test]
fn file_does_not_depend_on_the_order_of_the_rows() {
    let bytes = |rows: &[Row]| {
        let scratch = Scratch::new();
        scratch.write(rows);
        fs::read(scratch.path().join(Part::Places.file())).unwrap()
    };
    let mut rows = rows();
    let expected = bytes(&rows);
    for _ in 0..rows.len() {
        rows.rotate_left(5);
        rows.swap(0, 1);
        assert!(bytes(&rows) == expected);
    }
}

#[test]
fn rejects_a_truncated_file() {
    let scratch = Scratch::new();
    scratch.write(&rows());
    let file = scratch.path().join(Part::Places.file());
    let whole = fs::read(&file).unwrap();
    assert_eq!(scratch.open().unwrap().len(), rows().len());
    for length in 1..whole.len() {
        fs::write(&file, &whole[..length]).unwrap();
        assert!(scratch.open().is_err(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn rejects_a_reference_to_a_missing_geography() {
    let places = places(&rows());
    assert!(places.check(GEOGRAPHIES).is_ok());
    let error = places.check(10).unwrap_err();
    assert_eq!(error.file(), "places.bin");
    assert!(error.to_string().contains("refers to an unknown geography"), "{error}");
}

use std::path::Path;

use dataset::{PlaceId, PlaceQuery};

use crate::fixture::{Row, Scratch};

#[test]
fn the_projects_own_table_becomes_places() {
    let scratch = Scratch::new();
    let rows = scratch.build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")).unwrap();
    assert_eq!(rows, [("place_types".to_owned(), 14), ("places".to_owned(), 99_271)].into());
    let places = scratch.open().unwrap();
    places.check(crate::fixture::GEOGRAPHIES).unwrap();
    assert_eq!(places.len(), 99_271);

    let place = places.get(places.find(PlaceId::of("Taco Bell", "2351 E. 5th Ave", "99501")).unwrap());
    assert_eq!((place.name, place.brand, place.place_type), ("Taco Bell", "Taco Bell", "Quick Service Restaurant"));
    assert_eq!((place.street_address, place.city), ("2351 E. 5th Ave", "Anchorage"));
    assert_eq!((place.state, place.zip_code, place.published_date), ("AK", "99501", "2024-11-30"));
    assert_eq!((place.latitude, place.longitude), (61.217_946, -149.835_981));

    let filter = |text: &str| Some(text.to_owned());
    let query =
        PlaceQuery { place_name: filter("taco bel"), city: filter("anchorage"), take: 50, ..PlaceQuery::default() };
    let found = places.search(&query);
    assert!(found.places.iter().any(|index| places.get(*index) == place), "{found:?}");
}

#[test]
fn a_row_that_cannot_be_right_stops_the_build() {
    let of = |text: &str| text.to_owned();
    let right = || Row::new("Starbucks", "2 Main St");
    let cases = [
        (Row { name: of(" "), ..right() }, "place_name: is empty"),
        (Row { place_type: of(""), ..right() }, "place_type: is empty"),
        (Row { city: of(""), ..right() }, "city: is empty"),
        (Row { state: of("ak"), ..right() }, "state \"ak\": expected two capital letters"),
        (Row { state: of("Alaska"), ..right() }, "state \"Alaska\": expected two capital letters"),
        (Row { zip_code: of("9950"), ..right() }, "zip_code \"9950\": expected five digits"),
        (Row { zip_code: of("99501-1"), ..right() }, "zip_code \"99501-1\": expected five digits"),
        (Row { latitude: of("90.5"), ..right() }, "latitude 90.5: expected -90 to 90"),
        (Row { longitude: of("-181"), ..right() }, "longitude -181: expected -180 to 180"),
        (Row { longitude: of("NaN"), ..right() }, "longitude NaN: expected -180 to 180"),
        (Row { latitude: of("north"), ..right() }, "latitude: invalid float literal"),
        (Row { latitude: of(""), ..right() }, "latitude: "),
        (Row::new("STARBUCKS", "1  main st"), "place_name, street_address and zip_code are those of line 2"),
    ];
    for (row, expected) in cases {
        let scratch = Scratch::new();
        scratch.table(&[Row::new("Starbucks", "1 Main St"), row.clone()]);
        let error = scratch.build(scratch.path()).unwrap_err();
        assert!(error.contains(&format!("places.csv.gz: line 3: {expected}")), "{row:?}: {error}");
    }
}

#[test]
fn a_table_that_is_missing_or_of_other_columns_stops_the_build() {
    let scratch = Scratch::new();
    assert!(scratch.build(scratch.path()).unwrap_err().contains("places.csv.gz: "));
    scratch.table(&[]);
    std::fs::write(scratch.path().join("places/places.csv.gz"), "place_name\nStarbucks\n").unwrap();
    assert!(scratch.build(scratch.path()).unwrap_err().contains("places.csv.gz: "));
}

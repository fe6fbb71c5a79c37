//! Tests builds with column maps.

use builder::columns::ColumnMap;
use builder::places::TARGETS;
use dataset::places::NewPlace;

use crate::{Outcome, PLACES, build_file, code, data, import};

fn mapped(extension: &str, content: &str, map: &str) -> Outcome {
    build_file(PLACES, extension, content, Some(map))
}

/// Builds a release from one of the documentation's examples.
fn example(extension: &str, name: &str) -> Outcome {
    let text = |file: &str| std::fs::read_to_string(data("examples").join(file)).expect("an example");
    mapped(extension, &text(&format!("{name}.{extension}")), &text(&format!("{name}_map.toml")))
}

#[test]
fn invalid_map_is_rejected() {
    let targets = "place_id, register_id, place_name, brand, place_type, street_address, city, state, zip_code, \
                   latitude, longitude, county, dma, country, published_date";
    let refused = [
        ("[columns]\nname = \"a\"", format!("unknown target \"name\"; the targets are {targets}")),
        ("[constants]\nname = \"a\"", format!("unknown target \"name\"; the targets are {targets}")),
        (
            "[columns]\ncity = \"a\"\n[constants]\ncity = \"b\"",
            "city is both in columns and in constants; remove it from one of them".to_owned(),
        ),
        ("[columns]\ncity = 1", "columns.city must be the name of a column, in quotes".to_owned()),
        ("[constants]\ncity = []", "constants.city must be a single value".to_owned()),
    ];
    for (text, reason) in refused {
        assert_eq!(ColumnMap::parse(text, &TARGETS).map_err(|error| error.to_string()), Err(reason));
    }
    let error = ColumnMap::parse("[column]\ncity = \"a\"", &TARGETS).expect_err("no such table").to_string();
    assert!(error.contains("`columns`, `constants`, `values`, `dates`, `modelled`, `format`"), "{error}");
    let error = ColumnMap::read("nowhere/map.toml".as_ref(), &TARGETS).expect_err("no such file").to_string();
    assert!(error.starts_with("nowhere/map.toml: cannot be read: "), "{error}");
}

#[test]
fn a_column_that_is_not_in_the_header_is_an_error_of_the_file() {
    let map = "[columns]\nplace_name = \"Name\"\ncity = \"Town\"\n[constants]\nplace_type = \"Shop\"\n\
               latitude = 40\nlongitude = -73.5";
    let reason = "there is no column \"Town\" for city; the columns are \"Name\", \"City\"";
    assert_eq!(mapped("csv", "Name,City\nA,B\n", map).error(), reason);
    assert_eq!(mapped("csv", "Name,Town\nA,B\n", map).summary().accepted, 1);

    let outcome = import("csv", "place_name,latitude,longitude\nA,40.7,-73.9\n");
    let reason = "no column looks like place_type; to get a column map that you can correct, run \
                  `marquee release propose-map rows.csv --places`";
    assert_eq!(outcome.error(), reason);
}

#[test]
fn a_map_says_where_all_that_is_required_comes_from() {
    let reason = |target: &str| format!("the column map must contain a column or a constant for {target}");
    let map = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"";
    assert_eq!(mapped("jsonl", "{}\n", map).error(), reason("place_type"));
    let map = "[columns]\nplace_name = \"n\"\nplace_type = \"t\"\nlatitude = \"y\"";
    assert_eq!(mapped("geojson", "{\"features\": []}", map).error(), reason("longitude"));
}

#[test]
fn columns_that_a_map_does_not_name_are_not_read() {
    let map = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"\n[constants]\nplace_type = \"Shop\"";
    let row = "{\"n\": \"A\", \"y\": 40.7, \"x\": -73.9, \"place_id\": \"A-1\", \"city\": [1]}";
    let outcome = mapped("jsonl", row, map);
    assert_eq!(outcome.places()[0].state, "NY");
}

#[test]
fn the_columns_of_a_map_go_before_the_point_of_a_feature() {
    let map = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"\n[constants]\nplace_type = \"Shop\"";
    let feature = "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \
                   \"coordinates\": [-149.9, 61.2]}, \"properties\": {\"n\": \"A\", \"y\": 40.7, \"x\": -73.9, \"latitude\": 1}}";
    let outcome = mapped("geojson", &format!("{{\"features\": [{feature}]}}"), map);
    assert_eq!(outcome.places()[0].state, "NY");
}

#[test]
fn the_examples_give_what_the_documentation_says() {
    let outcome = example("csv", "places");
    let summary = outcome.summary();
    assert_eq!((summary.rows, summary.rejected(), summary.outside_us), (5, 1, 1));
    assert_eq!(
        outcome.reasons(),
        [(6, "latitude and longitude are both 0, which means that the position is missing")]
    );
    let mut places = outcome.places();
    places.sort_by_key(|place| place.id);
    let address = |place: &NewPlace| {
        let address = [&*place.city, &place.state, &place.zip_code].join(", ");
        (place.id.raw(), address, code(place.dma).unwrap_or_default())
    };
    let addresses: Vec<_> = places.iter().map(address).collect();
    assert_eq!(
        addresses,
        [
            (1001, "New York, NY, 10036".to_owned(), "501".to_owned()),
            (1002, "Anchorage, AK, 99501".to_owned(), "743".to_owned()),
            (1003, "Boston, MA, 02109".to_owned(), "506".to_owned()),
            (1004, "Toronto, ON, M5X 1A9".to_owned(), "".to_owned()),
        ]
    );
    assert_eq!([&*places[1].published_date, &places[2].published_date], ["2024-11-02", "2026-07-01"]);

    let outcome = example("geojson", "sights");
    let mut states: Vec<String> = outcome.places().into_iter().map(|place| place.state).collect();
    states.sort();
    assert_eq!(states, ["CA", "CO"]);
    assert_eq!(outcome.reasons(), [(3, "the geometry is a \"LineString\", not a Point")]);
}

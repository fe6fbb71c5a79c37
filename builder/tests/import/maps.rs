//! Column maps.

use builder::columns::ColumnMap;
use builder::places::TARGETS;
use dataset::GeographyIndex;

use crate::{LOCATOR, Outcome, data, file, import, import_with};

fn mapped(extension: &str, content: &str, map: &str) -> Result<Outcome, String> {
    let source = file(extension, content);
    let map = ColumnMap::parse(map, &TARGETS).expect("a map");
    let result = import_with(&source, &map, &LOCATOR, &[]);
    std::fs::remove_file(&source).expect("written");
    result.map_err(|error| error.replacen(&format!("{}: ", source.display()), "", 1))
}

#[test]
fn a_map_that_is_not_right_is_refused() {
    let targets = "place_id, register_id, place_name, brand, place_type, street_address, city, state, zip_code, \
                   latitude, longitude, county, dma, country, published_date";
    let refused = [
        ("[columns]\nname = \"a\"", format!("there is no target \"name\"; there are {targets}")),
        ("[constants]\nname = \"a\"", format!("there is no target \"name\"; there are {targets}")),
        (
            "[columns]\ncity = \"a\"\n[constants]\ncity = \"b\"",
            "city is both in columns and in constants; leave one of them out".to_owned(),
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
    assert_eq!(mapped("csv", "Name,City\nA,B\n", map).expect_err("no such column"), reason);
    assert_eq!(mapped("csv", "Name,Town\nA,B\n", map).expect("a file of places").summary.accepted, 1);

    let error = import("csv", "place_name,latitude,longitude\nA,40.7,-73.9\n").expect_err("no such column");
    let reason = "there is no column \"place_type\" for place_type; the columns are \"place_name\", \
                  \"latitude\", \"longitude\"; a column map can name one";
    assert!(error.ends_with(reason), "{error}");
}

#[test]
fn a_map_says_where_all_that_is_required_comes_from() {
    let reason = |target: &str| format!("the column map must say where {target} comes from");
    let map = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"";
    assert_eq!(mapped("jsonl", "{}\n", map).expect_err("no type"), reason("place_type"));
    let map = "[columns]\nplace_name = \"n\"\nplace_type = \"t\"\nlatitude = \"y\"";
    assert_eq!(mapped("geojson", "{\"features\": []}", map).expect_err("no longitude"), reason("longitude"));
}

#[test]
fn columns_that_a_map_does_not_name_are_not_read() {
    let map = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"\n[constants]\nplace_type = \"Shop\"";
    let row = "{\"n\": \"A\", \"y\": 40.7, \"x\": -73.9, \"place_id\": \"A-1\", \"city\": [1]}";
    let outcome = mapped("jsonl", row, map).expect("a file of places");
    assert_eq!(outcome.places[0].state, "NY");
}

#[test]
fn the_columns_of_a_map_go_before_the_point_of_a_feature() {
    let map = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"\n[constants]\nplace_type = \"Shop\"";
    let feature = "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \
                   \"coordinates\": [-149.9, 61.2]}, \"properties\": {\"n\": \"A\", \"y\": 40.7, \"x\": -73.9, \"latitude\": 1}}";
    let outcome =
        mapped("geojson", &format!("{{\"features\": [{feature}]}}"), map).expect("a file of places");
    assert_eq!(outcome.places[0].state, "NY");
}

#[test]
fn the_examples_give_what_the_documentation_says() {
    let map = ColumnMap::read(&data("examples/places_map.toml"), &TARGETS).expect("a map");
    let outcome = import_with(&data("examples/places.csv"), &map, &LOCATOR, &[]).expect("a file of places");
    let summary = &outcome.summary;
    assert_eq!(
        (summary.rows, summary.accepted, summary.rejected, summary.outside_us, summary.derived_ids),
        (5, 4, 1, 1, 0)
    );
    assert_eq!(
        outcome.reasons(),
        [(6, "latitude and longitude are both 0, which stands for a position that is missing")]
    );
    let addresses: Vec<_> = outcome
        .places
        .iter()
        .map(|place| {
            (
                place.id.raw(),
                [&*place.city, &place.state, &place.zip_code],
                place.dma.map(GeographyIndex::raw),
            )
        })
        .collect();
    assert_eq!(
        addresses,
        [
            (1001, ["New York", "NY", "10036"], Some(501)),
            (1002, ["Anchorage", "AK", "99501"], Some(743)),
            (1003, ["Boston", "MA", "02109"], Some(506)),
            (1004, ["Toronto", "ON", "M5X 1A9"], None),
        ]
    );
    assert_eq!(
        [&*outcome.places[1].published_date, &outcome.places[2].published_date],
        ["2024-11-02", "2026-07-01"]
    );

    let map = ColumnMap::read(&data("examples/sights_map.toml"), &TARGETS).expect("a map");
    let outcome =
        import_with(&data("examples/sights.geojson"), &map, &LOCATOR, &[]).expect("a file of places");
    let states: Vec<&str> = outcome.places.iter().map(|place| &*place.state).collect();
    assert_eq!((states, outcome.summary.derived_ids), (vec!["CA", "CO"], 2));
    assert_eq!(outcome.reasons(), [(3, "the geometry is a \"LineString\", not a Point")]);
}

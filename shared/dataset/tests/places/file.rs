//! What the file of places promises: the same bytes from rows in any order, and no panic when it is damaged.

use std::fs;

use dataset::{Circle, Part, PlaceId, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey, Places, Position};

use crate::fixture::{GEOGRAPHIES, Row, Scratch, places};

const CENTER: Position = Position { latitude: 60.0, longitude: -150.0 };

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

/// Reads all places and searches them in several ways.
fn use_all(places: &Places) {
    for index in places.indexes() {
        let place = places.get(index);
        assert_eq!(places.find(place.id), Some(index));
    }
    let of = |text: &str| Some(text.to_owned());
    let queries = [
        PlaceQuery { place_name: of("starbuks"), ..PlaceQuery::default() },
        PlaceQuery { place_name: of("c"), ..PlaceQuery::default() },
        PlaceQuery { address: of("*main*"), ..PlaceQuery::default() },
        PlaceQuery { address: of("?*"), city: of("nome"), ..PlaceQuery::default() },
        PlaceQuery { city: of("anchorage"), state: of("AK"), ..PlaceQuery::default() },
        PlaceQuery {
            dmas: places.indexes().map(|index| places.get(index).dma).collect(),
            ..PlaceQuery::default()
        },
        PlaceQuery {
            brand: of("brand"),
            counties: places.indexes().map(|index| places.get(index).county).collect(),
            circle: Some(Circle { center: CENTER, km: 9_000.0 }),
            ..PlaceQuery::default()
        },
    ];
    let visits = places.by_place(places.place_types().map(|one| (PlaceId::from_raw(one.id.into()), 1)));
    let others = [PlaceSortKey::WeeklyVisits(&visits), PlaceSortKey::DistanceFrom(CENTER)];
    for query in queries {
        for key in PlaceSortField::ALL.map(PlaceSortKey::Field).into_iter().chain(others) {
            places.search(&PlaceQuery {
                sort: PlaceSort { key, descending: true },
                take: 5,
                ..query.clone()
            });
        }
    }
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
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
fn a_file_that_is_cut_off_is_refused() {
    let scratch = Scratch::new();
    scratch.write(&rows());
    let file = scratch.path().join(Part::Places.file());
    let whole = fs::read(&file).unwrap();
    use_all(&scratch.open().unwrap());
    for length in 1..whole.len() {
        fs::write(&file, &whole[..length]).unwrap();
        let refused = scratch.open().and_then(|places| places.check(GEOGRAPHIES)).is_err();
        assert!(refused, "{length} of {} bytes", whole.len());
    }
}

#[test]
fn a_file_with_a_wrong_byte_is_refused_or_can_be_used() {
    let scratch = Scratch::new();
    scratch.write(&rows());
    let file = scratch.path().join(Part::Places.file());
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        for flipped in [0x01, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= flipped;
            // Another file, since the one before is still mapped by what was opened.
            fs::remove_file(&file).unwrap();
            fs::write(&file, bytes).unwrap();
            if let Ok(places) = scratch.open()
                && places.check(GEOGRAPHIES).is_ok()
            {
                use_all(&places);
            }
        }
    }
}

#[test]
fn a_geography_that_is_not_there_is_found_out() {
    let places = places(&rows());
    assert!(places.check(GEOGRAPHIES).is_ok());
    let error = places.check(10).unwrap_err();
    assert_eq!(error.file(), "places.bin");
    assert!(error.to_string().contains("refers to a geography that is not there"), "{error}");
}

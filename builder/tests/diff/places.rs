//! Tests differences between places.

use builder::diff::Kind;
use dataset::places::NewPlace;
use dataset::{GeographyIndex, PlaceId, Position};

use crate::release::{Release, changed, only, source};

fn area(position: u32) -> Option<GeographyIndex> {
    Some(GeographyIndex::from_raw(position))
}

fn place(name: &str, vintage: &str) -> NewPlace {
    NewPlace {
        id: PlaceId::from_raw(100_000_000_001),
        name: name.to_owned(),
        brand: "Blue Kettle".to_owned(),
        place_type: "Coffee Shop".to_owned(),
        street_address: "1 Main St".to_owned(),
        city: "San Francisco".to_owned(),
        state: "CA".to_owned(),
        zip_code: "94103".to_owned(),
        position: Position { latitude: 37.77, longitude: -122.41 },
        published_date: vintage.to_owned(),
        register_id: String::new(),
        county: None,
        cbsa: None,
        dma: None,
        zip: area(2),
        source: source("Blue Kettle stores", vintage),
    }
}

fn release(place: NewPlace) -> Release {
    Release { places: vec![place], ..Release::default() }
}

#[test]
fn changed_places_list_their_members() {
    type Alter = fn(&mut NewPlace);
    let cases: [(&str, Alter); 13] = [
        ("place_name", |place| place.name.push('!')),
        ("place_type", |place| place.place_type = "Bakery".to_owned()),
        ("brand", |place| place.brand.clear()),
        ("street_address", |place| place.street_address = "2 Main St".to_owned()),
        ("city", |place| place.city = "Oakland".to_owned()),
        ("state", |place| place.state = "NV".to_owned()),
        ("zip_code", |place| place.zip_code = "94104".to_owned()),
        ("zip_code", |place| place.zip = area(1)),
        ("location", |place| place.position.latitude += 0.001),
        ("register_id", |place| place.register_id = "17".to_owned()),
        ("published_date", |place| place.published_date = "2026-09-09".to_owned()),
        ("county", |place| place.county = area(1)),
        ("dma", |place| place.dma = area(1)),
    ];
    let old = place("Blue Kettle 1", "2026-10-01");
    for (member, alter) in cases {
        let mut altered = old.clone();
        alter(&mut altered);
        let difference = release(old.clone()).compare(&release(altered));
        assert_eq!(changed(&difference, Kind::Places), (vec![member], None));
    }
    let mut moved = old.clone();
    moved.position.latitude += 0.02;
    let (members, distance) = changed(&release(old).compare(&release(moved)), Kind::Places);
    assert_eq!(members, ["location"]);
    assert!(distance.is_some_and(|distance| (2.22..2.23).contains(&distance)), "{distance:?}");
}

#[test]
fn added_and_removed_places_have_their_names() {
    let empty = Release::default();
    let one = release(place("Blue Kettle 1", "2026-10-01"));
    let (added, removed) = (empty.compare(&one), one.compare(&empty));
    assert_eq!((only(&added).added, only(&removed).removed), (1, 1));
    for difference in [added, removed] {
        assert_eq!(difference.rows()[0].name, "Blue Kettle 1");
    }
}

#[test]
fn published_date_that_is_the_vintage_of_the_source_is_not_a_change() {
    let [october, november] = ["2026-10-01", "2026-11-01"].map(|day| release(place("Blue Kettle 1", day)));
    let difference = october.compare(&november);
    let one = only(&difference);
    assert_eq!((one.new_vintage, one.changed, one.before, one.after), (1, 0, 1, 1));
}

#[test]
fn areas_are_compared_by_id() {
    let old = release(place("Blue Kettle 1", "2026-10-01"));
    let mut new = old.clone();
    new.geographies.remove(1);
    new.places[0].zip = area(1);
    let difference = old.compare(&new);
    assert!(difference.by_source().next().is_none(), "{difference:?}");
    assert!(difference.geographies_differ && !difference.is_empty());
    new.places[0].zip = None;
    assert_eq!(changed(&old.compare(&new), Kind::Places).0, ["zip_code"]);
}

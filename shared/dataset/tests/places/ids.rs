//! Tests of place IDs.

use dataset::{ParsePlaceIdError, PlaceId};

use crate::fixture::{Row, places};

#[test]
fn ids_are_stable_across_releases() {
    let places = places(&[Row::new("Starbucks", "1 Main St")]);
    let place = places.get(places.indexes().next().unwrap());
    assert_eq!(place.id.raw(), 271_605_633_019);
    assert_eq!(place.place_type_id, 340_627_896);
}

#[test]
fn id_depends_on_name_street_address_and_zip_code() {
    let id = PlaceId::of("Café A", "1 Main St", "99501");
    assert_eq!(id, PlaceId::of("CAFE  a", " 1 main st", "99501"));
    let others = [
        ("Café B", "1 Main St", "99501"),
        ("Café A", "2 Main St", "99501"),
        ("Café A", "1 Main St", "99502"),
    ];
    for (name, street_address, zip_code) in others {
        assert_ne!(id, PlaceId::of(name, street_address, zip_code));
    }
    assert_ne!(PlaceId::of("A 1", "Main St", "99501"), PlaceId::of("A", "1 Main St", "99501"));
}

#[test]
fn ids_have_twelve_digits_and_round_trip() {
    for number in 0..1_000 {
        let text = PlaceId::of("A", &number.to_string(), "99501").to_string();
        assert_eq!(text.len(), 12);
        assert_eq!(text.parse::<PlaceId>().unwrap().to_string(), text);
    }
    for text in ["", "+1", "-1", "1.0", " 1", "1 ", "A", "18446744073709551616", "\u{661}"] {
        assert_eq!(text.parse::<PlaceId>(), Err(ParsePlaceIdError), "{text}");
    }
}

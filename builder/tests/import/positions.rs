//! The market of a place, found by its coordinates.

use builder::location::Locator;
use dataset::places::NewPlace;
use dataset::{GeographyIndex, Position};
use serde_json::{Value, json};

use crate::{LOCATOR, Outcome, import};

fn import_at(latitude: f64, longitude: f64, address: &Value) -> Outcome {
    let mut row =
        json!({"place_name": "A", "place_type": "Shop", "latitude": latitude, "longitude": longitude});
    for (field, value) in address.as_object().expect("fields") {
        row[field] = value.clone();
    }
    import("jsonl", row.to_string()).expect("a file of places")
}

fn place_at(latitude: f64, longitude: f64, address: &Value) -> NewPlace {
    let outcome = import_at(latitude, longitude, address);
    assert_eq!(outcome.reasons(), []);
    outcome.places.into_iter().next().expect("a place")
}

fn reason_at(latitude: f64, longitude: f64, address: &Value) -> String {
    let outcome = import_at(latitude, longitude, address);
    outcome.rejects.into_iter().next().expect("a rejected row").reason
}

/// City, state, ZIP code, county, CBSA and DMA.
fn market(place: &NewPlace) -> (&str, &str, &str, Option<u32>, Option<u32>, Option<u32>) {
    let [county, cbsa, dma] = [place.county, place.cbsa, place.dma].map(|area| area.map(GeographyIndex::raw));
    (&place.city, &place.state, &place.zip_code, county, cbsa, dma)
}

fn is_outside(place: &NewPlace) -> bool {
    (place.zip, place.county, place.cbsa, place.dma) == (None, None, None, None)
}

#[test]
fn what_is_missing_of_an_address_comes_from_the_nearest_zip_code() {
    let times_square = place_at(40.7580, -73.9855, &json!({}));
    assert_eq!(market(&times_square), ("New York", "NY", "10036", Some(36061), Some(35620), Some(501)));
    let anchorage = place_at(61.2181, -149.9003, &json!({}));
    assert_eq!(market(&anchorage), ("Anchorage", "AK", "99501", Some(2020), Some(11260), Some(743)));
}

#[test]
fn a_zip_code_that_is_known_wins_over_the_nearest_one() {
    let times_square = place_at(40.7580, -73.9855, &json!({"zip_code": "11201"}));
    assert_eq!(market(&times_square), ("Brooklyn", "NY", "11201", Some(36047), Some(35620), Some(501)));
    let of_an_office = place_at(40.7580, -73.9855, &json!({"zip_code": "10112"}));
    assert_eq!(of_an_office.zip, LOCATOR.find("10112").map(|area| area.index));
}

#[test]
fn a_zip_code_that_is_unknown_is_kept_and_the_nearest_one_gives_the_market() {
    let times_square = place_at(40.7580, -73.9855, &json!({"zip_code": "00000"}));
    assert_eq!(market(&times_square), ("New York", "NY", "00000", Some(36061), Some(35620), Some(501)));
    assert_eq!(times_square.zip, LOCATOR.find("10036").map(|area| area.index));
}

#[test]
fn a_state_that_is_given_decides_at_its_border() {
    let (latitude, longitude) = (40.7440, -74.0324);
    assert_eq!(place_at(latitude, longitude, &json!({})).zip_code, "07030");
    let in_new_york = place_at(latitude, longitude, &json!({"state": "NY"}));
    assert_eq!((&*in_new_york.state, in_new_york.county), ("NY", Some(GeographyIndex::from_raw(36061))));
}

#[test]
fn a_place_in_another_country_is_kept_without_a_market() {
    let address = json!({"country": "CA", "city": "Toronto", "state": "Ontario", "zip_code": "M5V 3L9"});
    let toronto = place_at(43.6532, -79.3832, &address);
    assert!(is_outside(&toronto));
    assert_eq!([&*toronto.city, &toronto.state, &toronto.zip_code], ["Toronto", "Ontario", "M5V 3L9"]);
    assert_eq!(import_at(43.6532, -79.3832, &address).summary.outside_us, 1);
    assert!(is_outside(&place_at(43.0896, -79.0849, &json!({"country": "Canada"}))));
}

#[test]
fn without_a_country_the_state_and_then_the_distance_decide() {
    let (latitude, longitude) = (43.6532, -79.3832);
    assert!(is_outside(&place_at(latitude, longitude, &json!({}))), "the nearest ZIP code is 54 km away");
    assert_eq!(
        place_at(latitude, longitude, &json!({"state": "NY"})).dma,
        Some(GeographyIndex::from_raw(514))
    );
    // Across the river from Niagara Falls, NY.
    assert!(is_outside(&place_at(43.0896, -79.0849, &json!({"state": "on"}))));
    assert!(is_outside(&place_at(18.4655, -66.1057, &json!({"state": "PR", "zip_code": "00901"}))));
    assert!(is_outside(&place_at(18.4655, -66.1057, &json!({"state": "PR", "country": "USA"}))));
}

#[test]
fn close_to_the_border_a_place_without_an_address_is_taken_for_an_american_one() {
    // The limit of the method, which the documentation names: Tijuana is 5 km from a ZIP code.
    assert_eq!(place_at(32.5149, -117.0382, &json!({})).dma, Some(GeographyIndex::from_raw(825)));
    assert!(is_outside(&place_at(32.5149, -117.0382, &json!({"country": "MX"}))));
}

#[test]
fn the_country_may_be_written_in_several_ways() {
    for country in ["US", "us", "USA", "U.S.A.", "United States", "united states of america"] {
        let place = place_at(40.7580, -73.9855, &json!({"country": country}));
        assert_eq!(place.dma, Some(GeographyIndex::from_raw(501)), "{country}");
    }
}

const WRONG: &str = "correct the one that is wrong";

/// What is said besides where no country is named.
const OR_COUNTRY: &str = "; outside the United States, name the country (--outside-us does for a whole file)";

#[test]
fn coordinates_and_an_address_that_contradict_each_other_are_rejected() {
    let far =
        "the position is more than 500 km from every ZIP code, but the address is in the United States: ";
    for (latitude, longitude, address, cause) in [
        (40.7580, 73.9855, json!({"state": "NY"}), "longitude lacks its minus sign"),
        (-73.9855, 40.7580, json!({"country": "US"}), "latitude and longitude look swapped"),
        (
            73.9855,
            40.7580,
            json!({"zip_code": "10036"}),
            "latitude and longitude look swapped, and longitude lacks its minus sign",
        ),
        (-40.7580, -73.9855, json!({"state": "NY"}), "latitude has a minus sign too many"),
        (
            52.52,
            13.405,
            json!({"state": "NY"}),
            &format!("check the signs of latitude and longitude and that they are not swapped{OR_COUNTRY}"),
        ),
        (
            52.52,
            13.405,
            json!({"state": "NY", "country": "US"}),
            "check the signs of latitude and longitude and that they are not swapped",
        ),
    ] {
        let far =
            if address["zip_code"].is_null() { far } else { &far.replace("the address", "the zip_code") };
        assert_eq!(reason_at(latitude, longitude, &address), format!("{far}{cause}"));
    }
    assert_eq!(
        reason_at(40.7580, -73.9855, &json!({"zip_code": "99501"})),
        format!(
            "the position is in NY, 5406 km from zip_code 99501 in AK: correct the one that is wrong; without \
             zip_code, the nearest is taken{OR_COUNTRY}"
        )
    );
}

#[test]
fn far_from_its_zip_code_in_the_same_state_a_place_lies_in_the_market_of_the_nearest_one() {
    // The table has the middle of 99505, in Anchorage, 511 km away from the town.
    let fort =
        place_at(61.2580, -149.6738, &json!({"city": "Fort Richardson", "state": "AK", "zip_code": "99505"}));
    let nearest = place_at(61.2580, -149.6738, &json!({}));
    assert_eq!(market(&fort), ("Fort Richardson", "AK", "99505", Some(2020), Some(11260), Some(743)));
    assert_eq!((fort.zip, fort.zip.is_some()), (nearest.zip, true));
    assert_ne!(fort.zip, LOCATOR.find("99505").map(|area| area.index));
    // In Houston, with a ZIP code of El Paso.
    let houston = place_at(29.7604, -95.3698, &json!({"zip_code": "79901"}));
    assert_eq!((&*houston.zip_code, houston.dma), ("79901", Some(GeographyIndex::from_raw(618))));
}

#[test]
fn the_remotest_towns_of_the_states_are_inside() {
    let towns = [
        (51.8800, -176.6581, "AK"),
        (71.2906, -156.7886, "AK"),
        (19.0800, -155.5500, "HI"),
        (24.5551, -81.7800, "FL"),
    ];
    for (latitude, longitude, state) in towns {
        assert_eq!(place_at(latitude, longitude, &json!({})).state, state);
        assert_eq!(place_at(latitude, longitude, &json!({"state": state})).state, state);
    }
}

#[test]
fn the_nearest_is_the_nearest_over_the_ground_and_the_first_of_equals() {
    let area = |index: u32, latitude: f64, longitude: f64| builder::location::ZipArea {
        index: GeographyIndex::from_raw(index),
        zip: format!("{index:05}"),
        inhabited: index != 9,
        city: String::new(),
        state: "AK".to_owned(),
        center: Position { latitude, longitude },
        county: None,
        cbsa: None,
        dma: None,
    };
    let locator = Locator::new(vec![
        area(1, 60.0, 179.9),
        area(2, 60.0, -179.0),
        area(3, 60.0, -179.0),
        area(4, 89.0, 0.0),
        area(9, 60.0, -179.9),
    ]);
    let nearest = |latitude: f64, longitude: f64| {
        let near = locator.nearest(Position { latitude, longitude }, None).expect("there are ZIP codes");
        (near.area.index.raw(), near.km.round())
    };
    // Across the antimeridian, passing over a ZIP code without residents.
    assert_eq!(nearest(60.0, -179.9), (1, 11.0));
    assert_eq!(nearest(60.0, -178.9), (2, 6.0), "the first of two at one point");
    assert_eq!(nearest(89.0, 180.0), (4, 222.0), "across the pole");
    assert_eq!(Locator::new(Vec::new()).nearest(Position { latitude: 1.0, longitude: 1.0 }, None), None);
}

#[test]
fn a_state_and_a_zip_code_of_another_are_a_contradiction() {
    assert_eq!(
        reason_at(41.8858, -87.6231, &json!({"state": "NY", "zip_code": "60601"})),
        format!("state NY contradicts zip_code 60601, which is in IL: {WRONG}, or leave it out{OR_COUNTRY}")
    );
    assert_eq!(
        reason_at(41.8858, -87.6231, &json!({"state": "NY"})),
        format!("the position is in IL, more than 200 km from NY: {WRONG}{OR_COUNTRY}")
    );
    assert_eq!(
        reason_at(41.8858, -87.6231, &json!({"state": "NY", "country": "USA"})),
        format!("the position is in IL, more than 200 km from NY: {WRONG}")
    );
    // The desert of Nevada is nearer to towns of Utah.
    assert_eq!(place_at(40.74, -114.07, &json!({"state": "NV"})).state, "NV");
}

#[test]
fn the_name_of_a_state_is_as_good_as_its_letters() {
    for name in ["Illinois", "ILLINOIS", "il"] {
        assert_eq!(place_at(41.8858, -87.6231, &json!({"state": name})).state, "IL", "{name}");
        let reason = reason_at(-87.6231, 41.8858, &json!({"state": name}));
        assert!(reason.ends_with("latitude and longitude look swapped"), "{name}: {reason}");
    }
    assert!(is_outside(&place_at(18.4655, -66.1057, &json!({"state": "Puerto Rico", "country": "US"}))));
}

#[test]
fn a_known_zip_code_means_the_united_states_unless_something_else_is_said() {
    let (sydney, berlin) = ((-33.8688, 151.2093), (52.52, 13.405));
    let outside = |(latitude, longitude): (f64, f64), address: &Value| {
        is_outside(&place_at(latitude, longitude, address))
    };
    assert!(outside(sydney, &json!({"zip_code": "2109"})), "four digits are a postal code of many countries");
    assert!(outside(sydney, &json!({"zip_code": "2109", "country": "AU"})));
    assert!(outside(berlin, &json!({"zip_code": "10115", "country": "Germany"})));
    assert!(outside(berlin, &json!({"zip_code": "10115", "state": "Berlin"})));
    let reason = reason_at(berlin.0, berlin.1, &json!({"zip_code": "10115"}));
    assert!(reason.ends_with("name the country (--outside-us does for a whole file)"), "{reason}");
    let reason = reason_at(42.359, 71.0556, &json!({"zip_code": "2109"}));
    assert!(reason.ends_with("longitude lacks its minus sign"), "{reason}");
}

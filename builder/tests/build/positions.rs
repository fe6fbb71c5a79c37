//! Tests how the markets of places are derived from coordinates and addresses.

use builder::location::{Locator, ZipArea};
use dataset::places::NewPlace;
use dataset::{GeographyIndex, Position};
use serde_json::{Value, json};

use crate::{code, import, import_each};

const TIMES_SQUARE: (f64, f64) = (40.7580, -73.9855);
const CHICAGO: (f64, f64) = (41.8858, -87.6231);
const TORONTO: (f64, f64) = (43.6532, -79.3832);
const SYDNEY: (f64, f64) = (-33.8688, 151.2093);
const BERLIN: (f64, f64) = (52.52, 13.405);

fn at((latitude, longitude): (f64, f64), mut address: Value) -> Value {
    address["latitude"] = latitude.into();
    address["longitude"] = longitude.into();
    address
}

fn read<const N: usize>(rows: [Value; N]) -> [Result<NewPlace, String>; N] {
    import_each(rows).try_into().expect("a result for each row")
}

fn accepted<const N: usize>(rows: [Value; N]) -> [NewPlace; N] {
    read(rows).map(|place| place.unwrap_or_else(|reason| panic!("{reason}")))
}

fn rejected<const N: usize>(rows: [Value; N]) -> [String; N] {
    read(rows).map(|place| place.expect_err("a rejected row"))
}

fn outside<const N: usize>(rows: [Value; N]) -> [bool; N] {
    accepted(rows).map(|place| [place.zip, place.county, place.cbsa, place.dma] == [None; 4])
}

/// Returns a place's city, state, and ZIP code, followed by the ZIP code, county, CBSA, and DMA that contain
/// it.
fn market(place: &NewPlace) -> String {
    let areas = [place.zip, place.county, place.cbsa, place.dma].map(|area| code(area).unwrap_or_default());
    let address = [&*place.city, &place.state, &place.zip_code];
    format!("{}: {}", address.join(", "), areas.join(", "))
}

const MANHATTAN: &str = "New York, NY, 10036: 10036, 36061, 35620, 501";
const ANCHORAGE: &str = "Anchorage, AK, 99501: 99501, 02020, 11260, 743";

#[test]
fn nearest_zip_code_determines_a_missing_address() {
    let places = accepted([at(TIMES_SQUARE, json!({})), at((61.2181, -149.9003), json!({}))]);
    assert_eq!([market(&places[0]), market(&places[1])], [MANHATTAN, ANCHORAGE]);
}

#[test]
fn given_zip_code_determines_the_market_if_it_is_known() {
    for (zip_code, expected) in [
        ("11201", "Brooklyn, NY, 11201: 11201, 36047, 35620, 501"),
        // A ZIP code for a single building.
        ("10112", "New York, NY, 10112: 10112, 36061, 35620, 501"),
        // Unknown ZIP codes are kept.
        ("00000", "New York, NY, 00000: 10036, 36061, 35620, 501"),
    ] {
        let [place] = accepted([at(TIMES_SQUARE, json!({"zip_code": zip_code}))]);
        assert_eq!(market(&place), expected);
    }
}

#[test]
fn given_state_decides_at_a_border() {
    let border = (40.7440, -74.0324);
    let [without, with] = accepted([at(border, json!({})), at(border, json!({"state": "NY"}))]);
    assert_eq!(without.zip_code, "07030");
    assert_eq!((&*with.state, code(with.county).as_deref()), ("NY", Some("36061")));
}

#[test]
fn place_in_another_country_is_kept_without_a_market() {
    let address = json!({"country": "CA", "city": "Toronto", "state": "Ontario", "zip_code": "M5V 3L9"});
    let niagara = at((43.0896, -79.0849), json!({"country": "Canada"}));
    let [toronto, niagara] = accepted([at(TORONTO, address.clone()), niagara]);
    assert_eq!(market(&toronto), "Toronto, Ontario, M5V 3L9: , , , ");
    assert_eq!(niagara.zip, None);
    let mut row = at(TORONTO, address);
    row["place_name"] = "A".into();
    row["place_type"] = "B".into();
    assert_eq!(import("jsonl", row.to_string()).summary().outside_us, 1);
}

#[test]
fn state_and_then_distance_decide_if_there_is_no_country() {
    let san_juan = |country: &str| {
        at((18.4655, -66.1057), json!({"state": "PR", "zip_code": "00901", "country": country}))
    };
    let rows = [
        // The nearest ZIP code is 54 km away.
        at(TORONTO, json!({})),
        // Across the river from Niagara Falls, NY.
        at((43.0896, -79.0849), json!({"state": "on"})),
        san_juan(""),
        san_juan("USA"),
        at((18.4656, -66.1057), json!({"state": "Puerto Rico", "country": "US"})),
        // Tijuana is 5 km from a ZIP code. The documentation mentions this limitation.
        at((32.5149, -117.0382), json!({"country": "MX"})),
    ];
    assert_eq!(outside(rows), [true; 6]);
    let rows = [at(TORONTO, json!({"state": "NY"})), at((32.5149, -117.0382), json!({}))];
    assert_eq!(accepted(rows).map(|place| code(place.dma)), [Some("514".to_owned()), Some("825".to_owned())]);
}

#[test]
fn country_can_be_written_in_several_ways() {
    let countries = ["US", "us", "USA", "U.S.A.", "United States", "united states of america"];
    let places = accepted(countries.map(|country| at(TIMES_SQUARE, json!({"country": country}))));
    assert_eq!(places.map(|place| code(place.dma)), [const { "501" }; 6].map(|dma| Some(dma.to_owned())));
}

/// The end of the reason for rejecting a row without a country.
const OR_COUNTRY: &str = "; if the address is outside the United States, name the country (or set \
                          outside_us = true in the source's entry)";

#[test]
fn contradiction_between_coordinates_and_address_is_rejected_with_its_cause() {
    let swapped = "latitude and longitude look swapped";
    let minus = "longitude lacks its minus sign";
    let check = "check that latitude and longitude have the correct signs and aren't swapped";
    let cases = [
        ((40.7580, 73.9855), json!({"state": "NY"}), minus.to_owned()),
        ((-73.9855, 40.7580), json!({"country": "US"}), swapped.to_owned()),
        ((73.9855, 40.7580), json!({"zip_code": "10036"}), format!("{swapped}, and {minus}")),
        ((-40.7580, -73.9855), json!({"state": "NY"}), "latitude has an extra minus sign".to_owned()),
        (BERLIN, json!({"state": "NY"}), format!("{check}{OR_COUNTRY}")),
        (BERLIN, json!({"state": "NY", "country": "US"}), check.to_owned()),
    ];
    let reasons = rejected(cases.clone().map(|(position, address, _)| at(position, address)));
    for (reason, (_, address, cause)) in reasons.iter().zip(cases) {
        let what = if address["zip_code"].is_null() { "address" } else { "zip_code" };
        let far = format!(
            "the position is more than 500 km from every ZIP code, but the {what} is in the United States: "
        );
        assert_eq!(*reason, format!("{far}{cause}"));
    }
    let [reason] = rejected([at(TIMES_SQUARE, json!({"zip_code": "99501"}))]);
    assert_eq!(
        reason,
        format!(
            "the position is in NY, 5406 km from zip_code 99501 in AK: correct the position or zip_code, or \
             leave zip_code empty to use the nearest ZIP code{OR_COUNTRY}"
        )
    );
}

#[test]
fn place_far_from_its_zip_code_in_the_same_state_is_in_the_market_of_the_nearest_one() {
    // In the table, the center of 99505 is 511 km from the town.
    let fort = json!({"city": "Fort Richardson", "state": "AK", "zip_code": "99505"});
    let [fort, nearest, houston] = accepted([
        at((61.2580, -149.6738), fort),
        at((61.2580, -149.6738), json!({})),
        // A position in Houston with a ZIP code in El Paso.
        at((29.7604, -95.3698), json!({"zip_code": "79901"})),
    ]);
    let areas = format!("{}, 02020, 11260, 743", code(nearest.zip).expect("a ZIP code"));
    assert_eq!(market(&fort), format!("Fort Richardson, AK, 99505: {areas}"));
    assert_ne!(code(fort.zip).as_deref(), Some("99505"));
    assert_eq!((&*houston.zip_code, code(houston.dma).as_deref()), ("79901", Some("618")));
}

#[test]
fn remotest_towns_of_the_states_are_inside() {
    let towns = [
        ((51.8800, -176.6581), "AK"),
        ((71.2906, -156.7886), "AK"),
        ((19.0800, -155.5500), "HI"),
        ((24.5551, -81.7800), "FL"),
    ];
    for place in [
        accepted(towns.map(|(position, _)| at(position, json!({})))),
        accepted(towns.map(|(position, state)| at(position, json!({"state": state})))),
    ] {
        assert_eq!(place.map(|place| place.state), towns.map(|(_, state)| state));
    }
}

#[test]
fn nearest_zip_code_is_nearest_on_the_ground_and_the_first_of_equals() {
    let area = |index: u32, latitude: f64, longitude: f64| ZipArea {
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
    // The search crosses the antimeridian, and skips a ZIP code without residents.
    assert_eq!(nearest(60.0, -179.9), (1, 11.0));
    assert_eq!(nearest(60.0, -178.9), (2, 6.0), "the first of two at one point");
    assert_eq!(nearest(89.0, 180.0), (4, 222.0), "across the pole");
    assert_eq!(Locator::new(Vec::new()).nearest(Position { latitude: 1.0, longitude: 1.0 }, None), None);
}

#[test]
fn name_of_a_state_is_equivalent_to_its_letters() {
    let names = ["Illinois", "ILLINOIS", "il"];
    let places = accepted(names.map(|name| at(CHICAGO, json!({"state": name}))));
    assert_eq!(places.map(|place| place.state), ["IL"; 3]);
    for reason in rejected(names.map(|name| at((-87.6231, 41.8858), json!({"state": name})))) {
        assert!(reason.ends_with("latitude and longitude look swapped"), "{reason}");
    }
}

#[test]
fn known_zip_code_means_the_united_states_unless_the_address_contradicts() {
    let rows = [
        // Many countries have postal codes with four digits.
        at(SYDNEY, json!({"zip_code": "2109"})),
        at(SYDNEY, json!({"zip_code": "2109", "country": "AU"})),
        at(BERLIN, json!({"zip_code": "10115", "country": "Germany"})),
        at(BERLIN, json!({"zip_code": "10115", "state": "Berlin"})),
    ];
    assert_eq!(outside(rows), [true; 4]);
    let rows = [at(BERLIN, json!({"zip_code": "10115"})), at((42.359, 71.0556), json!({"zip_code": "2109"}))];
    let [berlin, boston] = rejected(rows);
    assert!(
        berlin.ends_with("name the country (or set outside_us = true in the source's entry)"),
        "{berlin}"
    );
    assert!(boston.ends_with("longitude lacks its minus sign"), "{boston}");
}

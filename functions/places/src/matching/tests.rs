//! Tests of address parsing, and of the comparison of streets, names, and scores.

use super::address::{Address, compare_numbers, zip_of};
use super::name::{Name, PlaceName};
use super::score::Agreement::{self, Agrees, Contradicts, Partly};
use super::score::{DEFAULT_MIN_SCORE, Evidence};
use super::words::{city_key, split};

/// The known cities, as [`city_key`] returns them.
const CITIES: [&str; 8] =
    ["seattle", "st louis", "n las vegas", "lake park", "new york", "brooklyn", "st", "flanders"];

/// The parts of an address: lead, number, street, unit, city, state, and ZIP code. Missing parts are empty.
fn parts(text: &str) -> [String; 7] {
    let is_city = |key: &str| CITIES.contains(&key);
    let Address { lead, number, street, unit, city, state, zip_code } = Address::parse(text, &is_city);
    let part = Option::unwrap_or_default;
    [part(lead), part(number), street.to_string(), part(unit), part(city), part(state), part(zip_code)]
}

#[test]
fn addresses_are_parsed_in_the_forms_that_people_write() {
    let cases: [(&str, [&str; 7]); 32] = [
        (
            "1101 Madison St Ste 301, Seattle, WA 98104-1306",
            ["", "1101", "madison st", "301", "seattle", "wa", "98104"],
        ),
        (
            "1101 Madison Street, Suite 301, Seattle, WA",
            ["", "1101", "madison st", "301", "seattle", "wa", ""],
        ),
        ("1101 madison st seattle wa 98104", ["", "1101", "madison st", "", "seattle", "wa", "98104"]),
        ("1101 Madison St Seattle", ["", "1101", "madison st", "", "seattle", "", ""]),
        ("1101 Madison St", ["", "1101", "madison st", "", "", "", ""]),
        (
            "1101 MADISON ST.\nSEATTLE WASHINGTON 98104 1306\nUSA",
            ["", "1101", "madison st", "", "seattle", "wa", "98104"],
        ),
        ("1101 Madison, 98104", ["", "1101", "madison", "", "", "", "98104"]),
        ("Madison St 1101, Seattle", ["", "1101", "madison st", "", "seattle", "", ""]),
        ("Starbucks, 1101 Madison St, Seattle", ["starbucks", "1101", "madison st", "", "seattle", "", ""]),
        ("South Park Mall 4650 16th Street", ["south park mall", "4650", "16 st", "", "", "", ""]),
        ("212 S. Grand Blvd., Saint Louis, Missouri", ["", "212", "s grand blvd", "", "st louis", "mo", ""]),
        ("212 S Grand Blvd St. Louis MO", ["", "212", "s grand blvd", "", "st louis", "mo", ""]),
        ("100 E Cheyenne Ave North Las Vegas NV", ["", "100", "e cheyenne ave", "", "n las vegas", "nv", ""]),
        (
            "105 N Congress Ave Lake Park FL 33403",
            ["", "105", "n congress ave", "", "lake park", "fl", "33403"],
        ),
        (
            "293 Route 206, Unit 15-B, Flanders, NJ 7836",
            ["", "293", "hwy 206", "15b", "flanders", "nj", "07836"],
        ),
        ("8702 E Dr MLK", ["", "8702", "e mlk", "", "", "", ""]),
        ("War Memorial Dr W 2320, Seattle", ["", "2320", "war memorial dr w", "", "seattle", "", ""]),
        ("500 Oak Ct", ["", "500", "oak ct", "", "", "", ""]),
        ("200 Main St NE, 98104", ["", "200", "main st ne", "", "", "", "98104"]),
        ("2585 East US Highway 50", ["", "2585", "e hwy 50", "", "", "", ""]),
        ("346 PA-940", ["", "346", "hwy 940", "", "", "", ""]),
        ("4910 State Rd 7", ["", "4910", "hwy 7", "", "", "", ""]),
        ("Highway 32 W", ["", "", "hwy 32 w", "", "", "", ""]),
        ("Mission Blvd. & Warm Springs Blvd.", ["", "", "mission blvd and warm spgs blvd", "", "", "", ""]),
        ("30-97 Steinway St.", ["", "30-97", "steinway st", "", "", "", ""]),
        ("N95W17707 Appleton Ave", ["", "n95w17707", "appleton ave", "", "", "", ""]),
        ("One Fifth Avenue, New York NY 10003", ["", "1", "5 ave", "", "new york", "ny", "10003"]),
        ("#2 E Hwy 50", ["", "2", "e hwy 50", "", "", "", ""]),
        ("901 N. Milwaukee Avenue, Unit #600", ["", "901", "n milwaukee ave", "600", "", "", ""]),
        ("10 Dr. Martin Luther King, Jr. Blvd", ["", "10", "mlk blvd", "", "", "", ""]),
        ("350 Fifth Ave, 2nd Floor, New York", ["", "350", "5 ave", "2nd", "new york", "", ""]),
        ("1868 W 1800 N", ["", "1868", "w 1800 n", "", "", "", ""]),
    ];
    for (text, expected) in cases {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn zip_codes_have_five_digits_with_or_without_leading_zeros() {
    let cases = [
        ("98104", Some("98104")),
        ("98104-1306", Some("98104")),
        ("981041306", Some("98104")),
        ("2886", Some("02886")),
        ("K1A 0B1", None),
        ("", None),
        ("123456", None),
    ];
    for (text, expected) in cases {
        assert_eq!(zip_of(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn spellings_of_a_city_have_the_same_key() {
    for (one, other) in
        [("St. Louis", "Saint Louis"), ("Ft Worth", "Fort Worth"), ("N. Las Vegas", "North Las Vegas")]
    {
        assert_eq!(city_key(one), city_key(other));
    }
}

#[test]
fn streets_agree_if_only_their_spelling_differs() {
    let cases: [(&str, &str, Agreement); 20] = [
        ("Madison St", "Madison Street", Agrees),
        ("S Tacoma Ave", "Tacoma Avenue South", Agrees),
        ("NW 13 St", "Northwest 13th Street", Agrees),
        ("US-1", "US Highway 1", Agrees),
        ("Route 206", "US Hwy 206", Agrees),
        ("Mountainview Rd", "Mountain View Road", Contradicts),
        ("Mc Dowell Rd", "McDowell Rd", Agrees),
        ("ML King Blvd", "Martin Luther King Jr. Boulevard", Agrees),
        ("Madison", "Madison St", Partly),
        ("Main St", "N Main St", Partly),
        ("Madisson St", "Madison St", Partly),
        ("Mall Blvd", "Mall Blvd Terminal 2", Partly),
        ("N Main St", "S Main St", Contradicts),
        ("NE Main St", "E Main St", Contradicts),
        ("5th St", "5th Ave", Contradicts),
        ("5th St", "6th St", Contradicts),
        ("Route 903", "Route 940", Contradicts),
        ("Lake", "Lake Shore Dr", Contradicts),
        ("Washington St", "Jefferson St", Contradicts),
        ("Ave N", "Ave S", Contradicts),
    ];
    for (one, other, expected) in cases {
        let [one, other] = [one, other].map(|street| Address::street_line(&format!("1 {street}")).street);
        assert_eq!((one.compare(&other), other.compare(&one)), (expected, expected), "{one} {other}");
    }
}

#[test]
fn house_numbers_agree_partly_within_a_range() {
    let cases = [
        ("3097", "30-97", Agrees),
        ("10", "10-12", Partly),
        ("123a", "123", Partly),
        ("123a", "123b", Contradicts),
        ("1101", "1103", Contradicts),
        ("1101", "11011", Contradicts),
    ];
    for (one, other, expected) in cases {
        assert_eq!(compare_numbers(one, other), expected, "{one} {other}");
        assert_eq!(compare_numbers(other, one), expected, "{other} {one}");
    }
}

#[test]
fn names_agree_if_they_begin_with_the_brand() {
    let brands = [
        "Target",
        "Starbucks",
        "Dollar Tree",
        "Dollar General",
        "CVS Pharmacy",
        "Walmart",
        "7-Eleven",
        "KFC",
        "Verizon",
        "The Home Depot",
        "Buc-ee's",
        "Chick-fil-A",
    ];
    let brands = brands.map(Name::new);
    let cases: [(&str, &str, &str, Agreement); 29] = [
        ("Starbucks", "Starbucks Kroger Sachse 461", "Starbucks", Agrees),
        ("STARBUCKS COFFEE #3421", "Starbucks Kroger Sachse 461", "Starbucks", Agrees),
        ("Starbuks", "Starbucks Alki Ave.", "Starbucks", Agrees),
        ("CVS", "CVS Pharmacy", "CVS Pharmacy", Agrees),
        ("Wal-Mart Supercenter", "Walmart Supercenter", "Walmart", Agrees),
        ("7-11", "7-Eleven Store", "7-Eleven", Agrees),
        ("Seven Eleven", "7-Eleven Store", "7-Eleven", Agrees),
        ("Kentucky Fried Chicken", "KFC Federal Way", "KFC", Agrees),
        ("Home Depot", "The Home Depot W St George", "The Home Depot", Agrees),
        ("Bucees", "Buc-ee's Crossville", "Buc-ee's", Agrees),
        ("Chickfila", "Chick-fil-A Hancock Rd.", "Chick-fil-A", Agrees),
        ("Be Mobile", "BeMobile Princeton", "Verizon", Agrees),
        ("BeMobile", "BeMobile Princeton", "Verizon", Agrees),
        ("Verizon Wireless", "BeMobile Princeton", "Verizon", Agrees),
        ("Starbucks at Target", "Starbucks Target San Bruno 1054", "Starbucks", Agrees),
        ("Starbucks at Target", "Target San Bruno", "Target", Partly),
        ("Target Starbucks", "Target San Bruno", "Target", Partly),
        ("Target", "Starbucks Target San Bruno 1054", "Starbucks", Contradicts),
        ("Target Optical", "Target San Bruno", "Target", Partly),
        ("Walmart (closed)", "Walmart Supercenter", "Walmart", Partly),
        ("Dollar", "Dollar Tree Nampa", "Dollar Tree", Contradicts),
        ("Dollar General", "Dollar Tree Nampa", "Dollar Tree", Contradicts),
        ("Peet's Coffee", "Starbucks 1101 Madison St", "Starbucks", Contradicts),
        ("", "Starbucks 1101 Madison St", "Starbucks", Contradicts),
        ("Nash General Hospital", "Nash General Hospital", "", Agrees),
        ("Nash Hospital", "Nash General Hospital", "", Agrees),
        ("Saint Joseph Hospital", "St. Joseph Hospital", "", Agrees),
        ("Saint Joseph Dental Clinic", "Saint Joseph Hospital", "", Partly),
        ("Mercy General Hospital", "Nash General Hospital", "", Contradicts),
    ];
    for (wanted, name, brand, expected) in cases {
        let (name, brand) = (Name::new(name), Some(Name::new(brand)).filter(|brand| !brand.is_empty()));
        let place = PlaceName { name: &name, brand: brand.as_ref() };
        assert_eq!(Name::new(wanted).compare(&place, &brands), expected, "{wanted}");
    }
}

/// Evidence that agrees in name, number, street, and ZIP code.
fn agreeing() -> Evidence {
    let [name, number, street, zip_code] = [Some(Agrees); 4];
    Evidence { name, name_coverage: 1.0, number, street, zip_code, ..Evidence::default() }
}

#[test]
fn one_doubt_or_contradiction_prevents_a_match() {
    let (no, partly) = (Some(Contradicts), Some(Partly));
    let unnamed = Evidence { name: None, ..agreeing() };
    let cases = [
        ("everything agrees", agreeing(), true),
        ("no name", unnamed, true),
        (
            "a city instead of the ZIP code",
            Evidence { zip_code: None, city: Some(Agrees), ..agreeing() },
            true,
        ),
        ("an outdated ZIP code", Evidence { zip_code: partly, city: Some(Agrees), ..agreeing() }, true),
        ("another city's name for the ZIP code", Evidence { city: no, ..agreeing() }, true),
        ("a typo in the street", Evidence { street: partly, ..agreeing() }, true),
        ("another suite of the same name", Evidence { unit: no, ..agreeing() }, true),
        ("another number", Evidence { number: no, ..agreeing() }, false),
        ("another street", Evidence { street: no, ..agreeing() }, false),
        ("another name", Evidence { name: no, ..agreeing() }, false),
        ("another brand", Evidence { brand: no, ..agreeing() }, false),
        ("a department of the name", Evidence { name: partly, ..agreeing() }, false),
        ("another state", Evidence { state: no, ..agreeing() }, false),
        ("another city and ZIP code", Evidence { city: no, zip_code: no, ..agreeing() }, false),
        ("another city without a ZIP code", Evidence { city: no, zip_code: None, ..agreeing() }, false),
        ("a far point", Evidence { meters: Some(20_000.0), ..agreeing() }, false),
        ("a typo without a name", Evidence { street: partly, ..unnamed }, false),
        ("another suite without a name", Evidence { unit: no, ..unnamed }, false),
        ("no city, ZIP code, or point", Evidence { zip_code: None, ..agreeing() }, false),
        ("no number", Evidence { number: None, ..agreeing() }, false),
        ("neither has a number", Evidence { number: None, is_without_number: true, ..agreeing() }, true),
    ];
    for (case, evidence, is_match) in cases {
        let score = evidence.score();
        assert_eq!(score >= DEFAULT_MIN_SCORE, is_match, "{case}: {score}");
    }
    let near = Evidence { name: Some(Agrees), name_coverage: 1.0, meters: Some(40.0), ..Evidence::default() };
    let [near, far] = [40.0, 200.0].map(|meters| Evidence { meters: Some(meters), ..near }.score());
    assert!(near >= DEFAULT_MIN_SCORE && far < DEFAULT_MIN_SCORE, "{near} {far}");
}

#[test]
fn words_are_split_without_punctuation() {
    let cases: [(&str, &[&str]); 5] = [
        ("N.W. 13th St.", &["nw", "13th", "st"]),
        ("St.Louis", &["st", "louis"]),
        ("#600", &["#", "600"]),
        ("I-35E (Frontage)", &["i", "35e", "frontage"]),
        ("O'Hare", &["ohare"]),
    ];
    for (text, expected) in cases {
        assert_eq!(split(text), expected, "{text}");
    }
}

//! Tests the validation of the files for place types and brands.

use super::*;

#[test]
fn parameters_out_of_range_and_unknown_fields_are_rejected() {
    let error =
        |from: &str, to: &str| PlaceTypes::parse(&TYPES.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(
        error("dwell_minutes = [15,", "dwell_minutes = [31,"),
        "default: dwell_minutes: must be from 0 to 30, got 31"
    );
    assert_eq!(
        error("frequency = 1.2", "frequency = 0.5"),
        "default: frequency: must be from 1 to 100, got 0.5"
    );
    assert_eq!(error("workers = 0.2", "workers = 11"), "default: workers: must be from 0 to 10, got 11");
    assert_eq!(
        error("national_share = 0.5", "national_share = 1.5"),
        "Airport: national_share: must be from 0 to 1, got 1.5"
    );
    assert_eq!(error("reach_km = 40", "reach_km = 0"), "Airport: reach_km: must be from 0.1 to 200, got 0");
    assert!(error("frequency = 1.2", "frequent = 1.2").contains("unknown field `frequent`"));
}

#[test]
fn invalid_brands_are_rejected() {
    let error = |from: &str, to: &str| {
        assert!(BRANDS.contains(from), "{from}");
        Brands::parse(&BRANDS.replacen(from, to, 1)).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("= 900", "= 0", "Bean: weekly_visits: must be from 1 to 1000000000, got 0"),
        ("= 2.0", "= 0.9", "Bean: frequency: must be from 1 to 100, got 0.9"),
        ("0.25", "-0.25", "Bean: factor: must be from 0 to 100, got -0.25"),
        ("[\"kiosk\"]", "[]", "Bean: phrases: must not be empty"),
        ("\"nothing is published\"", "\"\"", "Cup: source: must not be empty"),
        (
            "\"su\"",
            "\"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\", \"su\"",
            "Bean: closed: at least one day must be open",
        ),
        ("= 1.5", "= -1", "places inside an airport: inside_airport: must be from 0 to 100, got -1"),
    ] {
        assert_eq!(error(from, to), expected);
    }
    for (from, to, expected) in [
        ("\"su\"", "\"sunday\"", "unknown variant `sunday`, expected one of `mo`"),
        ("brands.\"Cup\".source", "brands.\"Cup\".frequency", "invalid type: string"),
        (
            "brands.\"Cup\".source = \"nothing is published\"",
            "brands.\"Cup\".frequency = 2.0",
            "missing field `source`",
        ),
        ("closed", "shut", "unknown field `shut`"),
    ] {
        let error = error(from, to);
        assert!(error.contains(expected), "{error}");
    }
}

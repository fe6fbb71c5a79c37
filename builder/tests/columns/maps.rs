//! Tests column maps for displays.

use builder::columns::ColumnMap;
use builder::displays::TARGETS;
use serde_json::{Value, json};

use crate::displays::{record, rejected};
use crate::file;

const PLACE: &str = "[columns]\nspot_id = \"id\"\nlatitude = \"y\"\nlongitude = \"x\"\n";

/// Reads a row with the given columns and cells, using a map to which `map` adds tables.
fn cells(map: &str, cells: &[(&str, &str)]) -> Result<Value, String> {
    let mut header = vec!["id", "y", "x"];
    let mut row = vec!["7".to_owned(), "40.7566".to_owned(), "-73.9862".to_owned()];
    for (column, cell) in cells {
        header.push(column);
        row.push(format!("\"{}\"", cell.replace('"', "\"\"")));
    }
    let path = file("csv", format!("{}\n{}\n", header.join(","), row.join(",")));
    let map = ColumnMap::parse(&format!("{PLACE}{map}"), &TARGETS).expect("a map");
    record(&path, &map)
}

fn error(map: &str) -> String {
    ColumnMap::parse(map, &TARGETS).expect_err(map).to_string()
}

#[test]
fn several_columns_are_joined_to_a_text() {
    let map = "primary_artery = [\"NUM\", \"DIR\", \"NAM\"]\n";
    for (parts, expected) in
        [(["1500", "W", "Broadway"], "1500 W Broadway"), (["1500", "", "Broadway"], "1500 Broadway")]
    {
        let row = [("NUM", parts[0]), ("DIR", parts[1]), ("NAM", parts[2])];
        assert_eq!(cells(map, &row).unwrap()["location"]["primary_artery"], expected);
    }
    let nothing = cells(map, &[("NUM", ""), ("DIR", ""), ("NAM", " ")]).unwrap();
    assert!(nothing["location"].get("primary_artery").is_none());
}

#[test]
fn one_column_can_be_several_targets() {
    let map = "media_type = \"kind\"\nsize = \"kind\"\n[values.size]\nLink = \"48 x 27 in\"\n";
    let record = cells(map, &[("kind", "Link")]).unwrap();
    assert_eq!(record["media_type"]["name"], "Link");
    assert_eq!(record["layouts"][0]["faces"][0]["height"], 48);
}

#[test]
fn contradictory_maps_are_refused() {
    for (map, expected) in [
        ("[columns]\nmedia_name = [\"a\", \"b\", \"a\"]", "columns.media_name names column \"a\" twice"),
        (
            "[columns]\nsize = [\"h\", \"w\"]",
            "columns.size must be a single column, because only text values can be joined",
        ),
        ("[columns]\nmedia_name = []", "columns.media_name must be the name of a column, in quotes"),
        (
            "[columns]\nsize = \"a\"\n[constants]\nsize = \"14x48\"",
            "size is both in columns and in constants; remove it from one of them",
        ),
        (
            "[format]\nsize = \"width\"",
            "format.size must be \"height first\" or \"width first\", got \"width\"",
        ),
        ("[format]\nunits = \"feet\"", "format.units must be \"m\", \"cm\", \"ft\", or \"in\", got \"feet\""),
        (
            "[dates]\nvintage = \"MM/DD/YYYY\"",
            "dates.vintage is allowed only if vintage is a date and columns.vintage is set",
        ),
        (
            "[columns]\nsize = \"a\"\n[dates]\nsize = \"MM/DD/YYYY\"",
            "dates.size is allowed only if size is a date and columns.size is set",
        ),
        (
            "[columns]\nvintage = \"a\"\n[dates]\nvintage = \"%m/%d/%Y\"",
            "dates.vintage must consist of a year, a month, and a day, as in MM/DD/YYYY, got \"%m/%d/%Y\"",
        ),
        (
            "[columns]\nvintage = \"a\"\n[dates]\nvintage = \"MM/YYYY\"",
            "dates.vintage must consist of a year, a month, and a day, as in MM/DD/YYYY, got \"MM/YYYY\"",
        ),
    ] {
        assert_eq!(error(map), expected);
    }
    assert!(error("[columns]\nsize = \"a\"\nsize = \"b\"").contains("duplicate key"));
}

#[test]
fn dates_are_read_in_the_form_of_the_map() {
    for (form, text, expected) in [
        ("MM/DD/YYYY", "1/4/2027", Ok("2027-01-04")),
        ("MM/DD/YYYY", "01/04/2027", Ok("2027-01-04")),
        ("M/D/YY", "1/4/27", Ok("2027-01-04")),
        ("DD.MM.YYYY", "4.1.2027", Ok("2027-01-04")),
        ("D MMM YYYY", "4 Jan 2027", Ok("2027-01-04")),
        ("MMM D, YYYY", "January 4, 2027", Ok("2027-01-04")),
        ("MM/DD/YYYY", "2027-01-04", Ok("2027-01-04")),
        ("MM/DD/YYYY", "2027-01-04 13:30:00", Ok("2027-01-04")),
        ("MM/DD/YYYY", "N/A", Ok("")),
        ("MM/DD/YYYY", "13/4/2027", Err("available_from \"13/4/2027\" is not a calendar date (MM/DD/YYYY)")),
        ("MM/DD/YYYY", "1/4/27", Err("available_from \"1/4/27\" is not a calendar date (MM/DD/YYYY)")),
    ] {
        let map = format!("available_from = \"from\"\n[dates]\navailable_from = \"{form}\"\n");
        let read = cells(&map, &[("from", text)]);
        let date = read.map(|record| record["available_from"].as_str().unwrap_or_default().to_owned());
        assert_eq!(date, expected.map(str::to_owned).map_err(str::to_owned), "{form}: {text}");
    }
    let reason = cells("available_from = \"from\"\n", &[("from", "1/4/2027")]).unwrap_err();
    assert_eq!(
        reason,
        "available_from \"1/4/2027\" is not a calendar date (YYYY-MM-DD); a column map can specify the date \
         format in [dates]"
    );
}

#[test]
fn sizes_are_read_with_their_units_and_the_order_of_their_sides() {
    for (format, text, [height, width]) in [
        ("", "4.3 m x 14.6 m", [169, 575]),
        ("", "120x180 cm", [47, 71]),
        ("", "120 cm x 1.8 m", [47, 71]),
        ("", "14'H x 48'W", [168, 576]),
        ("", "48'W x 14'H", [168, 576]),
        ("", "14' H X 48' W", [168, 576]),
        ("", "H: 14 ft x W: 48 ft", [168, 576]),
        ("", "14H x 48W", [168, 576]),
        ("", "10'6\" x 36'", [126, 432]),
        ("", "10' 6\" x 36' 0\"", [126, 432]),
        ("", "14x48", [168, 576]),
        ("size = \"width first\"", "48x14", [168, 576]),
        ("size = \"width first\"", "14'H x 48'W", [168, 576]),
        ("units = \"m\"", "4.3 x 14.6", [169, 575]),
        ("units = \"cm\"", "120x180", [47, 71]),
        ("units = \"in\"", "168 x 576", [168, 576]),
        ("units = \"m\"", "14' x 48'", [168, 576]),
        ("decimal_comma = true\nunits = \"m\"", "4,3 x 14,6", [169, 575]),
    ] {
        let map = format!("size = \"s\"\n[format]\n{format}\n");
        let face = &cells(&map, &[("s", text)]).expect(text)["layouts"][0]["faces"][0];
        assert_eq!([&face["height"], &face["width"]], [height, width], "{format} {text}");
    }
    let map = "height = \"h\"\nwidth = \"w\"\n[format]\nunits = \"ft\"\n";
    let face = &cells(map, &[("h", "14"), ("w", "576 in")]).unwrap()["layouts"][0]["faces"][0];
    assert_eq!([&face["height"], &face["width"]], [168, 576]);
}

#[test]
fn facing_and_read_side_are_read_from_one_text() {
    for (text, degrees, side) in [
        ("E (RHR)", json!(90), json!("right")),
        ("N - LHR", json!(0), json!("left")),
        ("SW/RHR", json!(225), json!("right")),
        ("South Facing, Right Hand Read", json!(180), json!("right")),
        ("LHR", Value::Null, json!("left")),
        ("Right Hand Read", Value::Null, json!("right")),
        ("RR/LR", Value::Null, Value::Null),
        ("N/F", Value::Null, Value::Null),
        ("Various", Value::Null, Value::Null),
        ("N/A", Value::Null, Value::Null),
        ("-", Value::Null, Value::Null),
        ("N/S", Value::Null, Value::Null),
        ("NB", json!(0), Value::Null),
        ("112.5 (LHR)", json!(112.5), json!("left")),
    ] {
        let record = cells("orientation = \"f\"\n", &[("f", text)]).expect(text);
        assert_eq!(record["location"].get("orientation").cloned().unwrap_or_default(), degrees, "{text}");
        assert_eq!(record.get("read_side").cloned().unwrap_or_default(), side, "{text}");
    }
    let map = "orientation = \"f\"\nread_side = \"r\"\n";
    assert_eq!(cells(map, &[("f", "E"), ("r", "L")]).unwrap()["read_side"], "left");
    assert_eq!(
        cells(map, &[("f", "E (RHR)"), ("r", "LHR")]).unwrap_err(),
        "read_side is left, but orientation says right; correct one of them"
    );
}

#[test]
fn each_face_has_a_direction_if_as_many_are_listed() {
    let map = "orientation = \"f\"\nfaces = \"n\"\n";
    for (text, faces, expected) in [
        ("N/S", "2", [json!(0), json!(180)]),
        ("E-W", "2", [json!(90), json!(270)]),
        ("NE & SW", "2", [json!(45), json!(225)]),
    ] {
        let record = cells(map, &[("f", text), ("n", faces)]).expect(text);
        let faces = record["layouts"][0]["faces"].as_array().unwrap().iter();
        let directions: Vec<Value> = faces.map(|face| face["orientation"].clone()).collect();
        assert_eq!(directions, expected, "{text}");
        assert!(record["location"].get("orientation").is_none(), "{text}");
    }
    let all = cells(map, &[("f", "N"), ("n", "2")]).unwrap();
    assert_eq!(all["location"]["orientation"], 0);
    assert_eq!(
        cells(map, &[("f", "N/S"), ("n", "3")]).unwrap_err(),
        "orientation lists 2 directions, but the display has 3 faces"
    );
}

#[test]
fn digital_types_of_media_set_the_flag_unless_it_is_given() {
    for (media_type, flag, digital) in [
        ("Digital Bulletin", "", json!(true)),
        ("Digital Poster", "No", json!(false)),
        ("Bulletin", "", Value::Null),
        ("Bulletin", "Digital", json!(true)),
        ("Bulletin", "Static", json!(false)),
        ("Non-Digital Bulletin", "", Value::Null),
    ] {
        let map = "media_type = \"m\"\ndigital = \"d\"\n";
        let record = cells(map, &[("m", media_type), ("d", flag)]).expect(media_type);
        assert_eq!(record["media_type"]["name"], media_type);
        assert_eq!(record.get("digital").cloned().unwrap_or_default(), digital, "{media_type}");
    }
}

#[test]
fn flags_are_not_types_of_illumination() {
    for (text, expected) in [
        ("Y", None),
        ("Yes", None),
        ("Illuminated", None),
        ("N/A", None),
        ("-", None),
        ("N", Some("Sunlit Ambient")),
        ("No", Some("Sunlit Ambient")),
        ("Unlit", Some("Sunlit Ambient")),
        ("None", Some("Sunlit Ambient")),
        ("Backlit", Some("Backlit")),
        ("24 hours", Some("24 hours")),
    ] {
        let record = cells("illumination = \"i\"\n", &[("i", text)]).expect(text);
        assert_eq!(record["illumination_type"]["name"].as_str(), expected, "{text}");
    }
}

#[test]
fn placeholders_are_missing_values_except_in_texts() {
    for placeholder in ["-", "--", "n/a", "N/A", "NULL", "none", "TBD"] {
        let map = "media_name = \"name\"\nsize = \"size\"\nweekly_impressions = \"imps\"\navailable_from = \"from\"\n";
        let row =
            [("name", placeholder), ("size", placeholder), ("imps", placeholder), ("from", placeholder)];
        let record = cells(map, &row).expect(placeholder);
        assert_eq!(record["media_name"], placeholder);
        assert!(record["layouts"][0]["faces"][0].get("height").is_none());
        assert!(record.get("weekly_impressions").is_none() && record.get("available_from").is_none());
    }
    for (target, text) in [("size", "unknown"), ("digital", "maybe"), ("weekly_impressions", "call")] {
        let reason = cells(&format!("{target} = \"c\"\n"), &[("c", text)]).unwrap_err();
        assert!(reason.starts_with(&format!("{target} \"{text}\" is not ")), "{reason}");
    }
}

#[test]
fn impressions_and_rates_are_read_as_sheets_write_them() {
    for (decimal_comma, text, expected) in [
        (false, "12,345", json!(12_345)),
        (false, "1,234,567.5", json!(1_234_568)),
        (false, "0", json!(0)),
        (true, "12.345", json!(12_345)),
        (true, "12345,4", json!(12_345)),
    ] {
        let map = format!("weekly_impressions = \"i\"\n[format]\ndecimal_comma = {decimal_comma}\n");
        assert_eq!(cells(&map, &[("i", text)]).expect(text)["weekly_impressions"], expected, "{text}");
    }
    for text in ["12,34", "1,2345", "-5", "12k", "1e6", ",123"] {
        let reason = cells("weekly_impressions = \"i\"\n", &[("i", text)]).unwrap_err();
        assert_eq!(reason, format!("weekly_impressions {text:?} is not a number from 0 to 1000000000000"));
    }
    let map = "rate = \"r\"\nrate_currency = \"c\"\nrate_weeks = \"w\"\n";
    for (row, expected) in [
        (["$1,250.00", "", ""], Ok(json!({"amount": 1250, "currency": "USD", "weeks": 4}))),
        (["1250.5", "", "8"], Ok(json!({"amount": 1250.5, "currency": "USD", "weeks": 8}))),
        (["CA$900", "", "1"], Ok(json!({"amount": 900, "currency": "CAD", "weeks": 1}))),
        (["900 EUR", "", ""], Ok(json!({"amount": 900, "currency": "EUR", "weeks": 4}))),
        (["900", "gbp", ""], Ok(json!({"amount": 900, "currency": "GBP", "weeks": 4}))),
        (["", "GBP", "4"], Ok(Value::Null)),
        (["$900", "EUR", ""], Err("rate is in USD, but rate_currency is EUR; correct one of them")),
        (["$1,250.00 / 4 wks", "", ""], Ok(json!({"amount": 1250, "currency": "USD", "weeks": 4}))),
        (["900 EUR per week", "", ""], Ok(json!({"amount": 900, "currency": "EUR", "weeks": 1}))),
        (["$900/month", "", "4"], Ok(json!({"amount": 900, "currency": "USD", "weeks": 4}))),
        (["$900/wk", "", "4"], Err("rate is for 1 weeks, but rate_weeks is 4; correct one of them")),
        (["$900 / face", "", ""], Err("rate \"$900 / face\" is not an amount, such as 1250 or $1,250.00")),
        (["TBD", "", ""], Ok(Value::Null)),
        (["call", "", ""], Err("rate \"call\" is not an amount, such as 1250 or $1,250.00")),
    ] {
        let [rate, currency, weeks] = row;
        let read = cells(map, &[("r", rate), ("c", currency), ("w", weeks)]);
        let rate = read.map(|record| record.get("rate").cloned().unwrap_or_default());
        assert_eq!(rate, expected.map_err(str::to_owned), "{row:?}");
    }
}

#[test]
fn the_other_members_are_read_in_their_forms() {
    for (target, text, expected) in [
        ("persons", "A18+", Ok(json!("18+"))),
        ("persons", "total", Ok(json!("all"))),
        ("impressions_of", "Display", Ok(json!("display"))),
        ("impressions_source", "Geopath", Ok(json!("Geopath"))),
        ("impressions_vintage", "20260930", Ok(json!("2026-09-30"))),
        ("venue_type", "Transit.Airports.Gates", Ok(json!("transit.airports.gates"))),
        ("photo_url", "https://example.com/1.jpg", Ok(json!("https://example.com/1.jpg"))),
        (
            "photo_url",
            "http://example.com/1.jpg",
            Err(
                "photo_url \"http://example.com/1.jpg\" is not a valid https:// URL (user names and passwords are not allowed)",
            ),
        ),
        (
            "venue_type",
            "Bus",
            Err("venue_type \"Bus\" is not an OpenOOH 1.1 venue type, such as transit.airports.gates"),
        ),
        ("persons", "A21+", Err("persons \"A21+\" is not \"all\", \"5+\", or \"18+\"")),
        ("impressions_of", "face", Err("impressions_of \"face\" is not \"display\" or \"spot\"")),
        ("rate_weeks", "0", Err("rate_weeks \"0\" is not a whole number from 1 to 520")),
    ] {
        let read = cells(&format!("{target} = \"c\"\n"), &[("c", text)]);
        let member = read.map(|record| record[target].clone());
        assert_eq!(member, expected.map_err(str::to_owned), "{target}: {text}");
    }
}

#[test]
fn columns_that_a_map_lacks_or_a_file_lacks_are_listed() {
    let path = file(
        "jsonl",
        "{\"id\":1,\"y\":40.7,\"x\":-73.9,\"note\":\"a\"}\n{\"id\":2,\"y\":40.7,\"x\":-73.9,\"more\":1}\n",
    );
    let map = ColumnMap::parse(&format!("{PLACE}media_name = \"naem\"\n"), &TARGETS).unwrap();
    let (columns, _) = crate::rows(&path, &Default::default()).unwrap();
    assert_eq!(map.unread(&columns), ["more", "note"]);
    assert_eq!(map.absent(&columns), [("media_name", "naem".to_owned())]);
    assert_eq!(rejected(&path, &map), []);
}

//! Tests matching columns without a column map.

use std::path::{Path, PathBuf};

use builder::columns::{ColumnMap, Matching, Schema};
use builder::displays::{SCHEMA, is_complete_record};
use builder::places::SCHEMA as PLACES;
use builder::rows::{Dialect, RowReader};
use rust_xlsxwriter::Workbook;
use serde_json::Value;

use crate::displays::{accepted, record};
use crate::file;

/// Returns the path of a table with the columns that are usual in media owners' files.
pub(crate) fn industry() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("columns/files/industry.csv")
}

pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

/// Returns the map for a file, or the error message without the file's name.
fn matched(path: &Path, schema: &Schema) -> Result<ColumnMap, String> {
    let mut reader = RowReader::open(path, &Dialect::default(), &|_, _, _| ()).expect("a file");
    let map = Matching::of(&mut reader, schema).expect("rows").into_map();
    map.map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
}

/// Returns a file's columns that the map doesn't use.
fn unread(path: &Path, map: &ColumnMap) -> Vec<String> {
    map.unread(&crate::rows(path, &Dialect::default()).expect("a file").0)
}

/// Matches the columns in a file with one row.
fn header(header: &str, row: &str, schema: &Schema) -> Result<ColumnMap, String> {
    matched(&file("csv", format!("{header}\n{row}\n")), schema)
}

/// Writes a CSV file's cells to a workbook. Cells in the given columns are stored as numbers.
fn as_workbook(table: &Path, numbers: &[&str]) -> PathBuf {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(table).expect("a table");
    let mut header: Vec<String> = Vec::new();
    for (row, record) in (0..).zip(reader.records()) {
        let record = record.expect("a record");
        for (column, cell) in (0..).zip(&record) {
            let is_number = row > 0 && numbers.contains(&header[usize::from(column)].as_str());
            let number = cell.replace([',', '$'], "").parse::<f64>().ok().filter(|_| is_number);
            match number {
                Some(number) => sheet.write(row, column, number).expect("a cell"),
                None => sheet.write(row, column, cell).expect("a cell"),
            };
            if row == 0 {
                header.push(cell.to_owned());
            }
        }
    }
    let path = crate::path("xlsx");
    workbook.save(&path).expect("a workbook");
    path
}

#[test]
fn usual_columns_of_a_media_owner_are_used_without_a_map() {
    let table = industry();
    let numbers = ["Geopath ID", "Latitude", "Longitude", "Weekly Impressions 18+", "4-Week Rate"];
    let mut all = Vec::new();
    for path in [table.clone(), as_workbook(&table, &numbers)] {
        let map = matched(&path, &SCHEMA).expect("an unambiguous match");
        assert_eq!(unread(&path, &map), Vec::<String>::new(), "every column is used");
        let flats = accepted(&path, &map);
        assert_eq!(flats.len(), 40);
        let records: Vec<Value> =
            flats.iter().map(|flat| serde_json::to_value(&flat.record).expect("a record")).collect();
        assert_eq!(records[0]["location"]["dma_name"], "Las Vegas");
        assert_eq!(flats[0].contradictions, []);
        all.push(records);
    }
    assert_eq!(all[0], all[1], "a workbook has the same rows as a CSV file");
    let first = &all[0][0];
    let face = &first["layouts"][0]["faces"][0];
    assert_eq!(face["spots"][0]["plant_spot_id"], "LAS-1000");
    assert_eq!([&face["height"], &face["width"]], [168, 576]);
    assert_eq!((&first["location"]["orientation"], &first["read_side"]), (&90.into(), &"right".into()));
    assert_eq!((&first["weekly_impressions"], &first["persons"]), (&128_450.into(), &"18+".into()));
    assert_eq!(first["rate"], serde_json::json!({"amount": 1250, "currency": "USD", "weeks": 4}));
    assert_eq!(first["media_name"], "I-15 N/O Washington Ave E/S F/N");
    assert!(first.get("illumination_type").is_none());
    let second = &all[0][1];
    assert_eq!(
        (&second["digital"], &second["media_type"]["name"]),
        (&true.into(), &"Digital Bulletin".into())
    );
    assert_eq!(second["photo_url"], "https://photos.example.com/LAS-1037.jpg");
    let unmeasured = &all[0][5];
    assert!(unmeasured.get("weekly_impressions").is_none() && unmeasured.get("persons").is_none());
}

#[test]
fn both_facings_of_a_unit_are_read() {
    let map = matched(&industry(), &SCHEMA).unwrap();
    let flats = accepted(&industry(), &map);
    let facing = flats
        .iter()
        .map(|flat| serde_json::to_value(&flat.record).unwrap())
        .filter(|record| record["layouts"][0]["faces"][0]["spots"][0]["plant_spot_id"] == "LAS-1000");
    let directions: Vec<Value> = facing.map(|record| record["location"]["orientation"].clone()).collect();
    assert_eq!(directions, [90, 270]);
}

#[test]
fn public_tables_are_matched_or_refused() {
    let kiosks = data("inventory/linknyc_kiosks.csv");
    let map = matched(&kiosks, &SCHEMA).unwrap();
    for target in ["plant_spot_id", "primary_artery", "zip_code", "latitude", "longitude"] {
        assert!(map.names(target), "{target}");
    }
    assert!(unread(&kiosks, &map).contains(&"Planned Kiosk Type".to_owned()));
    assert_eq!(accepted(&kiosks, &map).len(), 2_176);
    assert_eq!(
        matched(&data("inventory/sf_general_advertising_signs.csv"), &SCHEMA).unwrap_err(),
        "FILE: columns \"OBJECTID\", \"record_id\" could each be plant_spot_id; to get a column map that \
         you can correct, run `marquee release propose-map FILE`"
    );
}

#[test]
fn names_match_without_case_accents_and_punctuation() {
    for names in [
        "PANEL_ID,LAT,LONG",
        "panelId,y,x",
        "Unit No.,Latitude (WGS84),Longitude (decimal degrees)",
        "TAB ID,Y Coord,X-Coord",
        "spot_id,latitude,longitude",
    ] {
        let map = header(names, "17,40.7566,-73.9862", &SCHEMA).expect(names);
        let path = file("csv", format!("{names}\n17,40.7566,-73.9862\n"));
        assert_eq!(record(&path, &map).expect(names)["location"]["dma_name"], "New York", "{names}");
    }
}

#[test]
fn targets_have_the_names_that_the_industry_uses() {
    for (column, value, target) in [
        ("Geopath ID", "30412207", "spot_id"),
        ("Media Owner", "Example", "operator"),
        ("Plant", "Example", "operator"),
        ("Product", "Bulletin", "media_type"),
        ("Illum", "Y", "illumination"),
        ("Lit", "Y", "illumination"),
        ("Facing", "E (RHR)", "orientation"),
        ("Read", "RHR", "read_side"),
        ("Size", "14x48", "size"),
        ("H", "168", "height"),
        ("Market", "New York", "dma"),
        ("Cnty", "Kings", ""),
        ("County", "Kings", "county"),
        ("ST", "NY", "state"),
        ("Postal Code", "10036", "zip_code"),
        ("Location Description", "I-95", "media_name"),
        ("Address", "1 Main St", "primary_artery"),
        ("Image", "https://example.com/a.jpg", "photo_url"),
        ("Image", "a.jpg", ""),
        ("A18+ Weekly Imps", "12,345", "weekly_impressions"),
        ("Impressions", "12,345", ""),
        ("Monthly Rate", "$900", "rate"),
        ("Available From", "2027-01-04", "available_from"),
        ("Available", "Yes", ""),
        ("Status", "Active", ""),
        ("Status", "Published - Measured", "status"),
        ("Venue Type", "transit.airports.gates", "venue_type"),
        ("Venue Type", "Airport", ""),
    ] {
        let names = format!("unit,lat,lng,{column}");
        let map = header(&names, &format!("1,40.7566,-73.9862,\"{value}\""), &SCHEMA).expect(column);
        let is_unread = !map.unread(&[column.to_owned()]).is_empty();
        assert_eq!(is_unread, target.is_empty(), "{column}");
        assert!(target.is_empty() || map.names(target), "{column} is {target}");
    }
}

#[test]
fn names_say_more_about_the_values() {
    let sizes = "unit,lat,lng,Size (W x H)\n1,40.7566,-73.9862,48x14\n";
    let sides = "unit,lat,lng,Height (ft),Width (ft)\n1,40.7566,-73.9862,14,48\n";
    let commas = "unit;lat;lng;size\n1;40,7566;-73,9862;14x48\n";
    for text in [sizes, sides, commas] {
        let path = file("csv", text);
        let face = record(&path, &matched(&path, &SCHEMA).expect(text)).expect(text)["layouts"][0]["faces"]
            [0]
        .clone();
        assert_eq!([&face["height"], &face["width"]], [168, 576], "{text}");
    }
    let path = file("csv", "unit,lat,lng,Weekly Rate (CAD),Available\n1,40.7566,-73.9862,900,1/31/2027\n");
    let record = record(&path, &matched(&path, &SCHEMA).unwrap()).unwrap();
    assert_eq!(record["rate"], serde_json::json!({"amount": 900, "currency": "CAD", "weeks": 1}));
    assert_eq!(record["available_from"], "2027-01-31");
}

#[test]
fn values_show_where_coordinates_are_if_names_do_not() {
    let rows = "17,40.7566,-73.9862,5\n18,40.6782,-73.9442,6";
    let map = header("unit,north,west,n", rows, &SCHEMA).unwrap();
    assert!(map.names("latitude") && map.names("longitude"));
    let error = header("unit,a,b,c", "17,40.7566,40.6782,-73.9862", &SCHEMA).unwrap_err();
    assert!(error.starts_with("FILE: columns \"a\", \"b\" could each be latitude; to get"), "{error}");
}

#[test]
fn ambiguous_and_incomplete_files_are_refused_with_the_command_that_helps() {
    let command = "to get a column map that you can correct, run `marquee release propose-map FILE`";
    for (names, row, faults) in [
        (
            "Unit #,Panel ID,Lat,Lng",
            "1,2,40.7,-73.9",
            "columns \"Unit #\", \"Panel ID\" could each be plant_spot_id",
        ),
        (
            "Name,City",
            "a,b",
            "no column looks like latitude; no column looks like longitude; no column looks like spot_id or plant_spot_id",
        ),
        (
            "Unit,Lat,Lng,H,W",
            "1,40.7,-73.9,14,48",
            "the numbers in column \"H\" could be feet or inches; the numbers in column \"W\" could be feet or inches",
        ),
        (
            "Unit,Lat,Lng,Available",
            "1,40.7,-73.9,1/4/2027",
            "the dates in column \"Available\" could be MM/DD/YYYY or DD/MM/YYYY",
        ),
        (
            "Unit,Lat,Lng,Height (ft),Width (in)",
            "1,40.7,-73.9,14,576",
            "the names of the size columns contain several units: ft, in",
        ),
    ] {
        assert_eq!(header(names, row, &SCHEMA).unwrap_err(), format!("FILE: {faults}; {command}"), "{names}");
    }
    let path = file("csv", "Store Name,Lat,Lng\na,40.7,-73.9\n");
    assert_eq!(
        matched(&path, &PLACES).unwrap_err(),
        "FILE: no column looks like place_type; to get a column map that you can correct, run `marquee \
         release propose-map FILE --places`"
    );
}

#[test]
fn closer_names_take_precedence() {
    let map = header("Unit #,Name,Description,Lat,Latitude,Lng", "1,a,b,40.7,40.7,-73.9", &SCHEMA).unwrap();
    let columns = ["Lat", "Latitude", "Name", "Description"].map(str::to_owned);
    assert_eq!(map.unread(&columns), ["Lat", "Name"]);
}

#[test]
fn registers_of_places_are_matched() {
    let names = "Store #,Store Name,Banner,Category,Address 1,City,ST,ZIP,Lat,Long,Phone";
    let row =
        "17,Blue Kettle #17,Blue Kettle,Coffee Shop,1500 Broadway,New York,NY,10036,40.7566,-73.9862,555";
    let map = header(names, row, &PLACES).unwrap();
    for target in [
        "register_id",
        "place_name",
        "brand",
        "place_type",
        "street_address",
        "city",
        "state",
        "zip_code",
        "latitude",
        "longitude",
    ] {
        assert!(map.names(target), "{target}");
    }
    let columns: Vec<String> = names.split(',').map(str::to_owned).collect();
    assert_eq!(map.unread(&columns), ["Phone"]);
}

#[test]
fn members_of_json_rows_are_matched_like_columns() {
    let path = file("jsonl", "{\"Unit #\": 17, \"Lat\": 40.7566, \"Lng\": -73.9862, \"Note\": \"a\"}\n");
    let map = matched(&path, &SCHEMA).unwrap();
    assert_eq!(record(&path, &map).unwrap()["location"]["dma_id"], "501");
    assert_eq!(unread(&path, &map), ["Note"]);

    let feature = "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [-73.9862, 40.7566]}, \
                   \"properties\": {\"Panel ID\": \"a\", \"lat\": 1}}";
    let path = file("geojson", format!("{{\"type\": \"FeatureCollection\", \"features\": [{feature}]}}"));
    let map = matched(&path, &SCHEMA).unwrap();
    assert_eq!(record(&path, &map).unwrap()["location"]["dma_id"], "501");
    assert_eq!(unread(&path, &map), ["lat"], "the point takes precedence");
}

#[test]
fn rows_with_an_id_and_a_location_are_complete_records() {
    for (text, expected) in [
        ("{\"spot_id\": 1, \"location\": {}}", true),
        ("{\"id\": 1, \"location\": {\"geometry\": null}}", true),
        ("{\"spot_id\": 1, \"location\": \"I-95\"}", false),
        ("{\"location\": {}}", false),
        ("{\"Unit #\": 1}", false),
    ] {
        let (_, rows) = crate::rows(&file("jsonl", text), &Dialect::default()).unwrap();
        assert_eq!(is_complete_record(crate::readable(&rows[0])), expected, "{text}");
    }
}

#[test]
fn required_column_with_unreadable_values_is_named() {
    let message = header("Unit #,Latitude,Longitude", "A-1,40 42 46 N,74 0 22 W", &SCHEMA).unwrap_err();
    assert!(
        message.starts_with(
            "FILE: column \"Latitude\" could be latitude, but some of its values, such as \"40 42 46 N\", can't be read; "
        ),
        "{message}"
    );
}

#[test]
fn form_of_dates_is_found_among_other_values() {
    let rows = "A-1,40.7,-73.9,12/1/2026\nA-2,40.7,-73.9,now\nA-3,40.7,-73.9,TBD\nA-4,40.7,-73.9,1/15/2027";
    let path = file("csv", format!("Unit #,Lat,Long,Avail\n{rows}\n"));
    let (accepted, rejected) = crate::displays::read(&path, &matched(&path, &SCHEMA).expect("a match"));
    let dates: Vec<_> = accepted.iter().map(|flat| flat.record.available_from.as_deref()).collect();
    assert_eq!(dates, [Some("2026-12-01"), None, Some("2027-01-15")]);
    assert_eq!(rejected, [(3, "available_from \"now\" is not a calendar date (MM/DD/YYYY)".to_owned())]);
}

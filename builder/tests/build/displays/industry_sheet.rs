//! Tests a sheet with the industry's usual columns, as CSV and as a workbook, without a column map.

use builder::build::Notice;
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::{Outcome, build_file};

const ENTRY: &str = "[[displays]]\nsource = \"Example Outdoor\"\nvintage = 2026-06-30\nids = \"example\"\n";

const ROWS: u32 = 40;

/// The columns, each with the cells for a bulletin in New York and for a digital bulletin in Los Angeles. `#`
/// stands for the row number.
const COLUMNS: [(&str, [&str; 2]); 13] = [
    ("Unit #", ["NY-#", "LA-#"]),
    ("Geopath ID", ["300012#", "300012#"]),
    ("Media Type", ["Bulletin", "Digital Bulletin"]),
    ("Facing", ["E (RHR)", "NW"]),
    ("Illumination", ["Front lit", "Y"]),
    ("Size (H x W)", ["14' x 48'", "14'H x 48'W"]),
    ("Latitude", ["40.75#", "34.05#"]),
    ("Longitude", ["-73.98#", "-118.24#"]),
    ("Market", ["New York", "Los Angeles"]),
    ("Weekly Impressions 18+", ["1,2#", "98,7#"]),
    ("4-Week Rate", ["$12,0#", "9500"]),
    ("Description", ["Broadway, north of \"Exit\" #", "Sunset Blvd & Vine, unit #"]),
    ("Photo URL", ["https://example.com/#.jpg", "https://example.com/#.jpg"]),
];

fn cells(row: u32) -> [String; COLUMNS.len()] {
    COLUMNS.map(|(_, cells)| cells[row as usize % 2].replace('#', &format!("{}", 10 + row)))
}

fn csv() -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.map(|(name, _)| name)).expect("a header");
    (0..ROWS).for_each(|row| writer.write_record(cells(row)).expect("a row"));
    writer.into_inner().expect("written to memory")
}

/// Writes the rows to a workbook. As in spreadsheet programs, cells that look like numbers are stored as
/// numbers.
fn workbook() -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_row(0, 0, COLUMNS.map(|(name, _)| name)).expect("a header");
    for row in 0..ROWS {
        for (column, cell) in (0..).zip(cells(row)) {
            match cell.parse::<f64>() {
                Ok(number) => sheet.write_number(row + 1, column, number).expect("a number"),
                Err(_) => sheet.write_string(row + 1, column, cell).expect("a string"),
            };
        }
    }
    workbook.save_to_buffer().expect("written to memory")
}

fn build(extension: &str, content: Vec<u8>) -> Outcome {
    let outcome = build_file(ENTRY, extension, content, None);
    assert_eq!(outcome.reasons(), [], "{extension}");
    assert_eq!(outcome.summary().accepted, u64::from(ROWS), "{extension}");
    outcome
}

#[test]
fn reads_all_industry_columns_identically_from_csv_and_xlsx() {
    let (csv, workbook) = (build("csv", csv()), build("xlsx", workbook()));
    assert_eq!(csv.records(), workbook.records());
    assert_eq!(csv.release().manifest().name, workbook.release().manifest().name);
    for outcome in [csv, workbook] {
        let unread = outcome.notices().iter().find(|notice| matches!(notice, Notice::UnreadColumns { .. }));
        assert_eq!(unread, None);
        let records = outcome.records();
        assert_eq!(records.len(), ROWS as usize);
        for (column, pointer, bulletin, digital) in members() {
            let found =
                [&records[0], &records[1]].map(|record| record.pointer(pointer).unwrap_or(&Value::Null));
            assert_eq!(found, [&bulletin, &digital], "{column}");
        }
    }
}

/// Returns each column with the member that it sets, and the member's values in the first two records.
fn members() -> [(&'static str, &'static str, Value, Value); 17] {
    [
        ("Unit #", "/layouts/0/faces/0/spots/0/plant_spot_id", json!("NY-10"), json!("LA-11")),
        ("Geopath ID", "/spot_id", json!(30_001_210), json!(30_001_211)),
        ("Media Type", "/media_type/name", json!("Bulletin"), json!("Digital Bulletin")),
        ("Media Type", "/digital", Value::Null, json!(true)),
        ("Facing", "/location/orientation", json!(90), json!(315)),
        ("Facing", "/read_side", json!("right"), Value::Null),
        ("Illumination", "/illumination_type/name", json!("Front lit"), Value::Null),
        ("Size (H x W)", "/layouts/0/faces/0/height", json!(168), json!(168)),
        ("Size (H x W)", "/layouts/0/faces/0/width", json!(576), json!(576)),
        ("Latitude", "/location/geometry/coordinates/1", json!(40.7510), json!(34.0511)),
        ("Longitude", "/location/geometry/coordinates/0", json!(-73.9810), json!(-118.2411)),
        ("Market", "/location/dma_name", json!("New York"), json!("Los Angeles")),
        ("Weekly Impressions 18+", "/weekly_impressions", json!(1_210), json!(98_711)),
        ("Weekly Impressions 18+", "/persons", json!("18+"), json!("18+")),
        ("4-Week Rate", "/rate/amount", json!(12_010), json!(9_500)),
        (
            "Description",
            "/media_name",
            json!("Broadway, north of \"Exit\" 10"),
            json!("Sunset Blvd & Vine, unit 11"),
        ),
        ("Photo URL", "/photo_url", json!("https://example.com/10.jpg"), json!("https://example.com/11.jpg")),
    ]
}

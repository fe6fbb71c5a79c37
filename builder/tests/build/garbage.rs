//! Tests files that consist of arbitrary bytes. Such files never cause lost rows or panics.

use std::path::Path;
use std::sync::LazyLock;

use builder::build::Rejects;
use builder::rows::{Dialect, Row, RowReader};
use proptest::prelude::*;
use serde_json::Value;

use crate::{GEOGRAPHIES, PLACES, Project};

/// Reads all rows in a file. Returns the readable rows and the total number of rows.
fn read(extension: &str, content: &[u8]) -> Result<(Vec<Value>, u64), String> {
    let name = format!("rows.{extension}");
    let project = Project::new().file(&name, content);
    read_file(&project.path(&name))
}

fn read_file(path: &Path) -> Result<(Vec<Value>, u64), String> {
    let mut reader =
        RowReader::open(path, &Dialect::default(), &|_, _, _| {}).map_err(|error| error.to_string())?;
    let (mut readable, mut rows) = (Vec::new(), 0);
    while let Some(row) = reader.next_row().map_err(|error| error.to_string())? {
        rows += 1;
        if let Row::Read(row) = row {
            readable.push(Value::Object(row.fields));
        }
    }
    Ok((readable, rows))
}

/// Strings with a special meaning in one of the formats.
const TEXTS: [&str; 9] = [
    "A,B,1,2\n",
    "\"A\"\"\",\"\n\",40,-73\n",
    "\u{feff}",
    "é",
    "null",
    "\"type\":\"Feature\"",
    "{\"place_name\":\"A\",\"place_type\":\"B\",\"latitude\":1,\"longitude\":2}\n",
    "\"features\":[",
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":{}},",
];

/// Generates bytes, most with a special meaning in one of the formats.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(&b"\"\",,\n\n\r\\{}[]:: 01-.e\0\xff\xc3"[..]).prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => prop::sample::select(&TEXTS[..]).prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_break_the_readers(content in bytes()) {
        for extension in ["csv", "jsonl", "geojson"] {
            // The entire file can also be rejected.
            let _ = read(extension, &content);
        }
    }

    #[test]
    fn arbitrary_bytes_in_a_csv_file_never_hide_the_rows_after_them(content in bytes()) {
        let content = [b"name\n", content.as_slice(), b"\nLast"].concat();
        let (rows, _) = read("csv", &content).expect("a file with a header");
        prop_assert_eq!(&rows.last().expect("a row")["name"], "Last");
    }

    #[test]
    fn arbitrary_bytes_between_lines_of_json_never_hide_rows(content in bytes()) {
        let content = [b"{}\n", content.as_slice(), b"\n{}"].concat();
        let (readable, rows) = read("jsonl", &content).expect("a file of lines");
        prop_assert!(readable.len() >= 2);
        let lines = String::from_utf8_lossy(&content).replace("\r\n", "\n").replace('\r', "\n");
        let is_row = |line: &&str| !line.trim_start_matches('\u{feff}').trim_ascii().is_empty();
        prop_assert_eq!(rows, lines.lines().filter(is_row).count() as u64);
    }

    #[test]
    fn arbitrary_bytes_between_features_never_hide_rows(content in bytes()) {
        let feature = &br#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}}"#[..];
        let content = [br#"{"features": ["#, feature, b",", &content, b",", feature, b"]}"].concat();
        // If the brackets don't match, the entire file is rejected.
        if let Ok((_, rows)) = read("geojson", &content) {
            prop_assert!(rows >= 2);
        }
    }
}

proptest! {
    // Limit the number of cases, because each case builds releases.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn rejected_rows_are_a_file_of_as_many_rows(content in bytes()) {
        let csv = [b"place_name,place_type,latitude,longitude\nA,B,1,2\n", content.as_slice()].concat();
        let row = &br#"{"place_name": "A", "place_type": "B", "latitude": 1, "longitude": 2}"#[..];
        let jsonl = [row, b"\n", content.as_slice()].concat();
        LazyLock::force(&GEOGRAPHIES);
        for (name, content) in [("rows.csv", csv), ("rows.jsonl", jsonl)] {
            let project = Project::new().file(name, content);
            let project = project.list(&format!("{PLACES}files = [\"{name}\"]\n"));
            let mut rejects = Rejects::default();
            let built = project.built(&mut rejects, None, &[]).expect("an accepted row");
            let files = rejects.finish().expect("writable files");
            let rows: u64 = files.iter().map(|file| read_file(file).expect("a readable file").1).sum();
            prop_assert_eq!(rows, built.report.sources[0].rejected());
        }
    }
}

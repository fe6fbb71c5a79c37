//! Files of arbitrary bytes: whatever they are, no row is lost and nothing panics.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use builder::build::Rejects;
use builder::columns::ColumnMap;
use builder::location::Locator;
use builder::places::{Setup, Summary, TARGETS};
use dataset::places::NewPlace;
use proptest::prelude::*;

use crate::{example_source, file};

static NOWHERE: LazyLock<Locator> = LazyLock::new(|| Locator::new(Vec::new()));

/// Reads a file; all rows are accounted for, and the rejected ones are a file that has as many.
fn import(extension: &str, content: &[u8]) -> Result<(Vec<NewPlace>, Summary), String> {
    let source = file(extension, content);
    let read = read(&source);
    std::fs::remove_file(&source).expect("written");
    let (places, summary, rejects) = read?;
    assert_eq!(summary.rows, summary.accepted + summary.rejected);
    assert_eq!((places.len() as u64, rejects.is_some()), (summary.accepted, summary.rejected > 0));
    if let Some(rejects) = rejects {
        let (_, again, further) = self::read(&rejects).expect("a file of the same format");
        assert_eq!(again.rows, summary.rejected);
        for file in [Some(rejects), further].into_iter().flatten() {
            std::fs::remove_file(file).expect("written");
        }
    }
    Ok((places, summary))
}

fn read(source: &Path) -> Result<(Vec<NewPlace>, Summary, Option<PathBuf>), String> {
    let (map, mut rejects) = (ColumnMap::own_names(&TARGETS), Rejects::beside_sources());
    let setup = Setup {
        map: &map,
        locator: &NOWHERE,
        is_foreign: false,
        source: &example_source(),
        progress: &|_, _, _| {},
    };
    let read = builder::places::read(&[source.to_owned()], setup, [], &mut rejects);
    let files = match &read {
        Ok(_) => rejects.finish(false).expect("a report"),
        Err(_) => Vec::new(),
    };
    let (places, summary) = read.map_err(|error| error.to_string())?;
    Ok((places, summary, files.into_iter().next()))
}

/// Texts that mean something in one of the formats.
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

/// Bytes, most of which mean something in one of the formats.
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
    fn no_bytes_break_the_readers(content in bytes()) {
        for extension in ["csv", "jsonl", "geojson"] {
            // That the file is refused as a whole is as good.
            let _ = import(extension, &content);
        }
    }

    #[test]
    fn no_bytes_behind_a_header_make_a_csv_file_lose_rows(content in bytes()) {
        let content = [b"place_name,place_type,latitude,longitude\n", content.as_slice(), b"\nLast,B,1,2"].concat();
        let (places, _) = import("csv", &content).expect("every row is accepted or rejected");
        prop_assert!(places.iter().any(|place| place.name == "Last"));
    }

    #[test]
    fn no_bytes_between_two_lines_of_json_make_a_file_lose_rows(content in bytes()) {
        let row = &br#"{"place_name": "A", "place_type": "B", "latitude": 1, "longitude": 2, "country": "X"}"#[..];
        let content = [row, b"\n", &content, b"\n", row].concat();
        let (_, summary) = import("jsonl", &content).expect("every row is accepted or rejected");
        prop_assert!(summary.accepted > 0);
        let lines = String::from_utf8_lossy(&content).replace("\r\n", "\n").replace('\r', "\n");
        let is_row = |line: &&str| !line.trim_start_matches('\u{feff}').trim_ascii().is_empty();
        let rows = lines.lines().filter(is_row).count();
        prop_assert_eq!(summary.rows, rows as u64);
    }

    #[test]
    fn no_bytes_between_two_features_make_a_geojson_file_lose_rows(content in bytes()) {
        let feature = &br#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}}"#[..];
        let content = [br#"{"features": ["#, feature, b",", &content, b",", feature, b"]}"].concat();
        // Where the brackets do not match, the file is refused as a whole.
        if let Ok((_, summary)) = import("geojson", &content) {
            prop_assert!(summary.rows >= 2);
        }
    }
}

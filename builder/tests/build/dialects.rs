//! Tests files exported from spreadsheets, with different delimiters, decimal separators, and encodings, and
//! with empty lines.

use builder::build::Notice;
use builder::columns::ColumnMap;
use builder::places::TARGETS;

use crate::{Outcome, PLACES, build_file, import};

/// Returns the names of all places, sorted.
fn names(outcome: &Outcome) -> Vec<String> {
    assert_eq!(outcome.reasons(), []);
    let mut names: Vec<String> = outcome.places().into_iter().map(|place| place.name).collect();
    names.sort();
    names
}

#[test]
fn semicolons_and_tabs_are_recognized_by_the_header() {
    for delimiter in [",", ";", "\t"] {
        let header = ["place_name", "place_type", "latitude", "longitude", "\"a, b; c\""].join(delimiter);
        let rows = [
            ["\"A, B; C\tD\"", "Shop", "40.7", "-73.9", ""].join(delimiter),
            ["E", "Shop", "40.7", "-73.91", ""].join(delimiter),
        ];
        let outcome = import("csv", format!("{header}\n{}\n", rows.join("\n")));
        let reasons = outcome.reasons().len();
        // A cell in a tab-separated file can't contain a tab.
        assert_eq!(reasons, 1, "{delimiter:?}");
        let rows = rows.join("\n").replace("C\tD", "C");
        let outcome = import("csv", format!("{header}\n{rows}\n"));
        assert_eq!(names(&outcome), ["A, B; C", "E"], "{delimiter:?}");
    }
}

#[test]
fn tsv_tab_and_txt_files_and_their_rejects_are_read_as_csv() {
    let commas = "place_name,place_type,latitude,longitude\nA,Shop,40.7,-73.9\n,Shop,40.7,-73.9\n";
    for (extension, delimiter) in [("tsv", "\t"), ("tab", "\t"), ("txt", "\t"), ("txt", ";"), ("txt", ",")] {
        let outcome = import(extension, commas.replace(',', delimiter));
        assert_eq!(outcome.places()[0].name, "A", "{extension}");
        assert_eq!(outcome.reasons(), [(3, "place_name is missing")], "{extension}");
    }
}

fn import_csv(content: &str, map: &str) -> Outcome {
    build_file(PLACES, "csv", content, Some(map))
}

fn windows_1252(outcome: &Outcome) -> Vec<&Notice> {
    outcome.notices().iter().filter(|notice| matches!(notice, Notice::Windows1252 { .. })).collect()
}

const COLUMNS: &str = "[columns]\nplace_name = \"n\"\nlatitude = \"y\"\nlongitude = \"x\"\n\
                       [constants]\nplace_type = \"Shop\"\n";

#[test]
fn the_map_says_the_delimiter_and_whether_commas_are_decimal() {
    let outcome = import_csv("n;y;x\nA;40,7;-73,9\n", &format!("{COLUMNS}[format]\ndecimal_comma = true\n"));
    assert_eq!(names(&outcome), ["A"]);
    assert_eq!((outcome.places()[0].position.latitude, outcome.places()[0].state.as_str()), (40.7, "NY"));
    let outcome = import_csv("n;y;x\nA;40,7;-73,9\n", COLUMNS);
    assert_eq!(
        outcome.reasons(),
        [(2, "latitude \"40,7\" is not in decimal degrees; longitude \"-73,9\" is not in decimal degrees")]
    );
    // The header contains more commas than delimiters.
    let map = COLUMNS.replace("\"n\"", "\"n, m, o, p\"");
    for (written, delimiter) in [("|", "|"), ("\t", "tab"), ("\t", "\\t"), (";", ";")] {
        let content = format!("n, m, o, p{written}y{written}x\nA{written}40.7{written}-73.9\n");
        let map = format!("{map}[format]\ndelimiter = \"{delimiter}\"\n");
        assert_eq!(names(&import_csv(&content, &map)), ["A"], "{delimiter}");
    }
    for (format, reason) in [
        ("delimiter = \"x\"", "format.delimiter must be \",\", \";\", \"tab\", or \"|\", got \"x\""),
        (
            "delimiter = \",\"\ndecimal_comma = true",
            "format: a comma cannot be both the delimiter and the decimal separator",
        ),
    ] {
        let error = ColumnMap::parse(&format!("[format]\n{format}"), &TARGETS).expect_err(format);
        assert_eq!(error.to_string(), reason);
    }
}

#[test]
fn windows_1252_is_read_with_a_notice_in_each_format() {
    let csv = b"place_name,place_type,latitude,longitude\n\
                \"Cafe A\",Shop,40.7,-73.9\nCaf\xE9 B,Shop,40.7,-73.9\nO\x92Hare,Shop,40.7,-73.9\n";
    let jsonl = b"{\"place_name\":\"Cafe A\",\"place_type\":\"Shop\",\"latitude\":40.7,\"longitude\":-73.9}\n\
                  {\"place_name\":\"Caf\xE9 B\",\"place_type\":\"Shop\",\"latitude\":40.7,\"longitude\":-73.9}\n\
                  {\"place_name\":\"O\x92Hare\",\"place_type\":\"Shop\",\"latitude\":40.7,\"longitude\":-73.9}\n";
    let feature = |name: &[u8]| {
        [
            b"{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[-73.9,40.7]},\"properties\":\
              {\"place_type\":\"Shop\",\"place_name\":\"",
            name,
            b"\"}}",
        ]
        .concat()
    };
    let features = [feature(b"Cafe A"), feature(b"Caf\xE9 B"), feature(b"O\x92Hare")].join(&b',');
    let geojson = [b"{\"features\":[", features.as_slice(), b"]}"].concat();
    for (extension, content, first) in
        [("csv", csv.as_slice(), 3), ("jsonl", jsonl, 2), ("geojson", &geojson, 2)]
    {
        let outcome = import(extension, content);
        assert_eq!(names(&outcome), ["Cafe A", "Café B", "O’Hare"], "{extension}");
        let [notice @ Notice::Windows1252 { lines, .. }] = windows_1252(&outcome)[..] else {
            panic!("one notice: {:?}", outcome.notices())
        };
        assert_eq!((lines.first, lines.count), (first, 2), "{extension}");
        let notice = notice.to_string();
        assert!(
            notice.contains("aren't valid UTF-8 and were read as Windows-1252: 2; the first is number"),
            "{notice}"
        );
    }
    // A file with a byte order mark must be valid UTF-8.
    let marked = [b"\xEF\xBB\xBF", csv.as_slice()].concat();
    let outcome = import("csv", marked);
    assert_eq!(outcome.reasons(), [(3, "\"place_name\" is not UTF-8"), (4, "\"place_name\" is not UTF-8")]);
    let marked = [b"\xEF\xBB\xBF", jsonl.as_slice()].concat();
    let outcome = import("jsonl", marked);
    assert_eq!(outcome.reasons(), [(2, "the line is not UTF-8"), (3, "the line is not UTF-8")]);
}

#[test]
fn damaged_utf_8_is_not_taken_for_windows_1252() {
    let row = |name: &[u8]| [b"\"", name, b"\",Shop,40.7,-73.9\n"].concat();
    let header = b"place_name,place_type,latitude,longitude\n".to_vec();
    // A line with both a valid and a truncated UTF-8 character is corrupt. The next line is Windows-1252.
    let content = [header.clone(), row(b"S\xC3\xA3o Caf\xC3"), row(b"Caf\xE9 B")].concat();
    let outcome = import("csv", content);
    assert_eq!(outcome.reasons(), [(2, "\"place_name\" is not UTF-8")]);
    assert_eq!((outcome.places()[0].name.as_str(), windows_1252(&outcome).len()), ("Café B", 1));
    assert!(outcome.rejects[0].row.starts_with("\"São Caf\u{FFFD}\""), "{:?}", outcome.rejects);
    // After a valid UTF-8 character, the rest of the file must be UTF-8, too.
    let content = [header, row(b"S\xC3\xA3o"), row(b"Caf\xC3"), row(b"Caf\xE9 B")].concat();
    let outcome = import("csv", content);
    assert_eq!(outcome.reasons(), [(3, "\"place_name\" is not UTF-8"), (4, "\"place_name\" is not UTF-8")]);
    assert_eq!((outcome.places()[0].name.as_str(), windows_1252(&outcome).len()), ("São", 0));
}

#[test]
fn blank_lines_of_a_spreadsheet_are_skipped() {
    let content = "place_name,place_type,latitude,longitude\n,,,\nA,Shop,40.7,-73.9\n , ,\"\",\n,,,\n,,,,,\n";
    let outcome = import("csv", content);
    assert_eq!((names(&outcome), outcome.summary().rows), (vec!["A".to_owned()], 1));
}

#[test]
fn a_line_break_inside_a_cell_becomes_a_space() {
    let csv = "place_name,street_address,place_type,latitude,longitude\n\
               \"Blue\r\nKettle\",\"1 Main St \n\n Suite 2\",Shop,40.7,-73.9\n";
    let json = "{\"place_name\": \"Blue\\r\\nKettle\", \"street_address\": \"1 Main St\\nSuite 2\", \
                \"place_type\": \"Shop\", \"latitude\": 40.7, \"longitude\": -73.9}";
    for (extension, content) in [("csv", csv), ("jsonl", json)] {
        let outcome = import(extension, content);
        assert_eq!(names(&outcome), ["Blue Kettle"]);
        assert_eq!(outcome.places()[0].street_address, "1 Main St Suite 2");
    }
}

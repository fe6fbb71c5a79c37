//! Tests how files in each format are split into rows.

use std::sync::Mutex;

use builder::rows::{CELL_BYTES, Dialect, Row as ReadRow, RowProblem, RowReader, SourceRow};
use serde_json::{Value, json};

use crate::Project;

type Row = Result<SourceRow, RowProblem>;

fn read(extension: &str, content: impl AsRef<[u8]>) -> Result<Vec<Row>, String> {
    let name = format!("rows.{extension}");
    let project = Project::new().file(&name, content);
    let path = project.path(&name);
    let mut rows = Vec::new();
    let result = RowReader::open(&path, &Dialect::default(), &|_, _, _| {}).and_then(|mut reader| {
        while let Some(row) = reader.next_row()? {
            rows.push(match row {
                ReadRow::Read(row) => Ok(row),
                ReadRow::Unreadable(problem) => Err(problem),
            });
        }
        Ok(())
    });
    result.map(|()| rows).map_err(|error| error.to_string().replacen(&format!("{}: ", path.display()), "", 1))
}

/// Returns the line numbers and fields of rows, which must all be readable.
fn good(rows: Result<Vec<Row>, String>) -> Vec<(u64, Value)> {
    let take =
        |row: Row| row.map(|row| (row.line, Value::Object(row.fields))).expect("a row that can be read");
    rows.expect("a file that can be read").into_iter().map(take).collect()
}

/// Returns the line number of each row, and the reason if it's unreadable.
fn problems(rows: Result<Vec<Row>, String>) -> Vec<(u64, Option<String>)> {
    let take = |row: Row| match row {
        Ok(row) => (row.line, None),
        Err(problem) => (problem.line, Some(problem.reason)),
    };
    rows.expect("a file that can be read").into_iter().map(take).collect()
}

#[test]
fn names_csv_cells_after_their_columns() {
    let rows = good(read("csv", "name, city \nA,\"B, C\"\n\"say \"\"hi\"\"\",5\" pipe\n"));
    let expected =
        [(2, json!({"name": "A", "city": "B, C"})), (3, json!({"name": "say \"hi\"", "city": "5\" pipe"}))];
    assert_eq!(rows, expected);
}

#[test]
fn accepts_byte_order_marks_and_all_line_endings_in_csv() {
    let expected = [(2, json!({"a": "1", "b": "2"})), (4, json!({"a": "3", "b": ""}))];
    for end in ["\n", "\r\n", "\r"] {
        for last in ["", end] {
            let content = ["\u{feff}a,b", "1,2", "  ", "3,"].join(end) + last;
            assert_eq!(good(read("csv", &content)), expected, "{content:?}");
        }
    }
}

#[test]
fn accepts_line_breaks_in_quoted_csv_cells() {
    let rows = good(read("csv", "a,b\r\n\"1\r\n\r\n2\",3\r\n4,5\r\n"));
    assert_eq!(rows, [(2, json!({"a": "1\n\n2", "b": "3"})), (5, json!({"a": "4", "b": "5"}))]);
}

#[test]
fn numbers_unnamed_columns_that_contain_a_value() {
    let rows = good(read("csv", "a,,\n1,,3\n1, ,\n"));
    assert_eq!(rows, [(2, json!({"a": "1", "column 3 (no name)": "3"})), (3, json!({"a": "1"}))]);
}

#[test]
fn unclosed_quote_rejects_only_its_row() {
    let unclosed = "the quote opened on this line is not closed before";
    let way_out = "; double each quote inside a cell";
    let at_the_end = problems(read("csv", "a,b\n1,\"2\n3,4\n5,6\n"));
    assert_eq!(
        at_the_end,
        [(2, Some(format!("{unclosed} the end of the file{way_out}"))), (3, None), (4, None)]
    );

    let many = "7,8\n".repeat(5_000);
    let in_a_long_file = problems(read("csv", format!("a,b\n1,\"2\n{many}")));
    let reason = format!("{unclosed} the cell exceeds 10000 bytes{way_out}");
    assert_eq!(in_a_long_file[0], (2, Some(reason)));
    assert_eq!(in_a_long_file.len(), 5_001);
    assert!(in_a_long_file[1..].iter().all(|(_, problem)| problem.is_none()));

    let before_another_quote = problems(read("csv", "a,b\n\"1,2\n3,\"4\"\n5,6\n"));
    assert_eq!(
        before_another_quote.iter().map(|(line, problem)| (*line, problem.is_none())).collect::<Vec<_>>(),
        [(2, false), (3, true), (4, true)]
    );
}

#[test]
fn unclosed_quotes_on_every_line_do_not_hide_other_rows() {
    for line in ["a\"b,\"\n", "a\",\"\n", "\"\"\"\n", ",\"\n"] {
        let rows = problems(read("csv", format!("a,b\n{}", line.repeat(100_000))));
        assert!(
            rows.len() >= 50_000 && rows.is_sorted_by_key(|(line, _)| *line),
            "{line:?}: {} rows",
            rows.len()
        );
    }
}

#[test]
fn reports_each_invalid_csv_row() {
    let huge = "x".repeat(CELL_BYTES + 1);
    let cases: [(&[u8], &str); 4] = [
        (b"1", "the row has a different number of cells (1) than the header (2)"),
        (b"1,2,3", "the row has a different number of cells (3) than the header (2)"),
        (b"\"1\"x,2", "in column 1, text follows the closing quote; double each quote inside a cell"),
        (huge.as_bytes(), "the row has a different number of cells (1) than the header (2)"),
    ];
    for (row, reason) in cases {
        let content = [b"a,b\n", row, b"\n1,2\n"].concat();
        assert_eq!(problems(read("csv", content)), [(2, Some(reason.to_owned())), (3, None)]);
    }
    let rows = problems(read("csv", format!("a,b\n1,{huge}\n1,2\n")));
    assert_eq!(rows, [(2, Some("\"b\" is longer than 10000 bytes".to_owned())), (3, None)]);
    let line = format!("1,{}", "x".repeat(2 << 20));
    let rows = problems(read("csv", format!("a,b\n{line}\n1,2\n")));
    assert_eq!(rows, [(2, Some("the line is longer than 1048576 bytes".to_owned())), (3, None)]);
}

#[test]
fn rejects_csv_files_without_a_valid_header() {
    let refused = [
        (&b""[..], "is empty; expected a header line with column names"),
        (b"\xEF\xBB\xBF \n\n", "is empty; expected a header line with column names"),
        (b"\xFF\xFEa\0,\0b\0\n\0", "line 1: the header cannot be read: it is not UTF-8"),
        (b"\na,b,a\n1,2,3\n", "line 2: the header cannot be read: columns 1 and 3 are both named \"a\""),
    ];
    for (content, reason) in refused {
        assert_eq!(read("csv", content), Err(reason.to_owned()));
    }
}

#[test]
fn reads_json_lines_as_rows() {
    let content = "\u{feff}{\"a\": 40.758, \"b\": true}\r\n\r\n  {\"a\": null, \"b\": [1], \"c\": 1e3}";
    let rows = read("jsonl", content).expect("a file that can be read");
    let [first, second] = rows.as_slice() else { panic!("two rows: {rows:?}") };
    let (first, second) = (first.as_ref().expect("a row"), second.as_ref().expect("a row"));
    assert_eq!((first.line, second.line), (1, 3));
    assert_eq!(first.text("a").expect("a text").as_deref(), Some("40.758"));
    assert_eq!(first.text("b").expect("a text").as_deref(), Some("true"));
    assert_eq!(first.text("c"), Ok(None));
    assert_eq!(second.text("a"), Ok(None));
    let refused = second.text("b").map_err(|error| error.to_string());
    assert_eq!(refused, Err("is an array, not a string or a number".to_owned()));
    assert_eq!(second.text("c").expect("a text").as_deref(), Some("1000.0"));
}

#[test]
fn reports_each_invalid_json_line() {
    let huge = format!("{{\"a\": \"{}\"}}", "x".repeat(CELL_BYTES + 1));
    let deep = "[".repeat(100_000);
    let cases: [(&[u8], &str); 5] = [
        (b"{\"a\": }", "invalid JSON: expected value, at byte 7"),
        (b"{\"a\": 1", "invalid JSON: EOF while parsing an object, at byte 7"),
        (b"[1]", "the line is not a JSON object"),
        (huge.as_bytes(), "\"a\" is longer than 10000 bytes"),
        (deep.as_bytes(), "invalid JSON: recursion limit exceeded, at byte 128"),
    ];
    for (row, reason) in cases {
        let content = [row, b"\n{\"a\": 1}\n"].concat();
        assert_eq!(problems(read("ndjson", content)), [(1, Some(reason.to_owned())), (2, None)]);
    }
    assert_eq!(read("jsonl", "\n \n"), Err("is empty; expected one JSON object per line".to_owned()));
}

const FEATURE: &str = r#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-73.9, 40.7, 5]},
    "properties": {"a": "]} \" \\"}}"#;

fn collection(features: &str) -> String {
    format!(
        "{{\"bbox\": [1, 2, 3, 4], \"type\": \"FeatureCollection\", \"features\": [{features}], \"x\": {{\"y\": []}}}} "
    )
}

#[test]
fn reads_geojson_features_as_rows_with_positions() {
    let unlocated = r#"{"type": "Feature", "geometry": null, "properties": null}"#;
    let rows =
        read("geojson", collection(&format!("{FEATURE} , {unlocated}"))).expect("a file that can be read");
    let [Ok(first), Ok(second)] = rows.as_slice() else { panic!("two rows: {rows:?}") };
    let position = first.position.expect("a point");
    assert_eq!((position.latitude, position.longitude), (40.7, -73.9));
    assert_eq!(first.text("a").expect("a text").as_deref(), Some("]} \" \\"));
    assert_eq!((first.line, second.line, second.position), (1, 2, None));
    assert_eq!(str::from_utf8(&first.raw), Ok(FEATURE));
    assert_eq!(read("json", collection("")), Ok(Vec::new()));
}

#[test]
fn reports_each_invalid_geojson_feature() {
    let point = |coordinates: &str| {
        format!("{{\"type\":\"Feature\",\"geometry\":{{\"type\":\"Point\"{coordinates}}}}}")
    };
    let cases = [
        ("{\"type\": 1, \"type\": 2}".to_owned(), "invalid JSON: member \"type\" occurs twice, at byte 22"),
        ("[".repeat(600) + &"]".repeat(600), "invalid JSON: recursion limit exceeded, at byte 128"),
        ("7".to_owned(), "the item must be a GeoJSON object of type Feature"),
        ("{\"type\": \"Point\"}".to_owned(), "the item must be a GeoJSON object of type Feature"),
        ("{\"type\":\"Feature\",\"geometry\":{}}".to_owned(), "the geometry has no type"),
        (
            "{\"type\":\"Feature\",\"properties\":[]}".to_owned(),
            "the feature's properties must be an object or null",
        ),
        (point(""), "the coordinates must be [longitude, latitude]"),
        (point(",\"coordinates\":[1]"), "the coordinates must be [longitude, latitude]"),
        (point(",\"coordinates\":[[1,2]]"), "the coordinates must be [longitude, latitude]"),
        (FEATURE.replace("Point", "Polygon"), "the geometry is a \"Polygon\", not a Point"),
        (FEATURE.replace("]} ", &"x".repeat(CELL_BYTES)), "\"a\" is longer than 10000 bytes"),
    ];
    for (feature, reason) in &cases {
        let rows = problems(read("geojson", collection(&format!("{feature}, {FEATURE}"))));
        assert_eq!(rows, [(1, Some((*reason).to_owned())), (2, None)], "{feature}");
    }
    let long = FEATURE.replacen("]} ", &"x".repeat(2 << 20), 1);
    let rows = problems(read("geojson", collection(&format!("{long}, {FEATURE}"))));
    assert_eq!(rows, [(1, Some("the feature is longer than 1048576 bytes".to_owned())), (2, None)]);
}

#[test]
fn rejects_geojson_files_that_are_not_feature_collections() {
    let unfinished = &collection(FEATURE)[..90];
    for (content, reason) in [
        ("[1]", "expected value at line 1 column 2"),
        ("{\"type\": \"Feature\"}", "unknown variant `Feature`, expected `FeatureCollection` at line 1"),
        ("{}", "missing field `features` at line 1 column 2"),
        ("{\"features\": 1}", "invalid type: integer `1`, expected a sequence at line 1"),
        ("{\"features\": []}\n{}", "trailing characters at line 2 column 1"),
        ("{\"features\": [\n{},]}", "trailing comma at line 2"),
        ("{\"features\": [\n{'a': 1}]}", "key must be a string at line 2 column 2"),
        ("{\"features\": [\n{]}", "key must be a string at line 2 column 2"),
        ("{\"a\" 1}", "expected `:` at line 1 column 6"),
        (unfinished, "EOF while parsing"),
    ] {
        let refused = read("geojson", content).expect_err(content);
        let begins = refused.starts_with(&format!("is not a GeoJSON FeatureCollection: {reason}"));
        assert!(
            begins && refused.ends_with("; if each line is a JSON object, name the file .jsonl"),
            "{refused}"
        );
    }
    let empty = "is empty; expected a GeoJSON FeatureCollection";
    assert_eq!(read("geojson", " \n"), Err(empty.to_owned()));
}

#[test]
fn rejects_unsupported_extensions_and_missing_files() {
    let reason = "the name must end in .csv, .tsv, .tab, .txt, .xlsx, .jsonl, .ndjson, .geojson, or .json";
    assert_eq!(read("pdf", "PK"), Err(reason.to_owned()));
    let opened = RowReader::open("nowhere/places.CSV".as_ref(), &Dialect::default(), &|_, _, _| {});
    let error = opened.err().expect("no such file").to_string();
    assert!(error.starts_with("nowhere/places.CSV: cannot be read: "), "{error}");
}

#[test]
fn reports_progress_in_bytes_up_to_the_file_size() {
    let content = "a,b\n".repeat(300_000);
    let project = Project::new().file("rows.csv", &content);
    let path = project.path("rows.csv");
    let reports = Mutex::new(Vec::new());
    let progress = |task: &str, done: u64, total: u64| {
        assert!(task == "reading rows.csv", "{task}");
        assert_eq!(total, content.len() as u64);
        reports.lock().expect("no panic before").push(done);
    };
    let mut reader = RowReader::open(&path, &Dialect::default(), &progress).expect("a file that can be read");
    while reader.next_row().expect("a file that can be read").is_some() {}
    let reports = reports.into_inner().expect("no panic before");
    assert!(reports.len() > 3 && reports.is_sorted(), "{reports:?}");
    assert_eq!(reports.last(), Some(&(content.len() as u64)));
}

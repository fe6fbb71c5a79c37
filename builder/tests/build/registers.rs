//! Tests registers in the formats that media owners use. Data that is dropped is always reported in a notice.

use crate::{DISPLAYS, Outcome, build_file, import_displays};

fn notices(outcome: &Outcome) -> Vec<String> {
    outcome.notices().iter().map(|notice| outcome.folder.relative(&notice.to_string())).collect()
}

#[test]
fn columns_without_a_name_are_listed_if_they_have_a_value() {
    for (rows, listed) in [
        ("Unit #,Lat,Long,,Note,\nA-1,40.7,-73.9,,,\n", "\"Note\""),
        ("Unit #,Lat,Long,,,\nA-1,40.7,-73.9,,,\nA-2,40.8,-73.9,, new,\n", "\"column 5 (no name)\""),
    ] {
        let outcome = import_displays("csv", rows, None);
        let expected = format!("Example Outdoor (example): these columns are ignored: {listed}");
        assert_eq!(notices(&outcome), [expected]);
    }
}

#[test]
fn title_above_the_header_is_named_with_the_row_that_is_the_header() {
    let table = "Unit #,Lat,Long,Facing\nA-1,40.7,-73.9,N\nA-2,x,-73.9,N\n";
    let map = "[columns]\nplant_spot_id = \"Unit #\"\nlatitude = \"Lat\"\nlongitude = \"Long\"\n";
    for title in
        ["Lamar Inventory November 2026\n\n", "\"Inventory, by unit\",,,\n,,,\n", "Market: New York\nUnits\n"]
    {
        for (map, reason) in [
            (
                None,
                "the first row doesn't look like a header, but row 3 does; delete the rows above it, or set",
            ),
            (
                Some(map),
                "the first row lacks columns that the map names, but row 3 has all of them; delete the rows above it, or set",
            ),
        ] {
            let outcome = import_displays("csv", format!("{title}{table}"), map);
            assert_eq!(outcome.error(), format!("{reason} header_row = 3 in the source's entry"), "{title}");
            let entry = format!("{DISPLAYS}header_row = 3\n");
            let outcome = build_file(&entry, "csv", format!("{title}{table}"), map);
            assert_eq!(outcome.reasons(), [(5, "latitude \"x\" is not in decimal degrees")], "{title}");
        }
    }
}

#[test]
fn header_row_does_not_apply_to_files_of_rejected_rows_and_must_exist() {
    let entry = |row: u32| format!("{DISPLAYS}header_row = {row}\n");
    let rejects = "\"_line\",\"_reason\",Unit #,Lat,Long\n5,\"latitude \"\"x\"\"\",A-2,40.7,-73.9\n";
    assert_eq!(build_file(&entry(3), "csv", rejects, None).summary().accepted, 1);
    let outcome = build_file(&entry(9), "csv", "Units\nUnit #,Lat,Long\n", None);
    let error = "has no row 9; set header_row to the number of the row that contains the column names";
    assert_eq!(outcome.error(), error);
    let outcome = build_file(&entry(2), "jsonl", "{}", None);
    assert_eq!(outcome.error(), "only a .csv file or a workbook has a header; remove header_row = 2");
}

#[test]
fn values_that_records_cannot_contain_are_counted() {
    let text = "Unit #,Lat,Long,Facing,Faces,Size,Illum,Read\nA-1,40.7,-73.9,N,1,14x48,Frontlit,RHR\n\
                A-2,40.71,-73.9,\"N, S\",,1920x1080 px,Y,R/L\nA-3,40.72,-73.9,NE/SW,,14x48,N,L\n\
                A-4,40.73,-73.9,NE/SW,2,14x48,Yes,\nA-5,40.74,-73.9,Various,,14x48,,\n";
    let outcome = import_displays("csv", text, None);
    let notice = |target: &str, rows: u64, value: &str| {
        format!(
            "Example Outdoor (example): rows whose {target} was discarded: {rows}; the first is row 3 of rows.csv: {value}"
        )
    };
    assert_eq!(
        notices(&outcome),
        [
            notice("illumination", 2, "\"Y\" doesn't say how the display is lit"),
            notice(
                "orientation",
                2,
                "\"N, S\" lists several directions for one face; give each face its own row, or map a column to faces"
            ),
            notice("read_side", 1, "\"R/L\" doesn't name exactly one side"),
            notice("size", 1, "\"1920x1080 px\" is a screen resolution, not a size"),
        ]
    );
    assert_eq!(outcome.summary().accepted, 5);
}

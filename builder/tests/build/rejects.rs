//! Tests the paths and contents of files of rejected rows, and that such files from earlier builds aren't
//! overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use builder::build::MaxRejects;

use crate::{DISPLAYS, Outcome, PLACES, Project, build_file};

const HEADER: &str = "place_name,place_type,latitude,longitude";

/// Builds a release from place files. Returns the files of rejected rows.
fn rejected(project: &Project, files: &[(&str, &str)]) -> Vec<PathBuf> {
    build(project, files).files
}

fn build(project: &Project, files: &[(&str, &str)]) -> Outcome {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let project = files.iter().fold(project.clone(), |project, (name, text)| project.file(name, text));
    let columns = [HEADER, "place_id"].join(",");
    let columns: String = columns.split(',').map(|name| format!("{name} = \"{name}\"\n")).collect();
    let has_ids = files.iter().all(|(_, text)| text.contains("place_id"));
    let columns = if has_ids { columns } else { columns.replace("place_id = \"place_id\"\n", "") };
    let project = project.file("map.toml", format!("[columns]\n{columns}"));
    project.list(&format!("{PLACES}files = {names:?}\nmap = \"map.toml\"\n")).build()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn copies_rejected_csv_rows_after_their_line_and_reason() {
    let project = Project::new();
    let long = "x".repeat(5_000);
    let csv = format!(
        "{HEADER},\"note; more\",\n,Shop,40.7,-73.9,\"a \"\"b\"\"\n{long}\",z\nA,Shop,40.7,-73.9\n\"B\"x,Shop,40.7,-73.9,,\nC,\"Shop\n"
    );
    let files = rejected(&project, &[("a.csv", &csv)]);
    assert_eq!(files, [project.path("a.csv.rejects.csv")]);
    let header = HEADER.replace(',', "\",\"");
    let expected = format!(
        "\"_line\",\"_reason\",\"{header}\",\"note; more\",\"column 6 (no name)\"\n\
         2,\"place_name is missing\",,Shop,40.7,-73.9,\"a \"\"b\"\"\n{long}\",z\n\
         4,\"the row has a different number of cells (4) than the header (6)\",A,Shop,40.7,-73.9\n\
         5,\"in column 1, text follows the closing quote; double each quote inside a cell\",\"B\"x,Shop,40.7,-73.9,,\n\
         6,\"the quote opened on this line is not closed before the end of the file; double each quote inside a cell\",C,\"Shop\n"
    );
    assert_eq!(text(&files[0]), expected);

    // If the rows are rejected again, new marks replace the old ones.
    let name = "a.csv.rejects.csv";
    let again = rejected(&project, &[(name, &expected)]);
    let [again] = again.as_slice() else { panic!("one file: {again:?}") };
    let (lines, before): (Vec<String>, Vec<&str>) =
        (text(again).lines().map(str::to_owned).collect(), expected.lines().collect());
    assert_eq!(lines.len(), before.len());
    assert_eq!((&lines[0], &lines[2]), (&before[0].to_owned(), &before[2].to_owned()));
    for (line, own) in [(3, "A,Shop,40.7,-73.9"), (4, "\"B\"x,Shop,40.7,-73.9,,"), (5, "C,\"Shop")] {
        assert!(lines[line].ends_with(&format!("\",{own}")), "{}", lines[line]);
        assert_eq!(lines[line].matches("twice").count(), before[line].matches("twice").count());
    }
}

#[test]
fn adds_the_line_and_reason_to_rejected_objects_and_features() {
    let project = Project::new();
    let lines = "{\"place_name\": 1e2, \"b\": [1]}\n[1]\n{\"place_name\": }\n{}\n";
    // An accepted row, so that the columns are recognized.
    let good = "{\"place_name\": \"A\", \"place_type\": \"B\", \"latitude\": 40.7, \"longitude\": -73.9}\n";
    let files = rejected(&project, &[("a.jsonl", &format!("{lines}{good}"))]);
    let missing = "place_name is missing; place_type is missing; latitude is missing; longitude is missing";
    let missing_type = "place_type is missing; latitude is missing; longitude is missing";
    let expected = format!(
        "{{\"_line\":1,\"_reason\":\"{missing_type}\",\"place_name\": 1e2, \"b\": [1]}}\n\
         {{\"_line\":2,\"_reason\":\"the line is not a JSON object\",\"_row\":\"[1]\"}}\n\
         {{\"_line\":3,\"_reason\":\"invalid JSON: expected value, at byte 16\",\"place_name\": }}\n\
         {{\"_line\":4,\"_reason\":\"{missing}\"}}\n"
    );
    assert_eq!(text(&files[0]), expected);
    let again = rejected(&project, &[("b.jsonl", &format!("{expected}{good}"))]);
    let third = text(&again[0]).lines().nth(2).expect("a row").to_owned();
    assert_eq!(third.matches("_line").count(), 1, "{third}");
    assert!(third.ends_with(",\"place_name\": }"), "{third}");

    let feature = "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [-73.9, 40.7]}, \
                   \"properties\": {\"place_name\": \"A\", \"place_type\": \"B\"}}";
    let nothing = "{\"type\": \"Feature\", \"geometry\": null, \"properties\": null}";
    let features = format!("{{\"features\": [{nothing}, 7, {feature}]}}");
    let files = rejected(&project, &[("a.json", &features)]);
    assert_eq!(files, [project.path("a.json.rejects.json")]);
    let collection: serde_json::Value = serde_json::from_str(&text(&files[0])).expect("JSON");
    let properties = &collection["features"][0]["properties"];
    assert_eq!((&properties["_line"], properties["_reason"].as_str()), (&1.into(), Some(missing)));
    assert_eq!(collection["features"][1]["_row"], "7");
}

#[test]
fn writes_rejects_per_file_and_names_other_files_in_reasons() {
    let project = Project::new();
    let one = format!("{HEADER},place_id\nA,Shop,40.7,-73.9,17\n");
    let other = format!("place_id,{HEADER}\n17,B,Shop,40.7,-73.9\n");
    let outcome = build(&project, &[("one.csv", &one), ("other.csv", &other)]);
    assert_eq!(outcome.files, [project.path("other.csv.rejects.csv")]);
    assert_eq!(outcome.reasons(), [(2, "row 2 of one.csv also has place_id 17")]);
    assert!(text(&outcome.files[0]).ends_with("\",17,B,Shop,40.7,-73.9\n"));
}

#[test]
fn rejects_duplicate_files_before_writing_anything() {
    let project = Project::new();
    let rows = format!("{HEADER}\n,Shop,40.7,-73.9\n");
    let twin = format!("../{}/a.csv", project.path("").file_name().expect("a name").to_string_lossy());
    let outcome = build(&project, &[("a.csv", &rows), ("b.csv", &rows), (&twin, &rows)]);
    assert_eq!(outcome.error(), format!("release.toml: {twin} is listed twice; list each file only once"));
    assert_eq!(fs::read_dir(project.path("")).expect("a folder").count(), 4);
}

#[test]
fn does_not_overwrite_earlier_rejects_files() {
    let project = Project::new();
    let bad = |rows: usize| format!("{HEADER}\n{}", ",Shop,40.7,-73.9\n".repeat(rows));
    let good = format!("{HEADER}\nA,Shop,40.7,-73.9\n");
    let beside = |text: &str| rejected(&project, &[("a.csv", text)]);
    let first = beside(&bad(1));
    let before = text(&first[0]);
    assert_eq!(beside(&bad(1)), first, "the same rows again");
    assert_eq!(beside(&bad(2)), [project.path("a.csv.rejects-2.csv")]);
    assert!(beside(&good).is_empty());
    assert_eq!(text(&first[0]), before);
    let files = fs::read_dir(project.path("")).expect("a folder");
    let mut names: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
    names.sort();
    let expected =
        ["a.csv", "a.csv.rejects-2.csv", "a.csv.rejects.csv", "map.toml", "release.toml", "releases"];
    assert_eq!(names, expected, "no incomplete file");
}

#[test]
fn parses_max_rejects_as_a_number_or_percentage() {
    assert_eq!("20".parse(), Ok(MaxRejects::Rows(20)));
    assert_eq!("2.5%".parse(), Ok(MaxRejects::Percent(2.5)));
    for text in ["", "-1", "1.5", "%", "101%", "-1%", "x%", "NaN%"] {
        assert!(text.parse::<MaxRejects>().is_err(), "{text}");
    }
}

#[test]
fn accepts_exactly_the_maximum_percentage_of_rejects() {
    let rows = |rejected: usize| {
        let right: String = (1..=375 - rejected).map(|id| format!("{id},40.7,-73.9\n")).collect();
        format!("spot_id,latitude,longitude\n{right}{}", "x,40.7,-73.9\n".repeat(rejected))
    };
    let entry = format!("{DISPLAYS}max_rejects = \"18.4%\"\n");
    assert_eq!(build_file(&entry, "csv", rows(69), None).summary().rejected(), 69);
    let outcome = build_file(&entry, "csv", rows(70), None);
    let reason = "Example Outdoor (example): 70 of 375 rows were rejected, which exceeds max_rejects = 18.4%";
    assert_eq!(outcome.error(), format!("the build was stopped:\n  {reason}"));
}

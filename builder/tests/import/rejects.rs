//! Files of rejected rows: where they lie, what they hold, and that nothing of before is lost.

use std::fs;
use std::path::{Path, PathBuf};

use builder::build::{ImportError, MaxRejects, Rejects, RejectsError};
use builder::columns::ColumnMap;
use builder::places::{Setup, Summary, TARGETS};

use crate::inventory::new_folder;
use crate::{LOCATOR, example_source};

const HEADER: &str = "place_name,place_type,latitude,longitude";

/// Reads files of a folder and returns the files of rejected rows.
fn rejected(folder: &Path, files: &[(&str, &str)], mut rejects: Rejects, is_refused: bool) -> Vec<PathBuf> {
    rejected_of(&written(folder, files), &mut rejects).expect("files of places");
    rejects.finish(is_refused).expect("files of rejected rows")
}

fn written(folder: &Path, files: &[(&str, &str)]) -> Vec<PathBuf> {
    fs::create_dir_all(folder).expect("a folder");
    let write = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    files.iter().map(write).collect()
}

fn rejected_of(sources: &[PathBuf], rejects: &mut Rejects) -> Result<Summary, ImportError> {
    let setup = Setup {
        map: &ColumnMap::own_names(&TARGETS),
        locator: &LOCATOR,
        is_foreign: false,
        source: &example_source(),
        progress: &|_, _, _| {},
    };
    builder::places::read(sources, setup, [], rejects).map(|(_, summary)| summary)
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn rejected_rows_are_whole_and_stand_behind_their_line_and_reason() {
    let folder = new_folder("whole");
    let long = "x".repeat(5_000);
    let csv = format!(
        "{HEADER},\"note; more\",\n,Shop,40.7,-73.9,\"a \"\"b\"\"\n{long}\",z\nA,Shop,40.7,-73.9\n\"B\"x,Shop,40.7,-73.9,,\nC,\"Shop\n"
    );
    let files = rejected(&folder, &[("a.csv", &csv)], Rejects::beside_sources(), false);
    assert_eq!(files, [folder.join("a.csv.rejects.csv")]);
    let header = HEADER.replace(',', "\",\"");
    let expected = format!(
        "\"_line\",\"_reason\",\"{header}\",\"note; more\",\"\"\n\
         2,\"place_name is missing\",,Shop,40.7,-73.9,\"a \"\"b\"\"\n{long}\",z\n\
         4,\"the row's cell count is 4, but the header's is 6\",A,Shop,40.7,-73.9\n\
         5,\"in column 1, text follows the closing quote; double each quote inside a cell\",\"B\"x,Shop,40.7,-73.9,,\n\
         6,\"the quote opened on this line is not closed before the end of the file; double each quote inside a cell\",C,\"Shop\n"
    );
    assert_eq!(text(&files[0]), expected);

    // Rejected again, the marks are new ones.
    let name = "a.csv.rejects.csv";
    let again = rejected(&folder, &[(name, &expected)], Rejects::beside_sources(), false);
    let [again] = again.as_slice() else { panic!("one file: {again:?}") };
    let (lines, before): (Vec<String>, Vec<&str>) =
        (text(again).lines().map(str::to_owned).collect(), expected.lines().collect());
    assert_eq!(lines.len(), before.len());
    assert_eq!((&lines[0], &lines[2]), (&before[0].to_owned(), &before[2].to_owned()));
    for (line, own) in [(3, "A,Shop,40.7,-73.9"), (4, "\"B\"x,Shop,40.7,-73.9,,"), (5, "C,\"Shop")] {
        assert!(lines[line].ends_with(&format!("\",{own}")), "{}", lines[line]);
        assert_eq!(lines[line].matches("twice").count(), before[line].matches("twice").count());
    }
    fs::remove_dir_all(folder).expect("JSON");
}

#[test]
fn rejected_objects_and_features_carry_their_line_and_reason() {
    let folder = new_folder("objects");
    let lines = "{\"place_name\": 1e2, \"b\": [1]}\n[1]\n{\"place_name\": }\n{}\n";
    let files = rejected(&folder, &[("a.jsonl", lines)], Rejects::beside_sources(), false);
    let missing = "place_name is missing; place_type is missing; latitude is missing; longitude is missing";
    let missing_type = "place_type is missing; latitude is missing; longitude is missing";
    let expected = format!(
        "{{\"_line\":1,\"_reason\":\"{missing_type}\",\"place_name\": 1e2, \"b\": [1]}}\n\
         {{\"_line\":2,\"_reason\":\"the line is not a JSON object\",\"_row\":\"[1]\"}}\n\
         {{\"_line\":3,\"_reason\":\"invalid JSON: expected value, at byte 16\",\"place_name\": }}\n\
         {{\"_line\":4,\"_reason\":\"{missing}\"}}\n"
    );
    assert_eq!(text(&files[0]), expected);
    let again = rejected(&folder, &[("b.jsonl", &expected)], Rejects::beside_sources(), false);
    let third = text(&again[0]).lines().nth(2).expect("a row").to_owned();
    assert_eq!(third.matches("_line").count(), 1, "{third}");
    assert!(third.ends_with(",\"place_name\": }"), "{third}");

    let features = "{\"features\": [{\"type\": \"Feature\", \"geometry\": null, \"properties\": null}, 7]}";
    let files = rejected(&folder, &[("a.json", features)], Rejects::beside_sources(), false);
    assert_eq!(files, [folder.join("a.json.rejects.json")]);
    let collection: serde_json::Value = serde_json::from_str(&text(&files[0])).expect("JSON");
    let properties = &collection["features"][0]["properties"];
    assert_eq!((&properties["_line"], properties["_reason"].as_str()), (&1.into(), Some(missing)));
    assert_eq!(collection["features"][1]["_row"], "7");
    fs::remove_dir_all(folder).expect("JSON");
}

#[test]
fn several_files_have_rejects_of_their_own_and_name_each_other() {
    let folder = new_folder("several");
    let one = format!("{HEADER},place_id\nA,Shop,40.7,-73.9,17\n");
    let other = format!("place_id,{HEADER}\n17,B,Shop,40.7,-73.9\n");
    let files = rejected(
        &folder,
        &[("one.csv", &one), ("other.csv", &other), ("more.csv", &format!("{HEADER}\nC,Shop,40.7,-73.9\n"))],
        Rejects::beside_sources(),
        false,
    );
    assert_eq!(files, [folder.join("other.csv.rejects.csv")]);
    let reason = format!("2,\"row 2 of {} has the same place_id 17\",17,B", folder.join("one.csv").display());
    assert!(text(&files[0]).contains(&reason), "{}", text(&files[0]));
    fs::remove_dir_all(folder).expect("JSON");
}

#[test]
fn a_file_that_is_named_twice_is_refused_before_anything_is_written() {
    let folder = new_folder("twice");
    let text = format!("{HEADER}\n,Shop,40.7,-73.9\n");
    let sources = written(&folder, &[("a.csv", &text), ("b.csv", &text)]);
    let twin = folder.join("../").join(folder.file_name().expect("a name")).join("a.csv");
    let twice = [sources[0].clone(), sources[1].clone(), twin.clone()];
    for (sources, rejects, says) in [
        (twice.as_slice(), None, "is the same file as"),
        (&sources, Some("rejects.csv"), "the rejected rows of several files do not fit into one"),
        (&sources, Some("b.csv"), "the rejected rows cannot be written over the rows that are read"),
    ] {
        let of = |name| Rejects::into_file(folder.join(name));
        let mut rejects = rejects.map_or_else(Rejects::beside_sources, of);
        let error = rejected_of(sources, &mut rejects).expect_err(says);
        assert!(error.to_string().contains(says), "{error}");
        assert!(matches!(error, ImportError::Rejects(_)), "{error:?}");
        assert!(rejects.finish(true).expect("nothing to write").is_empty());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "{says}");
    }
    let mut rejects = Rejects::beside_sources();
    let error = rejected_of(&twice, &mut rejects).expect_err("a file is there twice");
    let ImportError::Rejects(RejectsError::SameSource { file, other }) = error else { panic!("{error}") };
    assert_eq!((file, other), (twin, sources[0].clone()));
    fs::remove_dir_all(folder).expect("JSON");
}

#[test]
fn what_was_rejected_before_stays() {
    let folder = new_folder("stays");
    let bad = |rows: usize| format!("{HEADER}\n{}", ",Shop,40.7,-73.9\n".repeat(rows));
    let good = format!("{HEADER}\nA,Shop,40.7,-73.9\n");
    let beside = |text: &str| rejected(&folder, &[("a.csv", text)], Rejects::beside_sources(), false);
    let first = beside(&bad(1));
    let before = text(&first[0]);
    assert_eq!(beside(&bad(1)), first, "the same rows again");
    assert_eq!(beside(&bad(2)), [folder.join("a.csv.rejects-2.csv")]);
    assert!(beside(&good).is_empty());
    assert_eq!(text(&first[0]), before);

    // A file that was named is this import's own, unless the import is refused.
    let named = folder.join("named.csv");
    let into = |text: &str, is_refused| {
        rejected(&folder, &[("a.csv", text)], Rejects::into_file(named.clone()), is_refused)
    };
    assert_eq!(into(&bad(1), false), std::slice::from_ref(&named));
    assert_eq!(into(&bad(3), true), [folder.join("named-2.csv")]);
    assert_eq!(text(&named).lines().count(), 2);
    assert_eq!(into(&bad(3), false), std::slice::from_ref(&named));
    assert_eq!(text(&named).lines().count(), 4);
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file")).collect();
    assert_eq!(left.len(), 5, "nothing half written: {left:?}");
    fs::remove_dir_all(folder).expect("JSON");
}

#[test]
fn a_bound_of_rejects_is_a_number_or_a_part() {
    assert_eq!("20".parse(), Ok(MaxRejects::Rows(20)));
    assert_eq!("2.5%".parse(), Ok(MaxRejects::Percent(2.5)));
    for text in ["", "-1", "1.5", "%", "101%", "-1%", "x%", "NaN%"] {
        assert!(text.parse::<MaxRejects>().is_err(), "{text}");
    }
}

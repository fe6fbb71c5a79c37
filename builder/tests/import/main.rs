//! Files of other people, read into places: what is accepted, and what is said of the rest.

mod dialects;
mod garbage;
mod inventory;
mod maps;
mod places;
mod positions;
mod rejects;
mod round_trip;
mod rows;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use builder::build::Rejects;
use builder::columns::ColumnMap;
use builder::location::{Locator, ZipArea};
use builder::places::{Existing, Setup, Summary, TARGETS};
use dataset::places::NewPlace;
use dataset::{GeographyIndex, Position, RecordSource};
use flate2::read::GzDecoder;
use serde_json::Value;

/// The ZIP codes of the project's own table. County, CBSA and DMA are given by their codes.
static LOCATOR: LazyLock<Locator> = LazyLock::new(|| {
    let file = File::open(data("geographies/zips.csv.gz")).expect("the table of ZIP codes");
    let mut table = csv::Reader::from_reader(GzDecoder::new(file));
    let areas = table.records().zip(0..).map(|(row, index)| {
        let row = row.expect("a row of the table");
        let code = |at: usize| row[at].parse().ok().map(GeographyIndex::from_raw);
        let degrees = |at: usize| row[at].parse().expect("degrees");
        ZipArea {
            index: GeographyIndex::from_raw(index),
            zip: row[0].to_owned(),
            inhabited: !row[8].is_empty(),
            city: row[1].to_owned(),
            state: row[2].to_owned(),
            center: Position { latitude: degrees(6), longitude: degrees(7) },
            county: code(3),
            cbsa: code(4),
            dma: code(5),
        }
    });
    Locator::new(areas.collect())
});

/// A row that was not accepted, as it is reported.
#[derive(Clone, Debug, PartialEq)]
struct Reject {
    line: u64,
    reason: String,
    row: String,
}

impl Reject {
    /// Takes a marked row apart.
    fn of(line: &Value, reason: &Value, row: impl ToString) -> Self {
        let line = line.as_u64().or_else(|| line.as_str()?.parse().ok());
        Self {
            line: line.expect("a number"),
            reason: reason.as_str().expect("a text").to_owned(),
            row: row.to_string(),
        }
    }
}

/// Whose data the files of the tests are.
fn example_source() -> RecordSource {
    RecordSource { name: "Example".to_owned(), vintage: "2026-07-01".to_owned() }
}

/// Ends a report of one file, reads what was rejected, and removes it.
fn taken_back(rejects: Rejects, is_refused: bool) -> Vec<Reject> {
    let files = rejects.finish(is_refused).expect("a report");
    let [file] = files.as_slice() else { return Vec::new() };
    let rows = match file.extension().and_then(|extension| extension.to_str()) {
        Some("csv" | "tsv" | "tab" | "txt") => csv_rejects(file),
        Some("jsonl" | "ndjson") => {
            let text = std::fs::read_to_string(file).expect("a report");
            text.lines().map(json_reject).collect()
        }
        _ => {
            let text = std::fs::read_to_string(file).expect("a report");
            let features = text.lines().skip(1).filter(|line| *line != "]}");
            features.map(|line| feature_reject(line.strip_suffix(',').unwrap_or(line))).collect()
        }
    };
    std::fs::remove_file(file).expect("written");
    rows
}

/// Reads rejected records of one line each, as another program reads a line.
fn csv_rejects(file: &Path) -> Vec<Reject> {
    let text = std::fs::read_to_string(file).expect("a report");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let delimiter = header.chars().nth("\"_line\"".len()).expect("a delimiter");
    assert!(header.starts_with(&format!("\"_line\"{delimiter}\"_reason\"{delimiter}")), "{text}");
    let reject = |line: &str| {
        let (marks, own) =
            line.split_at(line.find(&format!("\"{delimiter}")).expect("a reason in quotes") + 1);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(u8::try_from(delimiter).expect("a byte"))
            .has_headers(false)
            .from_reader(marks.as_bytes());
        let marks = reader.records().next().expect("a record").expect("two cells");
        Reject::of(&marks[0].into(), &marks[1].into(), own.trim_start_matches(delimiter))
    };
    lines.map(reject).collect()
}

fn json_reject(line: &str) -> Reject {
    match serde_json::from_str::<Value>(line) {
        Ok(mut row) => {
            let members = row.as_object_mut().expect("an object");
            let marks = ["_line", "_reason"].map(|mark| members.remove(mark).expect("a mark"));
            Reject::of(&marks[0], &marks[1], row)
        }
        // Its marks stand at its beginning, whatever follows.
        Err(_) => {
            let (number, rest) = line["{\"_line\":".len()..].split_once(',').expect("a mark");
            let mut marks = serde_json::Deserializer::from_str(&rest["\"_reason\":".len()..]).into_iter();
            let reason: Value = marks.next().expect("a mark").expect("a text");
            Reject::of(&number.into(), &reason, "")
        }
    }
}

fn feature_reject(text: &str) -> Reject {
    let Ok(mut feature) = serde_json::from_str::<Value>(text) else { return json_reject(text) };
    let properties = feature["properties"].as_object_mut().filter(|members| members.contains_key("_line"));
    let Some(members) = properties else { return json_reject(text) };
    let marks = ["_line", "_reason"].map(|mark| members.remove(mark).expect("a mark"));
    Reject::of(&marks[0], &marks[1], feature)
}

/// What became of a file.
#[derive(Clone, Debug)]
struct Outcome {
    places: Vec<NewPlace>,
    summary: Summary,
    rejects: Vec<Reject>,
}

impl Outcome {
    fn reasons(&self) -> Vec<(u64, &str)> {
        self.rejects.iter().map(|reject| (reject.line, reject.reason.as_str())).collect()
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
}

/// Writes a file of this test's own.
fn file(extension: &str, content: impl AsRef<[u8]>) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("import-{}-{number}.{extension}", std::process::id()));
    std::fs::write(&path, content).expect("a file in the target folder");
    path
}

/// Reads places from a file and the report of the rejected rows from the other.
fn import_with(
    source: &Path,
    map: &ColumnMap,
    locator: &Locator,
    existing: &[Existing<'_>],
) -> Result<Outcome, String> {
    let mut rejects = Rejects::beside_sources();
    let from = example_source();
    let setup = Setup { map, locator, is_foreign: false, source: &from, progress: &|_, _, _| {} };
    let sources = [source.to_owned()];
    let result = builder::places::read(&sources, setup, existing.iter().copied(), &mut rejects);
    let rejects = taken_back(rejects, result.is_err());
    let (places, summary) = result.map_err(|error| error.to_string())?;
    assert_eq!(summary.rows, summary.accepted + summary.rejected);
    assert_eq!((places.len(), rejects.len()), (summary.accepted as usize, summary.rejected as usize));
    Ok(Outcome { places, summary, rejects })
}

/// Reads places from a file whose columns have the targets' own names.
fn import(extension: &str, content: impl AsRef<[u8]>) -> Result<Outcome, String> {
    let source = file(extension, content);
    let result = import_with(&source, &ColumnMap::own_names(&TARGETS), &LOCATOR, &[]);
    std::fs::remove_file(&source).expect("written");
    result
}

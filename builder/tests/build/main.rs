//! Tests releases built from imported files: accepted rows and the messages about rejected rows.

mod contradictions;
mod dialects;
mod displays;
mod garbage;
mod life;
mod maps;
mod places;
mod positions;
mod registers;
mod rejects;
mod round_trip;
mod rows;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use builder::build::{Build, BuildError, Built, Notice, Rejects, SourceList, SourceSummary};
use dataset::inventory::{FieldSet, Inventory};
use dataset::places::NewPlace;
use dataset::{Folder, Geographies, GeographyIndex, Places};
use serde_json::{Value, json};

/// The start of an entry for places, with the source name for all tests.
const PLACES: &str = "[[places]]\nsource = \"Example\"\nvintage = 2026-07-01\n";

/// The start of an entry for displays, with the source name for all tests.
const DISPLAYS: &str = "[[displays]]\nsource = \"Example Outdoor\"\nvintage = 2026-06-30\nids = \"example\"\n\
                        unmeasured = \"keep\"\n";

/// The geographies in every release. Getting them also computes the parts that all releases share.
static GEOGRAPHIES: LazyLock<Geographies> = LazyLock::new(|| {
    let project = Project::new().file("a.csv", "place_name,place_type,latitude,longitude\nA,B,40.7,-73.9\n");
    let project = project.list(&format!("{PLACES}files = [\"a.csv\"]\n"));
    Geographies::open(project.outcome(None, &[]).release()).expect("a complete release")
});

/// A temporary folder, which is deleted when the value is dropped.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    /// Makes the paths in a message relative to the folder.
    fn relative(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A folder with `release.toml` and the files of its sources.
#[derive(Clone)]
struct Project {
    folder: Arc<Scratch>,
}

#[derive(Debug)]
struct Outcome {
    /// The release or the error. Paths in the error are relative to the project's folder.
    built: Result<Built, String>,
    /// The rejected rows from all files.
    rejects: Vec<Reject>,
    /// The files of rejected rows.
    files: Vec<PathBuf>,
    folder: Arc<Scratch>,
}

/// A rejected row, as written to its file.
#[derive(Clone, Debug, PartialEq)]
struct Reject {
    line: u64,
    reason: String,
    row: String,
}

impl Project {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("build-{}-{number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a writable folder");
        Self { folder: Arc::new(Scratch(folder)) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.0.join(name)
    }

    fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).expect("a writable folder");
        self
    }

    /// Writes `release.toml` with the given entries.
    fn list(self, entries: &str) -> Self {
        self.file("release.toml", format!("label = \"test\"\n{entries}"))
    }

    fn build(&self) -> Outcome {
        self.build_against(None, &[])
    }

    /// Builds the release and compares it with `old`.
    fn build_against(&self, old: Option<&Folder>, accepted: &[String]) -> Outcome {
        LazyLock::force(&GEOGRAPHIES);
        self.outcome(old, accepted)
    }

    fn outcome(&self, old: Option<&Folder>, accepted: &[String]) -> Outcome {
        let mut rejects = Rejects::default();
        let built =
            self.built(&mut rejects, old, accepted).map_err(|error| self.folder.relative(&error.to_string()));
        let files = rejects.finish().expect("writable files");
        let mut rejects: Vec<Reject> = files.iter().flat_map(|file| read_rejects(file)).collect();
        rejects.iter_mut().for_each(|reject| reject.reason = self.folder.relative(&reject.reason));
        if let Ok(built) = &built {
            let rejected: u64 = built.report.sources.iter().map(SourceSummary::rejected).sum();
            assert_eq!(rejected, rejects.len() as u64);
        }
        Outcome { built, rejects, files, folder: self.folder.clone() }
    }

    fn built(
        &self,
        rejects: &mut Rejects,
        against: Option<&Folder>,
        accepted: &[String],
    ) -> Result<Built, BuildError> {
        let build = Build {
            list: &SourceList::read(&self.path("release.toml"), &data(""))?,
            data: &data(""),
            releases: &self.path("releases"),
            cache: &Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
            against,
            accepted,
            today: "2026-11-24",
            progress: &|_, _, _| {},
        };
        builder::build::build(build, rejects)
    }
}

impl Outcome {
    fn built(&self) -> &Built {
        self.built.as_ref().unwrap_or_else(|error| panic!("{error}: {:?}", self.rejects))
    }

    fn release(&self) -> &Folder {
        &self.built().folder
    }

    /// Returns the build's error. The build must have failed.
    fn error(&self) -> &str {
        self.built.as_ref().map(|built| &built.report).expect_err("an error")
    }

    /// Returns the only source's summary.
    fn summary(&self) -> &SourceSummary {
        let [summary] = self.built().report.sources.as_slice() else { panic!("one source: {self:?}") };
        summary
    }

    fn notices(&self) -> &[Notice] {
        &self.built().report.notices
    }

    fn reasons(&self) -> Vec<(u64, &str)> {
        self.rejects.iter().map(|reject| (reject.line, reject.reason.as_str())).collect()
    }

    fn places(&self) -> Vec<NewPlace> {
        Places::open(self.release()).expect("a complete release").to_new()
    }

    fn inventory(&self) -> Inventory {
        Inventory::open(self.release()).expect("a complete release")
    }

    /// Returns all displays, sorted by ID.
    fn records(&self) -> Vec<Value> {
        let inventory = self.inventory();
        let record = |index| serde_json::to_value(inventory.record(index, FieldSet::ALL)).expect("JSON");
        inventory.indexes().map(record).collect()
    }

    /// Returns the IDs of all displays, sorted.
    fn ids(&self) -> Vec<u32> {
        let inventory = self.inventory();
        inventory.indexes().map(|index| inventory.id(index).raw()).collect()
    }
}

impl Reject {
    fn of(line: &Value, reason: &Value, row: impl ToString) -> Self {
        let line = line.as_u64().or_else(|| line.as_str()?.parse().ok());
        let reason = reason.as_str().expect("a text").to_owned();
        Self { line: line.expect("a number"), reason, row: row.to_string() }
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

fn code(area: Option<GeographyIndex>) -> Option<String> {
    area.map(|area| GEOGRAPHIES.get(area).id.national_id().to_string())
}

/// Builds a release from one place file, whose columns are named after the targets.
fn import(extension: &str, content: impl AsRef<[u8]>) -> Outcome {
    build_file(PLACES, extension, content, None)
}

/// Builds a release from place rows. Returns each row's place or the reasons for its rejection.
fn import_each(rows: impl IntoIterator<Item = Value>) -> Vec<Result<NewPlace, String>> {
    let numbered = |(row, id): (Value, u64)| {
        let mut numbered = json!({"place_id": id, "place_name": id, "place_type": "Bank"});
        numbered.as_object_mut().expect("an object").extend(row.as_object().expect("an object").clone());
        numbered.to_string()
    };
    let rows: Vec<String> = rows.into_iter().zip(1..).map(numbered).collect();
    let outcome = import("jsonl", rows.join("\n"));
    let mut places = if outcome.built.is_ok() { outcome.places() } else { Vec::new() };
    places.sort_by_key(|place| place.id);
    let mut places = places.into_iter();
    let of_line = |line: u64| match outcome.rejects.iter().find(|reject| reject.line == line) {
        Some(reject) => Err(reject.reason.clone()),
        None => Ok(places.next().expect("a place for each accepted row")),
    };
    (1..=rows.len() as u64).map(of_line).collect()
}

fn import_displays(extension: &str, content: impl AsRef<[u8]>, map: Option<&str>) -> Outcome {
    build_file(DISPLAYS, extension, content, map)
}

/// Builds a release from one file. Removes the file's name from errors.
fn build_file(entry: &str, extension: &str, content: impl AsRef<[u8]>, map: Option<&str>) -> Outcome {
    let name = format!("rows.{extension}");
    let mut entry = format!("{entry}files = [\"{name}\"]\n");
    let mut project = Project::new().file(&name, content);
    if let Some(map) = map {
        entry.push_str("map = \"map.toml\"\n");
        project = project.file("map.toml", map);
    }
    let outcome = project.list(&entry).build();
    let built = outcome.built.map_err(|error| error.trim_start_matches(&format!("{name}: ")).to_owned());
    Outcome { built, ..outcome }
}

/// Reads a file of rejected rows.
fn read_rejects(file: &Path) -> Vec<Reject> {
    let text = fs::read_to_string(file).expect("a readable file");
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("csv" | "tsv" | "tab" | "txt") => csv_rejects(&text),
        Some("jsonl" | "ndjson") => text.lines().map(json_reject).collect(),
        _ => {
            let features = text.lines().skip(1).filter(|line| *line != "]}");
            features.map(|line| feature_reject(line.strip_suffix(',').unwrap_or(line))).collect()
        }
    }
}

/// Parses rejected CSV records, without using the tested parser. Records that span several lines keep their
/// line breaks.
fn csv_rejects(text: &str) -> Vec<Reject> {
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let delimiter = header.chars().nth("\"_line\"".len()).expect("a delimiter");
    assert!(header.starts_with(&format!("\"_line\"{delimiter}\"_reason\"{delimiter}")), "{text}");
    let is_first = |line: &str| {
        let number = line.split(delimiter).next().unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && line.contains("\"")
    };
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
    lines.filter(|line| is_first(line)).map(reject).collect()
}

fn json_reject(line: &str) -> Reject {
    match serde_json::from_str::<Value>(line) {
        Ok(mut row) => {
            let members = row.as_object_mut().expect("an object");
            let marks = ["_line", "_reason"].map(|mark| members.remove(mark).expect("a mark"));
            Reject::of(&marks[0], &marks[1], row)
        }
        // The marks are always first, even if the rest isn't valid JSON.
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

//! Files of other people, read into places: what is accepted, and what is said of the rest.

mod garbage;
mod inventory;
mod maps;
mod places;
mod positions;
mod rows;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use builder::import::places::{Existing, Setup, Summary, TARGETS};
use builder::import::{ColumnMap, Locator, Rejects, ZipArea};
use dataset::places::NewPlace;
use dataset::{GeographyIndex, Position};
use flate2::read::GzDecoder;

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
    let report = file("rejects.csv", "");
    let mut rejects = Rejects::create(&report, source).map_err(|error| error.to_string())?;
    let setup = Setup { map, locator, published_date: "2026-07-01", progress: &|_, _, _| {} };
    let result = builder::import::places::read(source, setup, existing.iter().copied(), &mut rejects);
    rejects.finish().map_err(|error| error.to_string())?;
    let mut table = csv::Reader::from_path(&report).expect("a report");
    let rejects = table.records().map(|row| {
        let row = row.expect("a row of the report");
        Reject { line: row[0].parse().expect("a number"), reason: row[1].to_owned(), row: row[2].to_owned() }
    });
    let rejects: Vec<Reject> = rejects.collect();
    std::fs::remove_file(&report).expect("the report was written");
    let (places, summary) = result.map_err(|error| error.to_string())?;
    assert_eq!(summary.rows, summary.accepted + summary.rejected);
    assert_eq!((places.len(), rejects.len()), (summary.accepted as usize, summary.rejected as usize));
    Ok(Outcome { places, summary, rejects })
}

/// Reads places from a file whose columns have the targets' own names.
fn import(extension: &str, content: impl AsRef<[u8]>) -> Result<Outcome, String> {
    let source = file(extension, content);
    let result = import_with(&source, &ColumnMap::own_names(&TARGETS), &LOCATOR, &[]);
    std::fs::remove_file(&source).expect("the source was written");
    result
}

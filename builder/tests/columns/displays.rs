//! Reads flat display rows.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use builder::columns::ColumnMap;
use builder::displays::{Flat, parse_flat};
use builder::location::{Locator, Markets};
use builder::rows::{Dialect, Row, RowReader};
use builder::sample;
use dataset::{AreaNames, Folder, Geographies, MANIFEST, Manifest};
use serde_json::Value;

static GEOGRAPHIES: LazyLock<(Geographies, AreaNames, Locator)> = LazyLock::new(|| {
    let folder = crate::path("geographies");
    fs::create_dir_all(&folder).expect("a folder");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let rows = sample::population::write(&data, &folder, &|_, _, _| ()).expect("the project's own tables");
    let entry = |(part, rows): (&dataset::Part, &dataset::RowCounts)| {
        let bytes = fs::metadata(folder.join(part.file())).expect("a part").len();
        (*part, dataset::FileEntry { bytes, sha256: String::new(), rows: rows.clone() })
    };
    let manifest = Manifest::new("test", rows.iter().map(entry).collect(), [].into(), Vec::new());
    fs::write(folder.join(MANIFEST), manifest.to_json()).expect("a manifest");
    let geographies = Geographies::open(&Folder::open(&folder).expect("a release")).expect("geographies");
    let (names, locator) = (AreaNames::new(&geographies), Locator::of(&geographies));
    (geographies, names, locator)
});

/// Reads all rows in a file. Returns the accepted rows and each rejected row's line number with the reasons.
pub(crate) fn read(path: &Path, map: &ColumnMap) -> (Vec<Flat>, Vec<(u64, String)>) {
    let (geographies, names, locator) = &*GEOGRAPHIES;
    let markets = Markets::new(geographies, names, locator, false);
    let dialect = Dialect { delimiter: map.delimiter(), ..Dialect::default() };
    let mut reader = RowReader::open(path, &dialect, &|_, _, _| ()).expect("a file");
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    while let Some(row) = reader.next_row().expect("a row") {
        match row {
            Row::Unreadable(problem) => rejected.push((problem.line, problem.reason)),
            Row::Read(row) => match parse_flat(&row, map, markets) {
                Ok(flat) => accepted.push(flat),
                Err(reasons) => rejected.push((row.line, reasons.to_string())),
            },
        }
    }
    (accepted, rejected)
}

/// Returns all rows in a file. Panics if any row is rejected.
pub(crate) fn accepted(path: &Path, map: &ColumnMap) -> Vec<Flat> {
    let (accepted, rejected) = read(path, map);
    assert_eq!(rejected, [], "{}", path.display());
    accepted
}

/// Returns each rejected row's line number with the reasons.
pub(crate) fn rejected(path: &Path, map: &ColumnMap) -> Vec<(u64, String)> {
    read(path, map).1
}

/// Returns the record in a file with one row, or the reason for rejecting the row.
pub(crate) fn record(path: &Path, map: &ColumnMap) -> Result<Value, String> {
    let (accepted, rejected) = read(path, map);
    match rejected.into_iter().next() {
        Some((_, reason)) => Err(reason),
        None => Ok(serde_json::to_value(&accepted[0].record).expect("a record")),
    }
}

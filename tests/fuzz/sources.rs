//! Targets for source files: tables, JSON lines, GeoJSON, and column maps. They only read the files, because
//! building a release takes too long.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use builder::columns::{ColumnMap, Matching, Schema, Target};
use builder::displays::{parse_flat, parse_record};
use builder::location::{Locator, Markets};
use builder::rows::{Dialect, Row, RowReader, SourceRow};
use builder::{displays as spots, places as stores};
use dataset::{AreaNames, Geographies, RecordSource};

use crate::choices::Choices;
use crate::release;

const EXTENSIONS: [&str; 6] = ["csv", "jsonl", "geojson", "tsv", "json", "csv.gz"];

/// The areas of the small release.
static AREAS: LazyLock<(Geographies, AreaNames, Locator)> = LazyLock::new(|| {
    let geographies = Geographies::open(release::folder()).expect("a valid release");
    let (names, locator) = (AreaNames::new(&geographies), Locator::of(&geographies));
    (geographies, names, locator)
});

pub(crate) fn prepare() {
    release::prepare();
    LazyLock::force(&AREAS);
}

/// A file created from an input, and the options for reading it.
struct Source {
    folder: PathBuf,
    file: PathBuf,
    outside_us: bool,
    map: Option<String>,
}

impl Source {
    /// Reads the file type, the options, and a column map from the input. The rest of the input is the file.
    fn of(input: &[u8]) -> Self {
        let mut choices = Choices::of(input);
        let (extension, options) = (choices.pick(&EXTENSIONS), choices.byte());
        let map = (options & 2 != 0).then(|| String::from_utf8_lossy(choices.run()).into_owned());
        let folder = release::new_folder("source");
        let file = folder.join(format!("input.{extension}"));
        fs::write(&file, choices.rest()).expect("the folder is writable");
        Self { folder, file, outside_us: options & 1 != 0, map }
    }

    /// Reads all rows with the input's map, or with a map derived from the file's columns.
    fn read(self, targets: &'static [Target], schema: &Schema, each: impl Fn(SourceRow, &ColumnMap)) {
        let given = self.map.as_ref().and_then(|map| ColumnMap::parse(map, targets).ok());
        let map = given.or_else(|| {
            let mut reader = open(&self.file, None)?;
            Matching::of(&mut reader, schema).ok()?.into_map().ok()
        });
        let map = map.unwrap_or_else(|| ColumnMap::own_names(targets));
        if let Some(mut reader) = open(&self.file, Some(&map)) {
            while let Ok(Some(row)) = reader.next_row() {
                if let Row::Read(row) = row {
                    each(row, &map);
                }
            }
        }
        fs::remove_dir_all(&self.folder).expect("removed");
    }
}

fn open(file: &Path, map: Option<&ColumnMap>) -> Option<RowReader<'static>> {
    let dialect = Dialect { delimiter: map.and_then(ColumnMap::delimiter), ..Dialect::default() };
    RowReader::open(file, &dialect, &|_, _, _| {}).ok()
}

pub(crate) fn places(input: &[u8]) {
    let source = Source::of(input);
    let (geographies, names, locator) = &*AREAS;
    let markets = Markets::new(geographies, names, locator, source.outside_us);
    let of = RecordSource { name: "Example".to_owned(), vintage: "2026-07-01".to_owned() };
    source.read(&stores::TARGETS, &stores::SCHEMA, |row, map| {
        drop(stores::read(row, stores::Setup::new(map, markets, &of)));
    });
}

pub(crate) fn displays(input: &[u8]) {
    let (geographies, names, locator) = &*AREAS;
    let source = Source::of(input);
    let markets = Markets::new(geographies, names, locator, source.outside_us);
    // Reads every row both as a flat row and as a complete record.
    source.read(&spots::TARGETS, &spots::SCHEMA, |row, map| {
        drop(parse_flat(&row, map, markets));
        drop(parse_record(row.fields, markets));
    });
}

//! A release for all tests, built once from `data/`.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use builder::sample;
use dataset::{
    FileEntry, Folder, Geographies, Geography, GeographyIndex, MANIFEST, Manifest, Part, Population,
    ReleaseError, SegmentIndex,
};
use flate2::read::GzDecoder;

pub(crate) type Row = HashMap<String, String>;

/// The row counts for each part, by kind of row.
pub(crate) type Counts = BTreeMap<Part, BTreeMap<String, u64>>;

pub(crate) struct Built {
    pub(crate) folder: PathBuf,
    pub(crate) counts: Counts,
    pub(crate) geographies: Geographies,
    pub(crate) population: Population,
}

pub(crate) static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let folder = empty_folder("built");
    let counts =
        sample::population::write(&data(), &folder, &|_, _, _| ()).expect("the project's tables are valid");
    let (geographies, population) = open(&folder).expect("valid written parts");
    Built { folder, counts, geographies, population }
});

pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("population").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Writes a manifest that describes a folder's current files, and opens the folder.
pub(crate) fn open(folder: &Path) -> Result<(Geographies, Population), ReleaseError> {
    let entry = |part: Part| {
        let bytes = fs::metadata(folder.join(part.file())).expect("a file").len();
        (part, FileEntry { bytes, sha256: String::new(), rows: BTreeMap::new() })
    };
    let files = [Part::Geographies, Part::Population].map(entry).into();
    let manifest = Manifest::new("test", files, BTreeMap::new(), Vec::new());
    fs::write(folder.join(MANIFEST), manifest.to_json()).expect("can write the file");
    let folder = Folder::open(folder)?;
    Ok((Geographies::open(&folder)?, Population::open(&folder)?))
}

/// Returns the rows of a source table. Each row maps column names to values.
pub(crate) fn table(path: &str) -> Vec<Row> {
    let file = File::open(data().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let content: Box<dyn Read> =
        if path.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut reader = csv::Reader::from_reader(content);
    let headers = reader.headers().expect("a header").clone();
    let to_row =
        |record: csv::StringRecord| headers.iter().zip(&record).map(|(k, v)| (k.into(), v.into())).collect();
    reader.records().map(|record| to_row(record.expect("valid row"))).collect()
}

pub(crate) fn index(id: &str) -> GeographyIndex {
    let id = id.parse().unwrap_or_else(|error| panic!("{id}: {error}"));
    BUILT.geographies.find(&id).unwrap_or_else(|| panic!("{id} does not exist"))
}

pub(crate) fn geography(id: &str) -> Geography<'static> {
    BUILT.geographies.get(index(id))
}

pub(crate) fn segment(key: &str) -> SegmentIndex {
    let found = BUILT.population.segments().find(|segment| segment.key == key);
    found.unwrap_or_else(|| panic!("segment {key} does not exist")).index
}

/// Returns the number of persons in a geography who belong to a segment.
pub(crate) fn persons(key: &str, id: &str) -> u32 {
    BUILT.population.persons(segment(key), index(id))
}

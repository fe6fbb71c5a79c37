//! Files of other people, read into inventory.

mod flat;
mod full;
mod identity;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use builder::build::{About, Import, Rejects, add_inventory};
use builder::columns::ColumnMap;
use builder::displays::{InventorySummary, TARGETS};
use builder::sample;
use dataset::inventory::{FieldSet, Inventory, InventoryWriter, SpotId};
use dataset::measures::MeasuresWriter;
use dataset::places::{self, NewPlace};
use dataset::{
    Figures, FileEntry, Folder, Geographies, MANIFEST, Manifest, Part, PlaceId, Position, Provenance,
    RecordSource, RowCounts,
};
use serde_json::Value;

use crate::{Reject, data, file, taken_back};

/// A release with the project's own geographies and one place, and without a spot.
pub(crate) static EMPTY: LazyLock<Folder> = LazyLock::new(|| {
    let folder = new_folder("empty");
    fs::create_dir_all(&folder).expect("a folder");
    let mut rows =
        sample::population::write(&data(""), &folder, &|_, _, _| ()).expect("the project's own tables");
    let manifest = |rows: &std::collections::BTreeMap<Part, _>| {
        let entry = |(part, rows): (&Part, &RowCounts)| {
            let bytes = fs::metadata(folder.join(part.file())).expect("what was just written").len();
            (*part, FileEntry { bytes, sha256: String::new(), rows: rows.clone() })
        };
        let manifest = Manifest::new("test", rows.iter().map(entry).collect(), [].into(), Vec::new());
        fs::write(folder.join(MANIFEST), manifest.to_json()).expect("a manifest");
        Folder::open(&folder).expect("what was just written")
    };
    let geographies = Geographies::open(&manifest(&rows)).expect("what was just written");
    let place = NewPlace {
        id: PlaceId::from_raw(1),
        name: "Blue Kettle".to_owned(),
        brand: String::new(),
        place_type: "Coffee Shop".to_owned(),
        street_address: "1 Main St".to_owned(),
        city: "New York".to_owned(),
        state: "NY".to_owned(),
        zip_code: "10036".to_owned(),
        position: Position { latitude: 40.7566, longitude: -73.9862 },
        published_date: "2024-11-30".to_owned(),
        county: None,
        cbsa: None,
        dma: None,
        zip: None,
        source: RecordSource { name: "a table".to_owned(), vintage: "2024-11-30".to_owned() },
    };
    let places = places::write(&folder, vec![place], &|_| String::new()).expect("a place");
    rows.insert(Part::Places, places);
    rows.insert(Part::Measures, MeasuresWriter::default().write(&folder).expect("no record"));
    rows.extend(
        InventoryWriter::default().write(&folder, &geographies).expect("an inventory without a spot"),
    );
    manifest(&rows)
});

/// What became of a file.
#[derive(Debug)]
struct Imported {
    summary: InventorySummary,
    rejects: Vec<Reject>,
    folder: Folder,
}

impl Imported {
    fn inventory(&self) -> Inventory {
        Inventory::open(&self.folder).expect("an inventory")
    }

    /// Returns all records by ascending ids.
    fn records(&self) -> Vec<Value> {
        let inventory = self.inventory();
        let record = |index| serde_json::to_value(inventory.record(index, FieldSet::ALL)).expect("JSON");
        inventory.indexes().map(record).collect()
    }

    fn ids(&self) -> Vec<u32> {
        let inventory = self.inventory();
        inventory.indexes().map(|index| inventory.id(index).raw()).collect()
    }

    fn has(&self, id: u32) -> bool {
        self.inventory().find(SpotId::from_raw(id)).is_some()
    }

    fn reasons(&self) -> Vec<(u64, &str)> {
        self.rejects.iter().map(|reject| (reject.line, reject.reason.as_str())).collect()
    }

    fn provenance(&self) -> &Provenance {
        self.folder.manifest().provenance(Figures::Inventory).expect("it is said")
    }
}

pub(crate) fn new_folder(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("inventory-{}-{number}-{name}", std::process::id()))
}

/// Adds a file to a release.
fn add(base: &Folder, source: &Path, map: Option<&ColumnMap>) -> Result<Imported, (String, Vec<Reject>)> {
    add_as(base, source, map, |import| import)
}

/// Adds a file to a release, with what the import is told besides.
fn add_as(
    base: &Folder,
    source: &Path,
    map: Option<&ColumnMap>,
    told: impl for<'a> FnOnce(Import<'a>) -> Import<'a>,
) -> Result<Imported, (String, Vec<Reject>)> {
    let about = About { source: "Example Outdoor".to_owned(), vintage: "2026-06-30".to_owned() };
    add_about(base, source, map, &about, false, told)
}

/// Adds a file of a source to a release.
fn add_about(
    base: &Folder,
    source: &Path,
    map: Option<&ColumnMap>,
    about: &About,
    replaces: bool,
    told: impl for<'a> FnOnce(Import<'a>) -> Import<'a>,
) -> Result<Imported, (String, Vec<Reject>)> {
    let (out, files) = (new_folder("out"), [source.to_owned()]);
    let import = told(Import {
        base,
        files: &files,
        about,
        is_foreign: false,
        max_rejects: None,
        out: Some(&out),
        progress: &|_, _, _| (),
    });
    let mut rejects = Rejects::beside_sources();
    let added = add_inventory(&import, map, replaces, &mut rejects);
    let rejects = taken_back(rejects, added.is_err());
    match added {
        Ok(summary) => {
            assert_eq!(summary.rows, summary.accepted + summary.rejected);
            assert_eq!(summary.rejected, rejects.len() as u64);
            Ok(Imported { summary, rejects, folder: Folder::open(&out).expect("a release") })
        }
        Err(error) => {
            assert!(!out.exists(), "no release is written");
            Err((error.to_string(), rejects))
        }
    }
}

/// Adds a text to a release, as a file with this extension.
fn add_text(
    base: &Folder,
    extension: &str,
    text: impl AsRef<[u8]>,
    map: Option<&str>,
) -> Result<Imported, (String, Vec<Reject>)> {
    let source = file(extension, text);
    let map = map.map(|map| ColumnMap::parse(map, &TARGETS).expect("a map"));
    let added = add(base, &source, map.as_ref());
    fs::remove_file(&source).expect("written");
    added.map_err(|(error, rejects)| (error.replacen(&format!("{}: ", source.display()), "", 1), rejects))
}

/// Adds lines of JSON to the release without a spot; one of them is accepted.
fn add_lines(rows: &[Value]) -> Imported {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    add_text(&EMPTY, "jsonl", lines.join("\n"), None)
        .unwrap_or_else(|(error, rejects)| panic!("{error}: {rejects:?}"))
}

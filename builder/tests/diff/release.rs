//! Writes small releases into temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use builder::diff::{Change, Difference, Kind, SourceDifference, compare};
use dataset::cohorts::{CELLS, CellSet, Cohort, ShareSource};
use dataset::inventory::{InventoryWriter, Record};
use dataset::measures::MeasuresWriter;
use dataset::places::NewPlace;
use dataset::{
    FileEntry, Folder, Geographies, Geography, Manifest, Maturity, Measure, Part, PlaceId, Population,
    RecordSource, Resolution, Source,
};
use serde_json::Value;

/// The geographies in each release, in the required order: the nation, followed by the ZIP codes, sorted by
/// ID.
pub(crate) const GEOGRAPHIES: [&str; 3] = ["XX2020NATNUS", "US2020ZCTA10001", "US2020ZCTA94103"];

#[derive(Clone)]
pub(crate) struct Release {
    pub(crate) displays: Vec<(Value, RecordSource)>,
    pub(crate) places: Vec<NewPlace>,
    pub(crate) measures: BTreeMap<PlaceId, Measure>,
    pub(crate) sources: Vec<Source>,
    pub(crate) geographies: Vec<&'static str>,
    /// Whether the single-cell cohorts are in reverse order.
    pub(crate) are_cohorts_reversed: bool,
}

impl Default for Release {
    fn default() -> Self {
        Self {
            displays: Vec::new(),
            places: Vec::new(),
            measures: BTreeMap::new(),
            sources: Vec::new(),
            geographies: GEOGRAPHIES.to_vec(),
            are_cohorts_reversed: false,
        }
    }
}

/// A temporary folder, which is deleted when the value is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Release {
    /// Compares this release with a newer one, including details.
    pub(crate) fn compare(&self, new: &Self) -> Difference {
        let scratch = scratch();
        let [old, new] = [(self, "old"), (new, "new")].map(|(release, name)| {
            let folder = scratch.0.join(name);
            fs::create_dir_all(&folder).expect("a folder");
            release.write(&folder)
        });
        let difference = compare(&old, &new, true, &|_, _, _| ()).expect("the releases are complete");
        let counts = compare(&old, &new, false, &|_, _, _| ()).expect("the releases are complete");
        assert!(counts.by_source().eq(difference.by_source()) && counts.rows().is_empty());
        difference
    }

    fn write(&self, folder: &Path) -> Folder {
        let geographies = self.write_geographies(folder);
        self.write_population(folder);
        let mut inventory = InventoryWriter::default();
        for (display, source) in &self.displays {
            let record: Record<'static> = serde_json::from_value(display.clone()).expect("a valid record");
            inventory.push(&record, source);
        }
        inventory.write(folder, &geographies).expect("a writable folder");
        let names = |area| geographies.get(area).name.to_owned();
        dataset::places::write(folder, self.places.clone(), &names).expect("valid places");
        let mut measures = MeasuresWriter::default();
        for (place, measure) in &self.measures {
            measures.push(*place, measure).expect("a valid record");
        }
        measures.write(folder).expect("a writable folder");
        let parts = [Part::Geographies, Part::Population, Part::Inventory, Part::Places, Part::Measures];
        let entry = |part| (part, FileEntry::of(folder, part, BTreeMap::new()).expect("the part is written"));
        let files = parts.map(entry).into();
        let manifest = Manifest::new("test", files, BTreeMap::new(), self.sources.clone());
        Folder::new(folder.to_owned(), manifest)
    }

    fn write_geographies(&self, folder: &Path) -> Geographies {
        let geography = |id: &&'static str| Geography {
            id: id.parse().expect("a valid ID"),
            name: id,
            population: 0,
            households: 0,
            position: None,
            state: None,
            county: None,
            cbsa: None,
            dma: None,
        };
        dataset::geographies::write(folder, self.geographies.iter().map(geography)).expect("a folder");
        Geographies::open_file(&folder.join(Part::Geographies.file())).expect("a complete file")
    }

    fn write_population(&self, folder: &Path) {
        let mut cells: Vec<usize> = (0..CELLS).collect();
        if self.are_cohorts_reversed {
            cells.reverse();
        }
        let of_cell = |cell: &usize| cohort(format!("cell_{cell}").leak(), 1 << cell);
        let cohorts: Vec<Cohort> =
            [cohort("everyone", 0)].into_iter().chain(cells.iter().map(of_cell)).collect();
        let columns = vec![vec![0; self.geographies.len()]; cohorts.len()];
        dataset::population::write(folder, &cohorts, &columns).expect("a writable folder");
        Population::open_file(&folder.join(Part::Population.file())).expect("a complete file");
    }
}

pub(crate) fn source(name: &str, vintage: &str) -> RecordSource {
    RecordSource { name: name.to_owned(), vintage: vintage.to_owned() }
}

/// Returns a manifest's entry for a source with a namespace.
pub(crate) fn with_ids(source: &RecordSource, ids: &str) -> Source {
    Source {
        name: source.name.clone(),
        vintage: source.vintage.clone(),
        licence: "none".to_owned(),
        attribution: String::new(),
        ids: Some(ids.to_owned()),
    }
}

/// Returns the only source that differs.
pub(crate) fn only(difference: &Difference) -> &SourceDifference {
    let all: Vec<&SourceDifference> = difference.by_source().collect();
    assert_eq!(all.len(), 1, "{all:#?}");
    all[0]
}

/// Returns the members that differ in the only changed record, and the distance that it moved.
pub(crate) fn changed(difference: &Difference, kind: Kind) -> (Vec<&'static str>, Option<f64>) {
    let [row] = difference.rows() else { panic!("one record should differ: {:?}", difference.rows()) };
    let source = only(difference);
    assert_eq!((row.kind, source.kind, source.changed), (kind, kind, 1));
    let Change::Changed { members, moved_km } = &row.change else { panic!("{row:?}") };
    assert_eq!(source.members, members.iter().map(|member| (*member, 1)).collect());
    assert_eq!(source.moved, u64::from(moved_km.is_some()));
    (members.clone(), *moved_km)
}

fn cohort(key: &'static str, cells: u64) -> Cohort {
    Cohort {
        key,
        kind: "Demographics",
        category: "Age",
        description: key,
        cells: CellSet::from_bits(cells).expect("known cells"),
        shares: ShareSource {
            source: "a census",
            vintage: "2020",
            maturity: Maturity::Production,
            resolution: Resolution::Zip,
        },
        anytime: true,
    }
}

fn scratch() -> Scratch {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    Scratch(Path::new(env!("CARGO_TARGET_TMPDIR")).join("diff").join(name))
}

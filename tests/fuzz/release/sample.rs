//! A valid release that is small enough for most single-byte changes to have an effect.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dataset::cohorts::{AGE_SEX, CELLS, CellSet, Cohort, ETHNICITIES, INCOMES, ShareSource};
use dataset::inventory::{Inventory, InventoryWriter, Record};
use dataset::measures::{Measure, MeasuresWriter};
use dataset::places::{self, NewPlace};
use dataset::tiles::{self, LayerSource, TileId};
use dataset::{
    FileEntry, Folder, Geographies, Geography, GeographyIndex, Manifest, Maturity, Measures, Part, PlaceId,
    Places, Population, Position, RecordSource, Resolution, SegmentIndex, base_map, exposures, known_ids,
};
use serde_json::{Value, json};

/// The number of spots, which is also the number of places.
const ITEMS: u32 = 70;

/// The population of every area.
const PERSONS: u32 = 90_000;

/// The nation, a state, a county, two markets (a DMA and a CBSA), and a ZIP code.
const AREAS: [(&str, &str); 6] = [
    ("XX2020NATNUS", "United States"),
    ("US2020XXST36", "New York"),
    ("US2020STCO36061", "New York County, NY"),
    ("US2020XDMA501", "New York"),
    ("US2020XMSA35620", "New York-Newark-Jersey City, NY-NJ"),
    ("US2020ZCTA10036", "10036"),
];

/// Builds the release unless it exists.
pub(crate) fn prepare() {
    release();
}

pub(crate) fn folder() -> &'static Folder {
    &release().0
}

/// Returns the release and the contents of its files.
pub(crate) fn release() -> &'static (Folder, BTreeMap<Part, Vec<u8>>) {
    static RELEASE: OnceLock<(Folder, BTreeMap<Part, Vec<u8>>)> = OnceLock::new();
    RELEASE.get_or_init(|| {
        let folder = new_folder("valid");
        write(&folder);
        let files = Part::ALL.map(|part| (part, fs::read(folder.join(part.file())).expect("valid file")));
        let release = described(&folder);
        dataset::check(&release).expect("valid release");
        (release, files.into())
    })
}

/// Creates an empty folder that no other target or process uses.
pub(crate) fn new_folder(name: &str) -> PathBuf {
    let run = format!("{}-{}", std::process::id(), std::thread::current().name().unwrap_or("main"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(run).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("created");
    folder
}

/// Creates a manifest for the files in a folder and returns the release.
pub(crate) fn described(folder: &Path) -> Folder {
    let entry = |part| (part, FileEntry::of(folder, part, BTreeMap::new()).expect("valid file"));
    let files = Part::ALL.map(entry).into();
    Folder::new(folder.to_owned(), Manifest::new("fuzz", files, BTreeMap::new(), Vec::new()))
}

fn write(folder: &Path) {
    let file = |part: Part| folder.join(part.file());
    dataset::geographies::write(folder, AREAS.iter().map(|(id, name)| area(id, name))).expect("valid areas");
    let geographies = Geographies::open_file(&file(Part::Geographies)).expect("valid areas");
    let cohorts = cohorts();
    let columns: Vec<Vec<u32>> = persons().map(|persons| vec![persons; AREAS.len()]).collect();
    dataset::population::write(folder, &cohorts, &columns).expect("valid cohorts");
    let name = |area| geographies.get(area).name.to_owned();
    places::write(folder, (0..ITEMS).map(place).collect(), &name).expect("valid places");
    let mut measures = MeasuresWriter::default();
    let mut ids: Vec<PlaceId> = (0..ITEMS).map(|number| place(number).id).collect();
    ids.sort_unstable();
    for (id, visits) in ids.into_iter().zip(1..) {
        measures.push(id, &measure(visits)).expect("valid record");
    }
    measures.write(folder).expect("valid records");
    write_spots(folder, &geographies, (0..ITEMS).map(spot));
    let population = Population::open_file(&file(Part::Population)).expect("valid cohorts");
    let places = Places::open_file(&file(Part::Places)).expect("valid places");
    let measures = Measures::open_file(&file(Part::Measures)).expect("valid records");
    let inventory = Inventory::open_file(&file(Part::Inventory)).expect("valid spots");
    known_ids::write(folder, &inventory, &places, &population).expect("valid IDs");
    exposures::write(folder, &inventory, &geographies).expect("valid spots");
    places::write_visits(folder, &places, |place| measures.glance(place)).expect("valid visits");
    dataset::population::write_national(folder, &population).expect("valid cohorts");
    let tile = TileId::new(8, 75, 96).expect("the tile exists");
    base_map::write(folder, &[(tile, b"a tile".to_vec())], &[('b', b"names".to_vec())].into())
        .expect("a valid base map");
    tiles::write(folder, LayerSource::Faces(&inventory)).expect("valid tiles");
    tiles::write(folder, LayerSource::Places(&places, &measures)).expect("valid tiles");
}

/// Writes spot records as an inventory part.
pub(crate) fn write_spots(folder: &Path, areas: &Geographies, spots: impl IntoIterator<Item = Value>) {
    let mut writer = InventoryWriter::default();
    for spot in spots {
        let record: Record<'static> = serde_json::from_value(spot).expect("valid record");
        let name = record.operator().unwrap_or("Example Outdoor").to_owned();
        writer.push(&record, &RecordSource { name, vintage: "2026-06-30".to_owned() });
    }
    writer.write(folder, areas).expect("valid spots");
}

fn area<'a>(id: &str, name: &'a str) -> Geography<'a> {
    let position = |prefix: &str| {
        let found = AREAS.iter().position(|(other, _)| other.contains(prefix)).expect("an area");
        Some(GeographyIndex::from_raw(u32::try_from(found).expect("there are few areas")))
    };
    let is_zip = id.contains("ZCTA");
    let is_part = is_zip || id.contains("STCO");
    Geography {
        id: id.parse().expect("valid ID"),
        name,
        population: PERSONS,
        households: 40_000,
        position: Some(Position { latitude: 40.7, longitude: -74.0 }),
        state: position("XXST").filter(|_| is_part),
        county: position("STCO").filter(|_| is_zip),
        cbsa: position("XMSA").filter(|_| is_part),
        dma: position("XDMA").filter(|_| is_part),
    }
}

/// Returns a cohort of everyone and a cohort for each demographic cell.
fn cohorts() -> Vec<Cohort> {
    let cell = |cell: usize| (&*format!("cell {cell}").leak(), CellSet::single(cell));
    let sets = std::iter::once(("everyone", CellSet::EVERYONE)).chain((0..CELLS).map(cell));
    let shares = ShareSource {
        source: "a survey",
        vintage: "2010-2014",
        maturity: Maturity::ResearchPreview,
        resolution: Resolution::Zip,
    };
    let cohort = |(key, cells)| Cohort {
        key,
        kind: "Population At Home",
        category: "Age",
        description: key,
        cells,
        shares,
        anytime: true,
    };
    sets.map(cohort).collect()
}

/// Returns the population of each cohort. The populations by age and sex, by ethnicity, and by income each
/// add up to the total population.
fn persons() -> impl Iterator<Item = u32> {
    let divided = |cells: usize| (0..cells).map(move |cell| if cell == 0 { PERSONS } else { 0 });
    std::iter::once(PERSONS).chain(divided(AGE_SEX)).chain(divided(ETHNICITIES)).chain(divided(INCOMES))
}

pub(crate) fn place(number: u32) -> NewPlace {
    let pick = |texts: &[&str]| texts[number as usize % texts.len()].to_owned();
    let street = format!("{} {}", number / 3 + 1, pick(&["Main St", "N. Ōhare Ave", "5th Ave #2"]));
    let name = pick(&["Starbucks", "Café Olé", "STARBUCKS", "Joe's Diner", "東京"]);
    NewPlace {
        id: PlaceId::of(&name, &street, "10036"),
        name,
        brand: pick(&["", "Starbucks"]),
        place_type: pick(&["Coffee Shop", "Bank", "Diner"]),
        street_address: street,
        city: pick(&["New York", "nome"]),
        state: pick(&["NY", "AK"]),
        zip_code: "10036".to_owned(),
        position: around(number),
        published_date: "2024-11-30".to_owned(),
        register_id: String::new(),
        county: Some(GeographyIndex::from_raw(2)).filter(|_| !number.is_multiple_of(3)),
        cbsa: Some(GeographyIndex::from_raw(4)).filter(|_| number.is_multiple_of(2)),
        dma: Some(GeographyIndex::from_raw(3)).filter(|_| !number.is_multiple_of(5)),
        zip: Some(GeographyIndex::from_raw(5)),
        source: RecordSource { name: pick(&["a table", "another"]), vintage: "2024-11-30".to_owned() },
    }
}

/// Returns a spot record that varies with the number. Some fields may be missing.
pub(crate) fn spot(number: u32) -> Value {
    let whole = include_str!("../../../shared/dataset/src/inventory/whole.json");
    let mut record: Value = serde_json::from_str(whole).expect("valid record");
    record["spot_id"] = json!(1 + number * 3);
    record["media_name"] = json!(format!("Times Sq. {}", number % 9));
    record["location"]["primary_artery"] =
        json!(["Broadway", "I-95 N of O'Hare", "5th"][number as usize % 3]);
    let members = record.as_object_mut().expect("valid record");
    let names: Vec<String> =
        members.keys().filter(|name| !["spot_id", "location"].contains(&name.as_str())).cloned().collect();
    if number > 0 && number.is_multiple_of(4) {
        members.remove(&names[number as usize % names.len()]);
    }
    record
}

pub(crate) fn measure(visits: u64) -> Measure {
    let mut measure = Measure { modelled: visits.is_multiple_of(2), ..Measure::default() };
    measure.hours[1][8] = visits;
    measure.dwell = [visits, 0, 0, 0, 0];
    measure.activities = visits * 10;
    measure.unique_persons = visits.div_ceil(2);
    measure.local_visits = visits / 3;
    measure.dwell_minutes = visits * 20;
    measure.origins = vec![(GeographyIndex::from_raw(5), visits)];
    measure.segments = [0, 2, 3].map(|one| (SegmentIndex::from_raw(one), visits / 4)).into();
    measure.years = vec![(2024, visits * 50), (2025, visits * 51)];
    measure.weeks = vec![(2026, 30, visits), (2026, 31, visits + 2)];
    measure
}

fn around(number: u32) -> Position {
    let step = f64::from(number) * 0.001;
    Position { latitude: 40.7 + step, longitude: -74.0 + step * 1.5 }
}

//! Tests that synthetic inventories are reproducible, that their spots are distributed like the population,
//! and that their records are complete.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use builder::location::{Locator, ZipArea};
use builder::{MAX_SPOTS, sample, synthesize};
use dataset::inventory::{FieldSet, Inventory, Record, SpotCounts};
use dataset::measures::MeasuresWriter;
use dataset::{
    Figures, FileEntry, Folder, Geographies, GeographyId, GeographyIndex, GeographyType, MANIFEST, Manifest,
    Maturity, Part, PlaceId, Places, Position,
};
use serde_json::Value;

/// A release without displays, built from the project's tables.
static BASE: LazyLock<Folder> = LazyLock::new(|| {
    let (data, folder) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data"), new_folder());
    fs::create_dir_all(&folder).expect("a folder");
    let mut rows =
        sample::population::write(&data, &folder, &|_, _, _| ()).expect("the project's tables are valid");
    let geographies = {
        describe(&folder, &[Part::Geographies]);
        Geographies::open(&Folder::open(&folder).expect("valid release")).expect("valid part")
    };
    let area = |index| {
        let zip = geographies.get(index);
        ZipArea {
            index,
            zip: zip.id.national_id().to_string(),
            inhabited: true,
            city: String::new(),
            state: String::new(),
            center: zip.position.expect("every ZIP code has a position"),
            county: None,
            cbsa: None,
            dma: None,
        }
    };
    let locator = Locator::new(geographies.of_type(GeographyType::Zip).map(area).collect());
    let locate = |zip: &str, _| locator.find(zip);
    let name = |area: GeographyIndex| geographies.get(area).name.to_owned();
    let table = sample::places::table(&data).expect("the project's table of places");
    let places = sample::places::write(&table, &folder, &locate, &name);
    rows.insert(Part::Places, places.expect("the project's places are valid"));
    rows.insert(Part::Measures, MeasuresWriter::default().write(&folder).expect("can write the file"));
    describe(&folder, &rows.into_keys().collect::<Vec<Part>>());
    Folder::open(&folder).expect("valid release")
});

/// A release with a synthetic inventory of 20,000 spots.
static MADE: LazyLock<Folder> = LazyLock::new(|| made(20_000, 7));

fn new_folder() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("synthesize-{number}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn describe(folder: &Path, parts: &[Part]) {
    let entry = |part: &Part| {
        let bytes = fs::metadata(folder.join(part.file())).expect("a file").len();
        (*part, FileEntry { bytes, sha256: String::new(), rows: BTreeMap::new() })
    };
    let manifest = Manifest::new("test", parts.iter().map(entry).collect(), BTreeMap::new(), Vec::new());
    fs::write(folder.join(MANIFEST), manifest.to_json()).expect("can write the file");
}

fn made(spots: usize, seed: u64) -> Folder {
    synthesize(&BASE, spots, seed, &new_folder(), &|_, _, _| ()).expect("valid release")
}

fn bytes(folder: &Folder) -> [Vec<u8>; 4] {
    [MANIFEST, Part::Inventory.file(), Part::SpotCounts.file(), Part::DisplayTiles.file()]
        .map(|file| fs::read(folder.path().join(file)).expect("a file"))
}

fn records(inventory: &Inventory) -> impl Iterator<Item = Record<'_>> {
    inventory.indexes().map(|spot| inventory.record(spot, FieldSet::ALL))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string"))
}

#[test]
fn bytes_depend_only_on_the_seed() {
    let first = made(2_000, 1);
    assert_eq!(bytes(&first), bytes(&made(2_000, 1)));
    let other = made(2_000, 2);
    assert_ne!(bytes(&first)[1], bytes(&other)[1]);
    assert_ne!(first.manifest().name, other.manifest().name);

    // The new release is written to the same folder. Its inventory doesn't depend on the base release's
    // inventory.
    let releases = other.path().parent().expect("a folder of releases");
    let again = synthesize(&other, 2_000, 1, releases, &|_, _, _| ()).expect("valid release");
    assert_eq!(again.path(), releases.join("latest").canonicalize().expect("a link"));
    assert_eq!(bytes(&again), bytes(&first));
    other.verify(&[Part::Inventory]).expect("the other release stays");
    assert_eq!(bytes(&again), bytes(&first));
}

#[test]
fn small_inventory_is_a_prefix_of_a_large_one() {
    let (small, large) = (made(500, 7), &*MADE);
    let [small, large] = [&small, large].map(|folder| Inventory::open(folder).expect("valid inventory"));
    assert_eq!((small.len(), large.len()), (500, 20_000));
    assert!(records(&small).eq(records(&large).take(500)));
}

#[test]
fn release_keeps_other_parts_and_marks_the_inventory_as_synthetic() {
    let manifest = MADE.manifest();
    for part in [Part::Geographies, Part::Population, Part::Places] {
        assert_eq!(manifest.files[&part], BASE.manifest().files[&part]);
        let [old, new] = [&BASE, &MADE].map(|folder| fs::read(folder.file(part)).expect("a file"));
        assert!(old == new, "{part:?}");
    }
    assert_eq!(manifest.label(), "test");
    let about = manifest.provenance(Figures::Inventory).expect("the inventory has provenance");
    assert_eq!(about.source, "synthesized: 20000 spots, seed 7; not real inventory");
    assert_eq!(about.data_maturity, Maturity::SyntheticOnly);
    assert_eq!(manifest.files[&Part::Inventory].rows["spots"], 20_000);
    MADE.verify(&[Part::Inventory, Part::SpotCounts]).expect("the files match the manifest");
    assert_eq!(Inventory::open(&MADE).expect("valid inventory").len(), 20_000);
}

#[test]
fn exposure_and_position_of_a_display_take_at_most_24_bytes() {
    let exposures = &MADE.manifest().files[&Part::Exposures];
    assert_eq!(exposures.rows["displays"], 20_000);
    assert!(exposures.bytes <= 24 * 20_000, "{} bytes", exposures.bytes);
}

#[test]
fn spot_count_out_of_range_is_rejected() {
    for spots in [0, MAX_SPOTS + 1] {
        let folder = new_folder();
        let error = synthesize(&BASE, spots, 1, &folder, &|_, _, _| ()).expect_err("out of range");
        assert_eq!(error.to_string(), format!("spots: must be from 1 to 10000000, got {spots}"));
        assert!(!folder.exists());
    }
    assert_eq!(Inventory::open(&made(1, 1)).expect("valid inventory").len(), 1);
}

#[test]
fn records_have_all_members() {
    let inventory = Inventory::open(&MADE).expect("valid inventory");
    let mut before = 0;
    for record in records(&inventory) {
        let is_measured = record.has_measures();
        let json = serde_json::to_value(&record).expect("the record is JSON");
        let members: Vec<&str> =
            json.as_object().expect("it is an object").keys().map(String::as_str).collect();
        assert_eq!(members.len(), 20, "{json}");
        let location = json["location"].as_object().expect("it is an object");
        // Spots outside all markets of a type don't have the members for that type.
        let markets = ["dma_id", "cbsa_code"].into_iter().filter(|code| location.contains_key(*code)).count();
        assert_eq!(location.len(), 10 + 2 * markets, "{json}");
        let id = json["spot_id"].as_u64().expect("it is a number");
        assert!((100_000..100_000_000).contains(&id) && id > before, "{id} after {before}");
        let spots = json["layouts"][0]["faces"][0]["spots"].as_array().expect("it is a list").clone();
        for (nth, spot) in (0..).zip(&spots) {
            assert_eq!(spot["id"], id + nth);
            assert_eq!(
                spot.as_object().expect("it is an object").len(),
                if json["digital"] == true { 11 } else { 10 }
            );
            assert_eq!(spot["measures"].as_array().map(Vec::len), Some(is_measured.into()), "{json}");
            before = id + nth;
        }
        let share: f64 = text(&spots[0]["spot_share_of_voice"]).parse().expect("it is a decimal");
        assert_eq!(share * spots.len() as f64, 1.0);
        assert_eq!(json["status_type"]["name"] == "Published - Measured", is_measured, "{json}");
        let [longitude, latitude] = [0, 1].map(|at| &json["location"]["geometry"]["coordinates"][at]);
        assert_eq!(location["geo_point"], format!("{latitude},{longitude}"));
    }
}

#[test]
fn spots_are_distributed_like_people_and_counted_in_their_markets() {
    let (inventory, geographies) =
        (Inventory::open(&MADE).expect("valid inventory"), Geographies::open(&MADE).expect("valid part"));
    let counts = SpotCounts::open(&MADE).expect("valid part");
    let mut in_zips = BTreeMap::<GeographyIndex, u32>::new();
    let mut in_dmas = BTreeMap::<GeographyIndex, u32>::new();
    for (record, spot) in records(&inventory).zip(inventory.indexes()) {
        let json = serde_json::to_value(&record).expect("the record is JSON")["location"].take();
        let zip = GeographyId::from_national_id(GeographyType::Zip, text(&json["zip_code"]))
            .expect("valid ZIP code");
        let index = geographies.find(&zip).expect("a ZIP code");
        let zip = geographies.get(index);
        for (area, code, name) in [
            (zip.county, "county_id", "county_name"),
            (zip.dma, "dma_id", "dma_name"),
            (zip.cbsa, "cbsa_code", "cbsa_name"),
        ] {
            let area = area.map(|area| geographies.get(area));
            assert_eq!(json[code], area.map_or(Value::Null, |area| area.id.national_id().to_string().into()));
            assert_eq!(json[name], area.map_or(Value::Null, |area| area.name.into()));
        }
        assert_eq!(zip.name.rsplit_once(", ").map(|name| name.1), json["state"].as_str());
        if inventory.has_measures(spot) {
            *in_zips.entry(index).or_default() += 1;
            if let Some(dma) = zip.dma {
                *in_dmas.entry(dma).or_default() += 1;
            }
        }
    }
    for (area, count) in in_zips.iter().chain(&in_dmas) {
        assert_eq!(counts.of(*area), *count);
    }
    let mut sizes: Vec<u32> = in_dmas.into_values().collect();
    sizes.sort_unstable();
    let (median, largest) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
    assert!(sizes.len() > 190 && largest > 10 * median, "{largest} and {median} of {}", sizes.len());
}

/// Returns the number of records with each distinct value of a field.
fn counted(records: &[Value], path: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for record in records {
        let value = record.pointer(path).unwrap_or_else(|| panic!("{path} of {record}"));
        *counts.entry(value.as_str().map_or_else(|| value.to_string(), str::to_owned)).or_default() += 1;
    }
    counts
}

#[test]
fn fields_have_varied_values() {
    let inventory = Inventory::open(&MADE).expect("valid inventory");
    let records: Vec<Value> = records(&inventory)
        .map(|record| serde_json::to_value(&record).expect("the record is JSON"))
        .collect();
    for (path, distinct, most_common) in [
        // Every record has a different name.
        ("/media_name", 20_000..=20_000, 1..=1),
        ("/location/primary_artery", 10_000..=19_000, 10..=200),
        ("/representations/0/0/account/name", 64..=64, 500..=1_000),
        ("/media_type/name", 6..=6, 5_000..=6_000),
        ("/classification_type/name", 2..=2, 15_000..=18_000),
        ("/placement_type/name", 2..=2, 10_000..=15_000),
        ("/illumination_type/name", 3..=3, 7_000..=9_000),
        ("/construction/construction_type/name", 11..=11, 8_000..=12_000),
        ("/status_type/name", 4..=4, 19_500..=19_700),
        ("/digital", 2..=2, 17_400..=17_800),
        ("/audio", 2..=2, 19_000..=19_900),
        ("/full_motion", 2..=2, 19_000..=19_900),
        ("/partial_motion", 2..=2, 19_000..=19_900),
        ("/interactive", 2..=2, 19_000..=19_990),
        ("/rotating", 2..=2, 16_000..=18_000),
        ("/location/state", 51..=51, 1_500..=3_000),
    ] {
        let counts = counted(&records, path);
        assert!(distinct.contains(&counts.len()), "{path}: {} distinct values", counts.len());
        let most = counts.values().max().expect("the field has values");
        assert!(most_common.contains(most), "{path}: {most} of the most common value");
    }
}

#[test]
fn place_based_displays_are_at_their_places() {
    let (inventory, places) =
        (Inventory::open(&MADE).expect("valid inventory"), Places::open(&MADE).expect("valid places"));
    let mut placed = 0;
    for (record, spot) in records(&inventory).zip(inventory.indexes()) {
        let json = serde_json::to_value(&record).expect("the record is JSON");
        let [id, name] = ["place_id", "place_name"].map(|member| text(&json["place"][member]));
        if id.is_empty() {
            assert_eq!((name, &json["location"]["places"]), ("", &Value::Array(Vec::new())));
            continue;
        }
        placed += 1;
        let place = places.find(PlaceId::from_raw(id.parse().expect("it is a number"))).expect("a place");
        let place = places.get(place);
        assert_eq!((place.name, &json["location"]["places"][0]["place_name"]), (name, &name.into()));
        assert_eq!(place.place_type, json["location"]["place_types"]["name"]);
        assert_eq!(json["classification_type"]["name"], "Place Based");
        let Position { latitude, longitude } = inventory.position(spot);
        let apart = (latitude - place.latitude).abs().max((longitude - place.longitude).abs());
        assert!(apart < 0.000_2, "{json}");
    }
    assert!((1_500..2_500).contains(&placed), "{placed}");
}

//! Tests of writing and reading an inventory file.

use std::path::PathBuf;

use provenance::RecordSource;
use serde_json::{Value, json};

use super::*;
use crate::geographies::{self, Geographies, Geography, GeographyId, GeographyIndex, GeographyType};
use crate::release::Part;
use crate::release::file::SectionFile;

fn whole() -> Value {
    serde_json::from_str(include_str!("whole.json")).unwrap()
}

fn least() -> Value {
    json!({"spot_id": 1, "location": {"geometry": {"type": "Point", "coordinates": [-180.0, 90.0]}}})
}

fn folder(of: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("dataset-inventory-{}-{of}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn geographies(folder: &std::path::Path) -> Geographies {
    let of = |geography_type, code: &str| GeographyId::from_national_id(geography_type, code).unwrap();
    let geography = |id, state| Geography {
        id,
        name: "",
        population: 0,
        households: 0,
        position: None,
        state,
        county: None,
        cbsa: None,
        dma: None,
    };
    let all = [
        geography("XX2020NATNUS".parse().unwrap(), None),
        geography(of(GeographyType::State, "36"), None),
        geography(of(GeographyType::County, "36061"), Some(GeographyIndex::from_raw(1))),
        geography(of(GeographyType::Dma, "501"), None),
        geography(of(GeographyType::Dma, "803"), None),
    ];
    geographies::write(folder, all.into_iter()).unwrap();
    Geographies::open_file(&folder.join(Part::Geographies.file())).unwrap()
}

fn source(name: &str) -> RecordSource {
    RecordSource { name: name.to_owned(), vintage: "2026-06-30".to_owned() }
}

#[test]
fn records_round_trip_in_any_input_order() {
    let folder = folder("whole");
    let (geographies, records) = (geographies(&folder), [whole(), least()]);
    let mut writer = InventoryWriter::default();
    for (record, name) in records.iter().zip(["one", "other"]) {
        let record = serde_json::from_value::<Record<'static>>(record.clone()).unwrap();
        writer.push(&record, &source(name));
    }
    let rows = writer.write(&folder, &geographies).unwrap();
    assert_eq!(rows[&Part::Inventory]["spots"], 2);
    assert_eq!(rows[&Part::Inventory]["measured_spots"], 1);
    let inventory = Inventory::from_file(&SectionFile::open(&folder.join("inventory.bin")).unwrap()).unwrap();
    let read: Vec<Value> = inventory
        .indexes()
        .map(|index| serde_json::to_value(inventory.record(index, FieldSet::ALL)).unwrap())
        .collect();
    assert_eq!(read, [least(), whole()]);
    let sources: Vec<RecordSource> = inventory.indexes().map(|index| inventory.source(index)).collect();
    assert_eq!(sources, [source("other"), source("one")]);
    let counts = std::fs::read(folder.join("spot_counts.bin")).unwrap();
    assert!(!counts.is_empty());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn push_each_writes_the_same_bytes_as_push() {
    let folder = folder("together");
    let geographies = geographies(&folder);
    let records = [whole(), least()].map(|record| serde_json::from_value::<Record<'static>>(record).unwrap());
    let written = |push: &dyn Fn(&mut InventoryWriter)| {
        let mut writer = InventoryWriter::default();
        push(&mut writer);
        writer.write(&folder, &geographies).unwrap();
        std::fs::read(folder.join("inventory.bin")).unwrap()
    };
    let one_by_one = written(&|writer| records.iter().for_each(|record| writer.push(record, &source("one"))));
    assert!(one_by_one == written(&|writer| writer.push_each(&records, &source("one"))));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn record_contains_only_the_requested_fields() {
    let folder = folder("asked");
    let geographies = geographies(&folder);
    let mut writer = InventoryWriter::default();
    writer.push(&serde_json::from_value::<Record<'static>>(whole()).unwrap(), &source("one"));
    writer.write(&folder, &geographies).unwrap();
    let inventory = Inventory::from_file(&SectionFile::open(&folder.join("inventory.bin")).unwrap()).unwrap();
    let of = |paths: &[&str]| {
        let found = paths.iter().map(|path| FieldSet::at(path).expect("the path exists"));
        let fields = found.fold(FieldSet::NONE, FieldSet::or);
        serde_json::to_value(inventory.record(inventory.indexes().next().unwrap(), fields)).unwrap()
    };
    assert_eq!(of(&[]), json!({}));
    assert_eq!(of(&["id", "location.state"]), json!({"spot_id": 30_412_877, "location": {"state": "NY"}}));
    assert_eq!(
        of(&["location.geometry.coordinates", "layouts.faces.width"]),
        json!({
            "location": {"geometry": {"coordinates": [-73.98613, 40.75773]}},
            "layouts": [{"faces": [{"width": 576}]}, {}],
        })
    );
    assert_eq!(
        of(&["representations.account.name", "location.places"]),
        json!({
            "location": {"places": [{"place_name": "Times Square"}, {}]},
            "representations": [[{"account": {"name": "Sky Panels"}}], [], [{}]],
        })
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn unknown_spot_length_is_null_and_takes_the_same_space() {
    let folder = folder("unknown");
    let geographies = geographies(&folder);
    let written = |length: Option<Option<i64>>| {
        let mut record: Record<'static> = serde_json::from_value(whole()).unwrap();
        record.layouts.as_mut().unwrap()[0].faces.as_mut().unwrap()[0].spots.as_mut().unwrap()[0]
            .spot_length = length;
        let mut writer = InventoryWriter::default();
        writer.push(&record, &source("a"));
        writer.write(&folder, &geographies).unwrap();
        let file = folder.join("inventory.bin");
        let inventory = Inventory::from_file(&SectionFile::open(&file).unwrap()).unwrap();
        let read = inventory.record(inventory.indexes().next().unwrap(), FieldSet::ALL);
        assert_eq!(read, record);
        let read = serde_json::to_value(read).unwrap();
        let spot = read.pointer("/layouts/0/faces/0/spots/0").unwrap().clone();
        (spot, std::fs::metadata(file).unwrap().len())
    };
    let (known, unknown, absent) = (written(Some(Some(8))), written(Some(None)), written(None));
    assert_eq!((&known.0["spot_length"], unknown.0.get("spot_length")), (&json!(8), Some(&Value::Null)));
    assert_eq!(absent.0.get("spot_length"), None);
    assert_eq!(known.1, unknown.1);
    std::fs::remove_dir_all(folder).unwrap();
}

//! A target that checks that spots and places with any strings and numbers are read back as they were
//! written.

use std::fs;

use dataset::inventory::{FieldSet, Inventory, Record};
use dataset::{Geographies, Part, PlaceId, Places, Position};
use serde_json::{Value, json};

use super::sample::{self, new_folder, release};
use crate::choices::Choices;

/// The maximum number of spots or places per input.
const ITEMS: u32 = 24;

/// Strings that resemble numbers or null, and strings that differ only in case, accents, or spaces.
const TEXTS: [&str; 14] = [
    "",
    " ",
    "a",
    "A",
    "á",
    "0",
    "00",
    "-0",
    "1e5",
    "18446744073709551616",
    "000000000000000000000",
    "null",
    "12345678901234567890",
    "a  a",
];

/// Creates spots or places from the input, writes them, and compares what is read back.
pub(crate) fn run(input: &[u8]) {
    let mut choices = Choices::of(input);
    let folder = new_folder("round-trip");
    if choices.byte().is_multiple_of(2) {
        spots(&folder, &mut choices);
    } else {
        places(&folder, &mut choices);
    }
    fs::remove_dir_all(folder).expect("removed");
}

fn spots(folder: &std::path::Path, choices: &mut Choices<'_>) {
    let mut records = Vec::new();
    while !choices.is_empty() && records.len() < ITEMS as usize {
        records.push(spot(records.len() as u32, choices));
    }
    let areas = Geographies::open(&release().0).expect("valid areas");
    sample::write_spots(folder, &areas, records.clone());
    let inventory = Inventory::open_file(&folder.join(Part::Inventory.file())).expect("valid written part");
    let read = inventory.indexes().map(|spot| inventory.record(spot, FieldSet::ALL));
    let read: Vec<Value> = read.map(|record| serde_json::to_value(record).expect("valid JSON")).collect();
    assert_eq!(read, records);
    for (spot, record) in inventory.indexes().zip(&records) {
        let mut json = Vec::new();
        inventory.write_json(spot, FieldSet::ALL, &mut json);
        let json: Value = serde_json::from_slice(&json).expect("valid JSON");
        assert_eq!(json, *record);
    }
}

/// Returns a serialized spot record with some altered values.
fn spot(number: u32, choices: &mut Choices<'_>) -> Value {
    let mut record = sample::spot(number);
    for _ in 0..1 + choices.byte() % 6 {
        let mut paths = paths(&record);
        // Positions, and integers outside layouts, aren't altered because imports validate them before
        // writing.
        let is_validated = |path: &str| {
            path.contains("/geometry/") || ["/weekly_impressions", "/rate/weeks"].contains(&path)
        };
        paths.retain(|path| !is_validated(path));
        let path = &paths[choices.below(paths.len())];
        let place = record.pointer_mut(path).expect("the path is in the record");
        *place = match place {
            Value::Bool(_) => json!(choices.byte().is_multiple_of(2)),
            Value::Number(_) => json!(choices.number() >> (choices.byte() % 64)),
            _ => json!(text(choices)),
        };
    }
    record["spot_id"] = json!(number + 1);
    // Falls back to the unaltered record if the altered one is invalid.
    let read: Option<Record<'static>> = serde_json::from_value(record).ok();
    serde_json::to_value(
        read.unwrap_or_else(|| serde_json::from_value(sample::spot(number)).expect("valid record")),
    )
    .map(|mut record| {
        record["spot_id"] = json!(number + 1);
        record
    })
    .expect("valid JSON")
}

/// Returns the JSON pointers of all scalar values.
fn paths(value: &Value) -> Vec<String> {
    let below = |name: &str, value: &Value| -> Vec<String> {
        paths(value).into_iter().map(|path| format!("/{name}{path}")).collect()
    };
    match value {
        Value::Object(members) => members.iter().flat_map(|(name, value)| below(name, value)).collect(),
        Value::Array(items) => {
            (0..).zip(items).flat_map(|(at, value)| below(&usize::to_string(&at), value)).collect()
        }
        _ => vec![String::new()],
    }
}

fn text(choices: &mut Choices<'_>) -> String {
    match choices.byte() % 3 {
        0 => choices.pick(&TEXTS).to_owned(),
        1 => choices.number().to_string(),
        _ => String::from_utf8_lossy(choices.run()).into_owned(),
    }
}

fn places(folder: &std::path::Path, choices: &mut Choices<'_>) {
    let mut places = Vec::new();
    while !choices.is_empty() && places.len() < ITEMS as usize {
        let number = places.len() as u32;
        let mut place = sample::place(number);
        for _ in 0..1 + choices.byte() % 4 {
            let member = match choices.byte() % 6 {
                0 => &mut place.name,
                1 => &mut place.brand,
                2 => &mut place.street_address,
                3 => &mut place.city,
                4 => &mut place.state,
                _ => &mut place.zip_code,
            };
            *member = text(choices);
        }
        let degrees = |choices: &mut Choices<'_>, most: f64| {
            (choices.number() as f64 / u64::MAX as f64 * 2.0 - 1.0) * most
        };
        place.position = Position { latitude: degrees(choices, 90.0), longitude: degrees(choices, 180.0) };
        place.id = PlaceId::from_raw(u64::from(number) + 1);
        places.push(place);
    }
    let areas = Geographies::open(&release().0).expect("valid areas");
    let name = |area| areas.get(area).name.to_owned();
    let file = folder.join(Part::Places.file());
    dataset::places::write(folder, places.clone(), &name).expect("written");
    let read = Places::open_file(&file).expect("valid written part");
    read.check(areas.len()).expect("valid written part");
    assert_eq!(read.len(), places.len());
    for place in &places {
        let found = read.get(read.find(place.id).expect("the place is found"));
        let texts =
            [&place.name, &place.brand, &place.street_address, &place.city, &place.state, &place.zip_code];
        let found_texts = [
            found.name,
            found.brand.unwrap_or_default(),
            found.street_address,
            found.city,
            found.state,
            found.zip_code,
        ];
        assert_eq!(found_texts, texts.map(String::as_str));
        assert_eq!((found.county, found.cbsa, found.dma), (place.county, place.cbsa, place.dma));
    }
    let first = fs::read(&file).expect("valid file");
    fs::remove_file(&file).expect("removed");
    dataset::places::write(folder, read.to_new(), &name).expect("written");
    assert!(fs::read(&file).expect("valid file") == first, "writing the places again changes the file");
}

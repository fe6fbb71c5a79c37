//! Whatever texts and numbers spots and places have, they are read as they were written.

use std::fs;

use dataset::inventory::{FieldSet, Inventory, Record};
use dataset::{Geographies, Part, PlaceId, Places, Position};
use serde_json::{Value, json};

use super::made::{self, new_folder, release};
use crate::choices::Choices;

/// How many spots and places an input makes at most.
const ITEMS: u32 = 24;

/// Texts that look like something else, or are like others but for case, accents and space.
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

/// Makes spots and places of the input, writes them, and compares what is read.
pub(crate) fn run(input: &[u8]) {
    let mut choices = Choices::of(input);
    let folder = new_folder("round-trip");
    if choices.byte().is_multiple_of(2) {
        spots(&folder, &mut choices);
    } else {
        places(&folder, &mut choices);
    }
    fs::remove_dir_all(folder).expect("a folder of this process");
}

fn spots(folder: &std::path::Path, choices: &mut Choices<'_>) {
    let mut records = Vec::new();
    while !choices.is_empty() && records.len() < ITEMS as usize {
        records.push(spot(records.len() as u32, choices));
    }
    let areas = Geographies::open(&release().0).expect("areas");
    made::write_spots(folder, &areas, records.clone());
    let inventory = Inventory::open_file(&folder.join(Part::Inventory.file())).expect("what was written");
    let read = inventory.indexes().map(|spot| inventory.record(spot, FieldSet::ALL));
    let read: Vec<Value> = read.map(|record| serde_json::to_value(record).expect("JSON")).collect();
    assert_eq!(read, records);
    for (spot, record) in inventory.indexes().zip(&records) {
        let mut json = Vec::new();
        inventory.write_json(spot, FieldSet::ALL, &mut json);
        let json: Value = serde_json::from_slice(&json).expect("JSON");
        assert_eq!(json, *record);
    }
}

/// Makes a record, as it is serialized.
fn spot(number: u32, choices: &mut Choices<'_>) -> Value {
    let mut record = made::spot(number);
    for _ in 0..1 + choices.byte() % 6 {
        let mut paths = paths(&record);
        // What writes a spot has looked at its position.
        paths.retain(|path| !path.contains("/geometry/"));
        let path = &paths[choices.below(paths.len())];
        let place = record.pointer_mut(path).expect("a path of the record");
        *place = match place {
            Value::Bool(_) => json!(choices.byte().is_multiple_of(2)),
            Value::Number(_) => json!(choices.number() >> (choices.byte() % 64)),
            _ => json!(text(choices)),
        };
    }
    record["spot_id"] = json!(number + 1);
    // What the record's types refuse is no spot.
    let read: Option<Record<'static>> = serde_json::from_value(record).ok();
    serde_json::to_value(
        read.unwrap_or_else(|| serde_json::from_value(made::spot(number)).expect("a record")),
    )
    .map(|mut record| {
        record["spot_id"] = json!(number + 1);
        record
    })
    .expect("JSON")
}

/// Lists the paths of what is no object or list.
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
        let mut place = made::place(number);
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
    let areas = Geographies::open(&release().0).expect("areas");
    let name = |area| areas.get(area).name.to_owned();
    let file = folder.join(Part::Places.file());
    dataset::places::write(folder, places.clone(), &name).expect("places");
    let read = Places::open_file(&file).expect("what was written");
    read.check(areas.len()).expect("what was written");
    assert_eq!(read.len(), places.len());
    for place in &places {
        let found = read.get(read.find(place.id).expect("a place"));
        let texts =
            [&place.name, &place.brand, &place.street_address, &place.city, &place.state, &place.zip_code];
        let found_texts =
            [found.name, found.brand, found.street_address, found.city, found.state, found.zip_code];
        assert_eq!(found_texts, texts.map(String::as_str));
        assert_eq!((found.county, found.cbsa, found.dma), (place.county, place.cbsa, place.dma));
    }
    let first = fs::read(&file).expect("a file");
    fs::remove_file(&file).expect("a file");
    dataset::places::write(folder, read.to_new(), &name).expect("places");
    assert!(fs::read(&file).expect("a file") == first, "what was read is written as it was");
}

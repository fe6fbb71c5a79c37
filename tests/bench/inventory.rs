//! Measures inventory searches over a million spots.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use dataset::inventory::{
    Field, FieldSet, FlagCriterion, Inventory, InventoryQuery, InventorySort, InventorySortKey,
    InventoryWriter, SortField, SpotId, SpotIndex, TextCriterion,
};
use dataset::{Circle, Geographies, Part, Position, Rectangle};
use harness::{megabytes, process_memory, synthesized_release};
use serde_json::Value;

use crate::oracle;
use crate::times::{of_rounds, timed};

const SPOTS: usize = 1_000_000;

/// The size of the smaller inventory, in which each search is compared with a plain loop.
const CHECKED: usize = 10_000;

/// The size of the inventory that is read and rewritten.
const REWRITTEN: usize = 100_000;

const ROUNDS: usize = 201;

const PAGE: usize = 50;

/// The maximum number of IDs in a lookup.
const LOOKED_UP: usize = 2_000;

/// The offset of the last page that searches may request.
const DEEPEST: usize = 10_000 - PAGE;

/// The maximum number of places that `near_places` can match.
const POINTS: usize = 5_000;

const MANHATTAN: Position = Position { latitude: 40.758, longitude: -73.985_5 };

const KM_PER_MILE: f64 = 1.609_344;

/// Prints how long each kind of search takes, including serializing one page of records to JSON. Also prints
/// how long the inventory takes to write and to open, and its memory usage. Returns the searches with their
/// names.
pub(crate) fn print() -> Vec<(String, InventoryQuery)> {
    let release = &synthesized_release(SPOTS);
    let (resident, mapped) = (process_memory("self", "VmRSS"), process_memory("self", "RssFile"));
    let start = Instant::now();
    let inventory = Inventory::open(release).expect("the inventory of the release");
    let (opened, with_it) = (start.elapsed(), process_memory("self", "VmRSS"));
    println!("\n== inventory search in {SPOTS} spots, pages of {PAGE} complete records as JSON, one core");
    println!("{:<44} {:>8} {:>11} {:>11}", "filter", "total", "p50", "p99");
    let queries = queries(&inventory);
    check(&queries);
    for (name, query) in &queries {
        let [p50, p99] = of_rounds(ROUNDS, || page(&inventory, query));
        println!("{name:<44} {:>8} {p50:>11.1?} {p99:>11.1?}", page(&inventory, query).0);
    }
    let mut ids: Vec<SpotId> =
        inventory.indexes().step_by(SPOTS / LOOKED_UP).map(|spot| inventory.id(spot)).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut ids);
    let [p50, p99] = of_rounds(ROUNDS, || looked_up(&inventory, &ids));
    println!("{:<44} {LOOKED_UP:>8} {p50:>11.1?} {p99:>11.1?}", "displays by ID");
    let bytes = release.manifest().file(Part::Inventory).expect("the inventory of the release").bytes;
    println!(
        "{:.1} MB on disk, opened in {opened:.1?}; {:.1} MB resident then, {:.1} MB after searching",
        megabytes(bytes),
        megabytes(with_it.saturating_sub(resident)),
        megabytes(process_memory("self", "RssFile").saturating_sub(mapped)),
    );
    println!("{REWRITTEN} records read and rewritten in {:.1?}", rewritten());
    queries
}

/// Checks that each search of a smaller inventory returns the same spots as a plain loop over its records.
fn check(queries: &[(String, InventoryQuery)]) {
    let inventory = Inventory::open(&synthesized_release(CHECKED)).expect("the inventory of the release");
    let record = |spot| serde_json::from_slice(&json(&inventory, &[spot])).expect("a record is JSON");
    let records: Vec<Value> = inventory.indexes().map(record).collect();
    for (name, query) in queries {
        let found = inventory.search(query);
        let ids = found.spots.iter().map(|spot| inventory.id(*spot).raw().into()).collect();
        assert_eq!((found.total, ids), oracle::search(&records, query), "{name}");
    }
}

/// Looks up spots by ID and returns the requested fields as JSON.
fn looked_up(inventory: &Inventory, ids: &[SpotId]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for spot in ids.iter().map(|id| inventory.find(*id).expect("a spot of this inventory")) {
        let Position { latitude, longitude } = inventory.position(spot);
        let texts = [inventory.media_name(spot), inventory.media_type(spot), inventory.operator(spot)];
        serde_json::to_writer(&mut bytes, &(inventory.id(spot), latitude, longitude, texts))
            .expect("written into memory");
    }
    bytes
}

/// Returns the number of matches, and one page of records as JSON.
pub(crate) fn page(inventory: &Inventory, query: &InventoryQuery) -> (usize, Vec<u8>) {
    let found = inventory.search(query);
    (found.total, json(inventory, &found.spots))
}

fn json(inventory: &Inventory, spots: &[SpotIndex]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for spot in spots {
        inventory.write_json(*spot, FieldSet::ALL, &mut bytes);
    }
    bytes
}

fn base() -> InventoryQuery {
    InventoryQuery { take: PAGE, ..InventoryQuery::default() }
}

fn queries(inventory: &Inventory) -> Vec<(String, InventoryQuery)> {
    let deepest = InventoryQuery { skip: DEEPEST, ..base() };
    let mut queries = vec![named("everything", base()), named("everything, deepest page", deepest)];
    queries.extend(TextCriterion::ALL.into_iter().filter_map(|criterion| {
        let text = common(inventory, criterion)?;
        Some(named(format!("{} {text}", criterion.name()), exact(criterion, &text)))
    }));
    queries.extend(FlagCriterion::ALL.map(|criterion| {
        named(criterion.name(), InventoryQuery { flags: vec![(criterion, true)], ..base() })
    }));
    queries.push(combined());
    queries.extend([5.0, 50.0].map(|miles| {
        let circle = Circle { center: MANHATTAN, km: miles * KM_PER_MILE };
        named(format!("{miles} mi around Manhattan"), InventoryQuery { circle: Some(circle), ..base() })
    }));
    queries.extend(near_points(inventory));
    let min_impressions = Some(1);
    queries.push(named("min_impressions 1", InventoryQuery { min_impressions, ..base() }));
    let rectangle = Some(Rectangle { north: 42.0, south: 32.5, west: -124.5, east: -114.1 });
    queries.push(named("box around California", InventoryQuery { rectangle, ..base() }));
    let id_at = |at: usize| Some(inventory.id(inventory.indexes().nth(at).expect("a spot")));
    let (id_min, id_max) = (id_at(SPOTS / 4), id_at(SPOTS / 2));
    queries.push(named("a quarter of the ids", InventoryQuery { id_min, id_max, ..base() }));
    let (rare, _) = values(inventory, Field::PrimaryArtery).min_by_key(|(_, count)| *count).expect("a value");
    queries.extend(["broad", "main st", "n of", &rare].map(|piece| {
        let primary_artery = Some(piece.to_owned());
        named(format!("primary_artery {piece}"), InventoryQuery { primary_artery, ..base() })
    }));
    queries.extend(["broadway", "york broadway", "main st", "b", "s"].map(|text| {
        named(format!("search {text}"), InventoryQuery { search: Some(text.to_owned()), ..base() })
    }));
    queries.extend(by_name());
    queries.extend(by_distance());
    queries
}

fn named(name: impl Into<String>, query: InventoryQuery) -> (String, InventoryQuery) {
    (name.into(), query)
}

fn exact(criterion: TextCriterion, text: &str) -> InventoryQuery {
    InventoryQuery { exact: vec![(criterion, vec![text.to_owned()])], ..base() }
}

fn combined() -> (String, InventoryQuery) {
    let exact = [(TextCriterion::State, "CA"), (TextCriterion::MediaTypeName, "bulletin")];
    let exact = exact.map(|(criterion, text)| (criterion, vec![text.to_owned()])).to_vec();
    let query = InventoryQuery { exact, flags: vec![(FlagCriterion::Digital, true)], ..base() };
    named("state CA, media_type_name bulletin, digital", query)
}

/// Returns searches near 5,000 points, which are distributed like the spots.
fn near_points(inventory: &Inventory) -> Vec<(String, InventoryQuery)> {
    let spots = inventory.indexes().step_by(inventory.len() / POINTS).take(POINTS);
    let centers: Vec<Position> = spots.map(|spot| inventory.position(spot)).collect();
    let near = |meters: f64, wanted| {
        let circle = |center: &Position| Circle { center: *center, km: meters / 1_000.0 };
        let circles = vec![(centers.iter().map(circle).collect(), wanted)];
        let name = format!("{} {meters} m of {POINTS} points", if wanted { "within" } else { "not within" });
        named(name, InventoryQuery { circles, ..base() })
    };
    vec![near(100.0, true), near(1_000.0, true), near(1_000.0, false), near(50_000.0, true)]
}

fn by_name() -> [(String, InventoryQuery); 3] {
    let name = SortField::find(Field::MediaName.path()).expect("a field to sort by");
    let sort = InventorySort { key: InventorySortKey::Field(name), descending: true };
    let all = |skip| InventoryQuery { sort, skip, ..base() };
    let in_state = InventoryQuery { sort, ..exact(TextCriterion::State, "CA") };
    [
        named("everything by media_name, last first", all(0)),
        named("the same, deepest page", all(DEEPEST)),
        named("state CA by media_name, last first", in_state),
    ]
}

fn by_distance() -> [(String, InventoryQuery); 7] {
    let sorted = |query, descending, skip| {
        let sort = InventorySort { key: InventorySortKey::DistanceFrom(MANHATTAN), descending };
        InventoryQuery { circle: Some(Circle { center: MANHATTAN, km: 25_000.0 }), sort, skip, ..query }
    };
    let in_state = |state, descending, skip| sorted(exact(TextCriterion::State, state), descending, skip);
    [
        named("everything by distance", sorted(base(), false, 0)),
        named("the same, deepest page", sorted(base(), false, DEEPEST)),
        named("everything by distance, farthest first", sorted(base(), true, 0)),
        named("state CA by distance from Manhattan", in_state("CA", false, 0)),
        named("the same, deepest page", in_state("CA", false, DEEPEST)),
        named("state NY by the same, farthest first", in_state("NY", true, 0)),
        named("state WA by the same", in_state("WA", false, 0)),
    ]
}

/// Returns a criterion's most frequent value. For media owners, returns the first spot's value instead.
/// Returns `None` if there is no value.
fn common(inventory: &Inventory, criterion: TextCriterion) -> Option<String> {
    if criterion == TextCriterion::MediaOwner {
        return inventory.operator(inventory.indexes().next()?).map(str::to_owned);
    }
    values(inventory, criterion.field()).max_by_key(|(_, count)| *count).map(|(text, _)| text)
}

/// Returns each string that occurs in a field, and the number of spots that have it. Counts only spots with
/// measures.
fn values(inventory: &Inventory, field: Field) -> impl Iterator<Item = (String, usize)> {
    let path = field.path();
    let fields = FieldSet::at(path).expect("every field has a path");
    let (mut counts, mut bytes) = (BTreeMap::<String, usize>::new(), Vec::new());
    for spot in inventory.indexes().filter(|spot| inventory.has_measures(*spot)) {
        bytes.clear();
        inventory.write_json(spot, fields, &mut bytes);
        let record: Value = serde_json::from_slice(&bytes).expect("a record is JSON");
        if let Some(text) = oracle::at(&record, path).and_then(Value::as_str) {
            *counts.entry(text.to_owned()).or_default() += 1;
        }
    }
    counts.into_iter()
}

/// Reads all records of an inventory and writes them to a new file. Returns the total time.
fn rewritten() -> Duration {
    let release = synthesized_release(REWRITTEN);
    let inventory = Inventory::open(&release).expect("the inventory of the release");
    let geographies = Geographies::open(&release).expect("the geographies of the release");
    let folder = release.path().with_extension("again");
    fs::create_dir_all(&folder).expect("a folder next to the release");
    let (time, _) = timed(|| {
        let mut writer = InventoryWriter::default();
        for spot in inventory.indexes() {
            writer.push(&inventory.record(spot, FieldSet::ALL), &inventory.source(spot));
        }
        writer.write(&folder, &geographies).expect("the disk has room")
    });
    fs::remove_dir_all(&folder).expect("the temporary folder");
    time
}

//! Property tests that compare inventory searches with linear scans.

use std::sync::OnceLock;

use dataset::inventory::{
    Field, FieldSet, FlagCriterion, FoundSpots, Inventory, InventoryQuery, InventorySort, InventorySortKey,
    SortField, SpotId, SpotIndex, TextCriterion,
};
use dataset::{Circle, Position, Rectangle};
use proptest::prelude::*;
use serde_json::Value;

use crate::records::{self, Dice};
use crate::{fixture, oracle};

const RECORDS: u64 = 3_000;

type Sample = (Vec<Value>, Inventory);

/// Returns an inventory and its records, which are random and in random order, and have few distinct names.
fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| sample_of(records::record))
}

/// Returns a sample like [`sample`], but with a different name in each record.
fn sample_of_many_names() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| sample_of(records::record_of_many_names))
}

fn sample_of(record: impl Fn(&mut Dice, u64) -> Value) -> Sample {
    let mut dice = Dice::new(7);
    let mut records: Vec<Value> = (0..RECORDS).map(|number| record(&mut dice, number)).collect();
    for at in (1..records.len()).rev() {
        let other = usize::try_from(dice.below(at as u64 + 1)).expect("the position fits");
        records.swap(at, other);
    }
    let inventory = fixture::inventory(&records);
    (records, inventory)
}

/// Generates a query with up to three random criteria.
fn query(dice: &mut Dice) -> InventoryQuery {
    let mut query = InventoryQuery::default();
    for _ in 0..dice.below(4) {
        narrow(dice, &mut query);
    }
    let fields: Vec<SortField> = SortField::all().collect();
    if dice.is_below(70) {
        let key = if dice.is_below(30) {
            let [longitude, latitude] = records::point(dice);
            InventorySortKey::DistanceFrom(Position { latitude, longitude })
        } else {
            InventorySortKey::Field(dice.pick(&fields))
        };
        query.sort = InventorySort { key, descending: dice.is_below(50) };
    }
    query.skip = dice.pick(&[0, 0, 10, 500]);
    query.take = dice.pick(&[1, 50, 200]);
    query
}

fn narrow(dice: &mut Dice, query: &mut InventoryQuery) {
    match dice.below(12) {
        0 => {
            let criterion = dice.pick(&TextCriterion::ALL);
            query.exact.push((criterion, (0..=dice.below(2)).map(|_| value(dice, criterion)).collect()));
        }
        1 => query.flags.push((dice.pick(&FlagCriterion::ALL), dice.is_below(50))),
        2 => {
            let pieces =
                ["broad", "o'h", "ohare", "hare", "i 95", "I-95", "n of e", "&", "st", "mary’s", "東", "zzz"];
            query.primary_artery = Some(dice.pick(&pieces).to_owned());
        }
        3 => {
            let texts =
                ["broadway", "new y", "york new", "o hare", "ohare", "oha", "op 0001 b", "s", "oakl", "95 i"];
            query.search = Some(dice.pick(&texts).to_owned());
        }
        4 => {
            let mut id = || u32::try_from(dice.below(RECORDS * 3 + 300)).expect("the id is small");
            let (one, other) = (id(), id());
            query.id_min = Some(SpotId::from_raw(one.min(other)));
            query.id_max = Some(SpotId::from_raw(one.max(other))).filter(|_| dice.is_below(80));
        }
        5 => {
            query.circle = Some(circle(dice));
        }
        10 => {
            let circles = (0..dice.below(6)).map(|_| circle(dice)).collect();
            query.circles.push((circles, dice.is_below(50)));
        }
        6 => {
            query.plant_spot_id = Some(format!("{}{}", dice.pick(&["P", "P", "p"]), dice.below(RECORDS / 2)))
        }
        7 => {
            let day = dice.pick(&["2026-12-30", "2026-12-31", "2027-01-04", "2027-09-30", "9999-12-31"]);
            query.available_by = Some(day.parse().expect("valid date"));
        }
        8 => query.exclude_modelled = true,
        9 => query.min_impressions = Some(dice.pick(&[0, 1, 7, 8, 41_250, 1_000_000_000_001])),
        _ => {
            let ([west, one], [east, other]) = (records::point(dice), records::point(dice));
            query.rectangle = Some(Rectangle { north: one.max(other), south: one.min(other), west, east });
        }
    }
}

fn circle(dice: &mut Dice) -> Circle {
    let [longitude, latitude] = records::point(dice);
    let km = dice.pick(&[0.0, 0.5, 5.0, 40.0, 3_000.0, 15_000.0, 20_100.0]);
    Circle { center: Position { latitude, longitude }, km }
}

fn value(dice: &mut Dice, criterion: TextCriterion) -> String {
    let value = match criterion {
        TextCriterion::DmaName => dice.pick(&records::DMAS),
        TextCriterion::State => dice.pick(&records::STATES),
        TextCriterion::ZipCode => dice.pick(&records::ZIPS),
        TextCriterion::CbsaName => dice.pick(&records::CBSAS),
        TextCriterion::CountyName => dice.pick(&records::COUNTIES),
        TextCriterion::MediaTypeName => dice.pick(&records::MEDIA_TYPES),
        TextCriterion::MediaName => dice.pick(&records::MEDIA_NAMES),
        TextCriterion::ConstructionTypeName => dice.pick(&records::CONSTRUCTIONS),
        TextCriterion::IlluminationTypeName => dice.pick(&records::ILLUMINATIONS),
        TextCriterion::MediaOwner => dice.pick(&records::OPERATORS),
        TextCriterion::VenueType => dice.pick(&records::VENUE_TYPES),
    };
    value.to_owned()
}

/// Generates a query for a letter or digit, for a substring of a record's name or artery, or for a word in an
/// artery followed by part of a word.
fn query_of_texts(dice: &mut Dice, records: &[Value]) -> InventoryQuery {
    let record = dice.pick(records);
    let text = |path| oracle::at(&record, path).and_then(Value::as_str).unwrap_or("broadway").to_owned();
    let mut query = InventoryQuery { take: 200, ..InventoryQuery::default() };
    let letters: Vec<char> = ('a'..='z').chain('0'..='9').collect();
    match dice.below(4) {
        0 => query.search = Some(dice.pick(&letters).to_string()),
        1 => query.primary_artery = Some(piece(dice, &text("location.primary_artery"))),
        2 => query.search = Some(piece(dice, &text("media_name"))),
        _ => {
            let artery = text("location.primary_artery");
            let words: Vec<&str> = artery.split(' ').collect();
            let (one, other) = (dice.pick(&words), dice.pick(&words));
            query.search = Some(format!("{one} {}", piece(dice, other)));
        }
    }
    query
}

/// Returns a random substring of a string.
fn piece(dice: &mut Dice, text: &str) -> String {
    let characters = text.chars().count() as u64;
    let (start, length) = (dice.below(characters.max(1)), 1 + dice.below(8));
    text.chars().skip(start as usize).take(length as usize).collect()
}

fn ids(inventory: &Inventory, found: &FoundSpots) -> Vec<u64> {
    found.spots.iter().map(|spot| u64::from(inventory.id(*spot).raw())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn search_matches_a_linear_scan(seed in any::<u64>()) {
        let (records, inventory) = sample();
        let query = query(&mut Dice::new(seed));
        let found = inventory.search(&query);
        let found = (found.total, ids(inventory, &found));
        prop_assert_eq!(found, oracle::search(records, &query), "{:?}", query);
    }

    #[test]
    fn text_search_matches_a_linear_scan(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (records, inventory) = if dice.is_below(30) { sample() } else { sample_of_many_names() };
        let query = query_of_texts(&mut dice, records);
        let found = inventory.search(&query);
        let found = (found.total, ids(inventory, &found));
        prop_assert_eq!(found, oracle::search(records, &query), "{:?}", query);
    }

    #[test]
    fn record_contains_only_the_requested_fields(seed in any::<u64>()) {
        let (records, inventory) = sample();
        let mut dice = Dice::new(seed);
        let paths: Vec<String> = Field::ALL.iter().map(|field| field.path().to_owned()).collect();
        let mut asked = Vec::new();
        for _ in 0..=dice.below(6) {
            let path = dice.pick(&paths);
            let members: Vec<&str> = path.split('.').collect();
            let depth = usize::try_from(dice.below(members.len() as u64)).expect("the number is small") + 1;
            asked.push(members[..depth].join("."));
        }
        let found = asked.iter().map(|path| FieldSet::at(path).expect("a path"));
        let fields = found.fold(FieldSet::NONE, FieldSet::or);
        let record = dice.pick(records);
        let index = inventory.find(SpotId::from_raw(u32::try_from(oracle::id(&record)).unwrap())).unwrap();
        let shown = serde_json::to_value(inventory.record(index, fields)).unwrap();
        prop_assert_eq!(shown, oracle::pruned(&record, &asked), "{:?}", asked);
        prop_assert_eq!(json(inventory, index, fields), serialized(inventory, index, fields), "{:?}", asked);
    }
}

fn json(inventory: &Inventory, index: SpotIndex, fields: FieldSet) -> String {
    let mut bytes = Vec::new();
    inventory.write_json(index, fields, &mut bytes);
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

fn serialized(inventory: &Inventory, index: SpotIndex, fields: FieldSet) -> String {
    serde_json::to_string(&inventory.record(index, fields)).expect("writing to memory doesn't fail")
}

#[test]
fn json_matches_the_serialized_record() {
    let (_, inventory) = sample();
    for index in inventory.indexes() {
        assert_eq!(json(inventory, index, FieldSet::ALL), serialized(inventory, index, FieldSet::ALL));
        for field in Field::ALL {
            let fields = FieldSet::at(field.path()).unwrap();
            assert_eq!(json(inventory, index, fields), serialized(inventory, index, fields), "{field:?}");
        }
    }
}

#[test]
fn records_round_trip() {
    let (records, inventory) = sample();
    assert_eq!(inventory.len(), records.len());
    for record in records {
        let index = inventory.find(SpotId::from_raw(u32::try_from(oracle::id(record)).unwrap())).unwrap();
        assert_eq!(serde_json::to_value(inventory.record(index, FieldSet::ALL)).unwrap(), *record);
    }
}

#[test]
fn pages_cover_the_results_exactly_in_every_order() {
    let (_, inventory) = sample();
    let center = Position { latitude: 40.7, longitude: -74.0 };
    let keys = SortField::all().map(InventorySortKey::Field);
    for key in keys.chain([InventorySortKey::DistanceFrom(center)]) {
        for descending in [false, true] {
            let sort = InventorySort { key, descending };
            let page = |skip| {
                inventory.search(&InventoryQuery { sort, skip, take: 170, ..InventoryQuery::default() })
            };
            let total = page(0).total;
            let mut all: Vec<u64> =
                (0..total).step_by(170).flat_map(|skip| ids(inventory, &page(skip))).collect();
            assert_eq!(all.len(), total, "{key:?}");
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), total, "{key:?} {descending}");
        }
    }
}

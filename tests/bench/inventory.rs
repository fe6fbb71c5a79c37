//! Each kind of inventory search over a million spots, timed against a plain scan that must find the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use dataset::inventory::{
    Field, FieldSet, FlagCriterion, Inventory, InventoryQuery, InventorySort, InventorySortKey,
    InventoryWriter, Record, SortField, SpotId, SpotIndex, TextCriterion,
};
use dataset::{Circle, Distance, Geographies, Part, Position, Rectangle, fold};
use harness::{megabytes, process_memory, quantile, synthesized_release};

const SPOTS: usize = 1_000_000;

/// The spots of the inventory that is written again.
const REWRITTEN: usize = 100_000;

const ROUNDS: usize = 201;

const PAGE: usize = 50;

/// The most ids that a lookup takes.
const LOOKED_UP: usize = 2_000;

/// The deepest page that may be asked for.
const DEEPEST: usize = 10_000 - PAGE;

const MANHATTAN: Position = Position { latitude: 40.758, longitude: -73.985_5 };

const KM_PER_MILE: f64 = 1.609_344;

/// A search, and the same question put to one spot after the other.
struct Case {
    name: String,
    query: InventoryQuery,
    /// The fields that the question is about.
    fields: &'static [Field],
    takes: Box<Takes>,
}

type Takes = dyn Fn(&Record<'_>, SpotId, Position) -> bool;

/// Prints how long each kind of inventory search takes over a million spots that are made up, with the page
/// of records that it finds written as JSON, against a plain scan; and what such an inventory takes to write,
/// open and keep. Returns the searches and their names.
pub(crate) fn print() -> Vec<(String, InventoryQuery)> {
    let release = &synthesized_release(SPOTS);
    let (resident, mapped) = (process_memory("self", "VmRSS"), process_memory("self", "RssFile"));
    let start = Instant::now();
    let inventory = Inventory::open(release).expect("the inventory of the release");
    let (opened, with_it) = (start.elapsed(), process_memory("self", "VmRSS"));
    println!("\n== inventory search over {SPOTS} spots, page of {PAGE} whole records as JSON, one core");
    println!("{:<44} {:>8} {:>11} {:>11} {:>11} {:>8}", "filter", "total", "p50", "p99", "scan", "ratio");
    let cases = cases(&inventory);
    for case in &cases {
        let mut searches: Vec<Duration> =
            (0..ROUNDS).map(|_| timed(|| page(&inventory, &case.query)).0).collect();
        let (_, found) = timed(|| page(&inventory, &case.query));
        let (scan, scanned) = timed(|| scanned(&inventory, case));
        assert!(found == scanned, "{}: a search finds {}, a scan {}", case.name, found.0, scanned.0);
        let (p50, p99) = (quantile(&mut searches, 0.5), quantile(&mut searches, 0.99));
        let ratio = scan.as_secs_f64() / p50.as_secs_f64();
        println!("{:<44} {:>8} {p50:>11.1?} {p99:>11.1?} {scan:>11.1?} {ratio:>8.0}", case.name, found.0);
    }
    print_lookup(&inventory);
    let bytes = release.manifest().file(Part::Inventory).expect("the inventory of the release").bytes;
    println!(
        "{:.1} MB on disk, opened in {opened:.1?}; {:.1} MB resident then, {:.1} MB after all searches and scans",
        megabytes(bytes),
        megabytes(with_it.saturating_sub(resident)),
        megabytes(process_memory("self", "RssFile").saturating_sub(mapped)),
    );
    println!("{REWRITTEN} records read and written as another release's in {:.1?}", rewritten());
    cases.into_iter().map(|case| (case.name, case.query)).collect()
}

/// Prints how long it takes to find displays by ids from all over the inventory, in no order, and to write
/// what a lookup shows of them, against a look at every spot.
fn print_lookup(inventory: &Inventory) {
    let spots = inventory.indexes().step_by(SPOTS / LOOKED_UP);
    let mut ids: Vec<SpotId> = spots.map(|spot| inventory.id(spot)).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut ids);
    let find = || ids.iter().filter_map(|id| inventory.find(*id)).collect();
    let scan = || {
        let wanted: HashSet<SpotId> = ids.iter().copied().collect();
        let found = inventory.indexes().map(|spot| (inventory.id(spot), spot));
        let found: HashMap<SpotId, SpotIndex> = found.filter(|(id, _)| wanted.contains(id)).collect();
        ids.iter().map(|id| found[id]).collect()
    };
    let mut lookups: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| shown(inventory, find())).0).collect();
    let (taken, scanned) = timed(|| shown(inventory, scan()));
    assert!(shown(inventory, find()) == scanned, "a lookup finds others than a scan");
    let (p50, p99) = (quantile(&mut lookups, 0.5), quantile(&mut lookups, 0.99));
    let ratio = taken.as_secs_f64() / p50.as_secs_f64();
    println!(
        "{:<44} {LOOKED_UP:>8} {p50:>11.1?} {p99:>11.1?} {taken:>11.1?} {ratio:>8.0}",
        "displays by their ids"
    );
}

/// Returns what a lookup shows of displays, as JSON.
fn shown(inventory: &Inventory, spots: Vec<SpotIndex>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for spot in spots {
        let Position { latitude, longitude } = inventory.position(spot);
        let texts = [inventory.media_name(spot), inventory.media_type(spot), inventory.operator(spot)];
        serde_json::to_writer(&mut bytes, &(inventory.id(spot), latitude, longitude, texts))
            .expect("written into memory");
    }
    bytes
}

/// Returns how many are found, and a page of them as JSON.
pub(crate) fn page(inventory: &Inventory, query: &InventoryQuery) -> (usize, Vec<u8>) {
    let found = inventory.search(query);
    (found.total, json(inventory, &found.spots))
}

/// Looks at every spot, and gives the page of those that it takes. The spots lie by ascending id.
fn scanned(inventory: &Inventory, case: &Case) -> (usize, Vec<u8>) {
    let fields = field_set(case.fields);
    let takes = |spot: &SpotIndex| {
        inventory.is_measured(*spot)
            && (case.takes)(&inventory.record(*spot, fields), inventory.id(*spot), inventory.position(*spot))
    };
    let mut taken: Vec<SpotIndex> = inventory.indexes().filter(takes).collect();
    let InventoryQuery { sort, skip, .. } = &case.query;
    match sort.key {
        InventorySortKey::Field(field) if field.field() == Field::MediaName => {
            let fields = field_set(&[Field::MediaName]);
            let name = |spot: &SpotIndex| inventory.record(*spot, fields).media_name.map(|name| key(&name));
            // Those without a name are the last ones also when the order is turned round.
            taken.sort_by_cached_key(|spot| Reverse(name(spot)));
        }
        InventorySortKey::Field(_) => {}
        InventorySortKey::DistanceFrom(center) => {
            let center = center.to_unit_vector();
            let position = |spot: &SpotIndex| inventory.position(*spot).to_unit_vector();
            let distance = |spot: &SpotIndex| Distance::between(center, position(spot));
            if sort.descending {
                taken.sort_by_cached_key(|spot| Reverse(distance(spot)));
            } else {
                taken.sort_by_cached_key(distance);
            }
        }
    }
    (taken.len(), json(inventory, &taken[(*skip).min(taken.len())..(skip + PAGE).min(taken.len())]))
}

fn json(inventory: &Inventory, spots: &[SpotIndex]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for spot in spots {
        inventory.write_json(*spot, FieldSet::ALL, &mut bytes);
    }
    bytes
}

fn cases(inventory: &Inventory) -> Vec<Case> {
    let mut cases = vec![
        case("everything", base(), &[], |_, _, _| true),
        case("everything, deepest page", InventoryQuery { skip: DEEPEST, ..base() }, &[], |_, _, _| true),
    ];
    cases.extend(
        TextCriterion::ALL.map(|criterion| of_text(criterion, commonest(inventory, criterion.field()))),
    );
    cases.extend(FlagCriterion::ALL.map(of_flag));
    cases.push(combined());
    cases.extend([5.0, 50.0].map(near));
    cases.push(within());
    cases.push(between_ids(inventory));
    let rare = rarest(inventory);
    cases.extend(["broad", "main st", "n of", &rare].map(of_artery));
    cases.extend(["broadway", "york broadway", "main st", "b", "s"].map(of_words));
    cases.extend(by_name());
    cases.extend(by_distance());
    cases
}

fn case(
    name: impl Into<String>,
    query: InventoryQuery,
    fields: &'static [Field],
    takes: impl Fn(&Record<'_>, SpotId, Position) -> bool + 'static,
) -> Case {
    Case { name: name.into(), query, fields, takes: Box::new(takes) }
}

fn base() -> InventoryQuery {
    InventoryQuery { take: PAGE, ..InventoryQuery::default() }
}

fn of_text(criterion: TextCriterion, text: String) -> Case {
    let query = InventoryQuery { exact: vec![(criterion, text.clone())], ..base() };
    let (field, wanted) = (criterion.field(), key(&text));
    let takes = move |record: &Record<'_>, _, _| value(record, field).is_some_and(|text| key(text) == wanted);
    case(format!("{} {text}", criterion.name()), query, only(field), takes)
}

fn of_flag(criterion: FlagCriterion) -> Case {
    let query = InventoryQuery { flags: vec![(criterion, true)], ..base() };
    let takes = move |record: &Record<'_>, _, _| {
        let Record { digital, full_motion, interactive, rotating, audio, .. } = record;
        let flag = match criterion {
            FlagCriterion::Digital => digital,
            FlagCriterion::FullMotion => full_motion,
            FlagCriterion::Interactive => interactive,
            FlagCriterion::Rotating => rotating,
            FlagCriterion::Audio => audio,
        };
        *flag == Some(true)
    };
    case(criterion.name(), query, only(criterion.field()), takes)
}

fn combined() -> Case {
    let query = InventoryQuery {
        exact: vec![
            (TextCriterion::State, "CA".to_owned()),
            (TextCriterion::MediaTypeName, "bulletin".to_owned()),
        ],
        flags: vec![(FlagCriterion::Digital, true)],
        ..base()
    };
    let fields = &[Field::State, Field::MediaType, Field::Digital];
    case("state CA, media_type_name bulletin, digital", query, fields, |record, _, _| {
        let has = |field, wanted: &str| value(record, field).is_some_and(|text| key(text) == wanted);
        record.digital == Some(true) && has(Field::State, "ca") && has(Field::MediaType, "bulletin")
    })
}

fn near(miles: f64) -> Case {
    let circle = Circle { center: MANHATTAN, km: miles * KM_PER_MILE };
    let query = InventoryQuery { circle: Some(circle), ..base() };
    case(format!("{miles} mi around Manhattan"), query, &[], move |_, _, position| {
        let (north, south) = (position.latitude.to_radians(), MANHATTAN.latitude.to_radians());
        let east = (position.longitude - MANHATTAN.longitude).to_radians();
        let half =
            ((north - south) / 2.0).sin().powi(2) + north.cos() * south.cos() * (east / 2.0).sin().powi(2);
        2.0 * 6_371.008_8 * half.sqrt().min(1.0).asin() <= circle.km
    })
}

fn within() -> Case {
    let rectangle = Rectangle { north: 42.0, south: 32.5, west: -124.5, east: -114.1 };
    let query = InventoryQuery { rectangle: Some(rectangle), ..base() };
    case("box around California", query, &[], |_, _, Position { latitude, longitude }| {
        (32.5..=42.0).contains(&latitude) && (-124.5..=-114.1).contains(&longitude)
    })
}

fn between_ids(inventory: &Inventory) -> Case {
    let id_at = |at: usize| inventory.id(inventory.indexes().nth(at).expect("a spot"));
    let (min, max) = (id_at(SPOTS / 4), id_at(SPOTS / 2));
    let query = InventoryQuery { id_min: Some(min), id_max: Some(max), ..base() };
    case("a quarter of the ids", query, &[], move |_, id, _| (min..=max).contains(&id))
}

fn of_artery(piece: &str) -> Case {
    let query = InventoryQuery { primary_artery: Some(piece.to_owned()), ..base() };
    let wanted = key(piece);
    case(format!("primary_artery {piece}"), query, &[Field::PrimaryArtery], move |record, _, _| {
        value(record, Field::PrimaryArtery).is_some_and(|text| key(text).contains(&wanted))
    })
}

fn of_words(text: &str) -> Case {
    const SEARCHED: [Field; 5] =
        [Field::DmaName, Field::CbsaName, Field::CountyName, Field::PrimaryArtery, Field::MediaName];
    let query = InventoryQuery { search: Some(text.to_owned()), ..base() };
    let wanted: Vec<String> = text.split(' ').map(str::to_owned).collect();
    case(format!("search {text}"), query, &SEARCHED, move |record, _, _| {
        let texts: Vec<_> = SEARCHED.iter().filter_map(|field| value(record, *field)).collect();
        let text = fold(&texts.join(" ").replace('\'', ""));
        let mut words = text.split(|character: char| !character.is_alphanumeric());
        let (last, others) = wanted.split_last().expect("a word");
        others.iter().all(|word| words.clone().any(|one| one == word))
            && words.any(|one| one.starts_with(last))
    })
}

fn by_name() -> [Case; 3] {
    let name = SortField::find(Field::MediaName.path()).expect("a field to sort by");
    let sort = InventorySort { key: InventorySortKey::Field(name), descending: true };
    let base = || InventoryQuery { sort, ..base() };
    let in_state = InventoryQuery { exact: vec![(TextCriterion::State, "CA".to_owned())], ..base() };
    [
        case("everything by media_name, last first", base(), &[], |_, _, _| true),
        case("the same, deepest page", InventoryQuery { skip: DEEPEST, ..base() }, &[], |_, _, _| true),
        case("state CA by media_name, last first", in_state, &[Field::State], |record, _, _| {
            value(record, Field::State).is_some_and(|text| key(text) == "ca")
        }),
    ]
}

fn by_distance() -> Vec<Case> {
    let all = |descending, skip| {
        let sort = InventorySort { key: InventorySortKey::DistanceFrom(MANHATTAN), descending };
        InventoryQuery { circle: Some(Circle { center: MANHATTAN, km: 25_000.0 }), sort, skip, ..base() }
    };
    let in_state = |name: &str, state: &str, descending, skip| {
        let exact = vec![(TextCriterion::State, state.to_owned())];
        let (query, wanted) = (InventoryQuery { exact, ..all(descending, skip) }, key(state));
        case(name, query, &[Field::State], move |record, _, _| {
            value(record, Field::State).is_some_and(|text| key(text) == wanted)
        })
    };
    vec![
        case("everything by distance", all(false, 0), &[], |_, _, _| true),
        case("the same, deepest page", all(false, DEEPEST), &[], |_, _, _| true),
        case("everything by distance, farthest first", all(true, 0), &[], |_, _, _| true),
        // What is found lies behind most others.
        in_state("state CA by distance from Manhattan", "CA", false, 0),
        in_state("the same, deepest page", "CA", false, DEEPEST),
        in_state("state NY by the same, farthest first", "NY", true, 0),
        // A sparse list.
        in_state("state WA by the same", "WA", false, 0),
    ]
}

/// Counts the spots of each value of a field.
fn counted(inventory: &Inventory, field: Field) -> BTreeMap<String, usize> {
    let (fields, mut counts) = (field_set(only(field)), BTreeMap::<String, usize>::new());
    for spot in inventory.indexes().filter(|spot| inventory.is_measured(*spot)) {
        let record = inventory.record(spot, fields);
        let Some(text) = value(&record, field) else { continue };
        match counts.get_mut(text) {
            Some(count) => *count += 1,
            None => drop(counts.insert(text.to_owned(), 1)),
        }
    }
    counts
}

fn commonest(inventory: &Inventory, field: Field) -> String {
    let counts = counted(inventory, field).into_iter();
    counts.max_by_key(|(_, count)| *count).expect("a value").0
}

/// Returns the rarest artery.
fn rarest(inventory: &Inventory) -> String {
    let counts = counted(inventory, Field::PrimaryArtery).into_iter();
    counts.min_by_key(|(_, count)| *count).expect("a value").0
}

fn value<'a>(record: &'a Record<'_>, field: Field) -> Option<&'a str> {
    let Record { location, media_type, media_name, construction, illumination_type, .. } = record;
    let location = location.as_ref();
    let text = match field {
        Field::MediaName => media_name,
        Field::MediaType => &media_type.as_ref()?.name,
        Field::IlluminationType => &illumination_type.as_ref()?.name,
        Field::ConstructionTypeName => &construction.as_ref()?.construction_type.as_ref()?.name,
        Field::DmaName => &location?.dma_name,
        Field::State => &location?.state,
        Field::ZipCode => &location?.zip_code,
        Field::CbsaName => &location?.cbsa_name,
        Field::CountyName => &location?.county_name,
        Field::PrimaryArtery => &location?.primary_artery,
        other => unreachable!("{other:?} is in no case"),
    };
    text.as_deref()
}

fn only(field: Field) -> &'static [Field] {
    static ALL: [Field; Field::ALL.len()] = Field::ALL;
    ALL.iter().find(|one| **one == field).map(std::slice::from_ref).expect("it is one of all")
}

fn field_set(fields: &[Field]) -> FieldSet {
    let paths = fields.iter().map(|field| FieldSet::at(field.path()).expect("every field has a path"));
    paths.fold(FieldSet::NONE, FieldSet::or)
}

fn key(text: &str) -> String {
    fold(&text.replace('-', " "))
}

/// Reads the records of an inventory and writes them again.
fn rewritten() -> Duration {
    let release = synthesized_release(REWRITTEN);
    let inventory = Inventory::open(&release).expect("the inventory of the release");
    let geographies = Geographies::open(&release).expect("the geographies of the release");
    let folder = release.path().with_extension("again");
    fs::create_dir_all(&folder).expect("a folder beside the release");
    let (time, _) = timed(|| {
        let mut writer = InventoryWriter::default();
        for spot in inventory.indexes() {
            writer.push(&inventory.record(spot, FieldSet::ALL), &inventory.source(spot));
        }
        writer.write(&folder, &geographies).expect("room for a file")
    });
    fs::remove_dir_all(&folder).expect("the folder that was made");
    time
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = black_box(work());
    (start.elapsed(), done)
}

//! Random queries of a release's parts, similar to the functions' own queries.

use dataset::inventory::{
    Field, FieldSet, FlagCriterion, Inventory, InventoryQuery, InventorySort, InventorySortKey, SortField,
    SpotCounts, SpotId, TextCriterion,
};
use dataset::tiles::{LayerPoints, TileId, Visits};
use dataset::{
    BaseMap, Circle, Exposures, Geographies, GeographyIndex, GeographyType, IdKind, KnownIds, Measures,
    NationalPopulation, Parents, PlaceId, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey, Places,
    Population, Position, Rectangle, Report, SegmentIndex, SegmentShare, VisitsByPlace,
};
use fastrand::Rng;

/// The number of queries per input.
const QUERIES: usize = 6;

/// Strings that match the records' strings fully, partially, or not at all.
const TEXTS: [&str; 16] = [
    "",
    "n",
    "new york",
    "broadway",
    "i 95",
    "o'hare",
    "ohare",
    "starbuks",
    "*main*",
    "?*",
    "café",
    "東",
    "times sq 3",
    "NY",
    "10036",
    "zzz",
];

pub(super) fn inventory(inventory: &Inventory, rng: &mut Rng) {
    for _ in 0..QUERIES {
        let found = inventory.search(&spot_query(rng));
        let (page, mut json) = (&found.spots[..found.spots.len().min(20)], Vec::new());
        let fields = *rng.choice([FieldSet::ALL, FieldSet::NONE].iter()).expect("the list isn't empty");
        inventory.sources_of(page);
        for spot in page {
            inventory.write_json(*spot, fields, &mut json);
            inventory.record(*spot, fields);
            inventory.map_face(*spot);
            inventory.position(*spot);
            inventory.find(inventory.id(*spot));
        }
    }
    for spot in inventory.indexes().take(100) {
        inventory.record(
            spot,
            FieldSet::at(Field::ALL[rng.usize(..Field::ALL.len())].path()).expect("valid path"),
        );
        inventory.has_measures(spot);
        inventory.operator(spot);
    }
}

fn spot_query(rng: &mut Rng) -> InventoryQuery {
    let text = |rng: &mut Rng| TEXTS[rng.usize(..TEXTS.len())].to_owned();
    let fields: Vec<SortField> = SortField::all().collect();
    let key = match rng.u8(..3) {
        0 => InventorySortKey::DistanceFrom(position(rng)),
        _ => InventorySortKey::Field(fields[rng.usize(..fields.len())]),
    };
    let mut query = InventoryQuery {
        sort: InventorySort { key, descending: rng.bool() },
        skip: rng.usize(..3) * 10,
        take: 50,
        ..InventoryQuery::default()
    };
    match rng.u8(..13) {
        0 => query.exact.push((TextCriterion::ALL[rng.usize(..TextCriterion::ALL.len())], vec![text(rng)])),
        1 => query.flags.push((FlagCriterion::ALL[rng.usize(..FlagCriterion::ALL.len())], rng.bool())),
        2 => query.primary_artery = Some(text(rng)),
        3 => query.search = Some(text(rng)),
        4 => query.id_min = Some(SpotId::from_raw(rng.u32(..200))),
        5 => query.circle = Some(circle(rng)),
        6 => query.rectangle = Some(rectangle(rng)),
        7 => query.plant_spot_id = Some(["NY-0042-A".to_owned(), text(rng)][rng.usize(..2)].clone()),
        8 => query.available_by = ["2027-01-03", "2027-01-04"][rng.usize(..2)].parse().ok(),
        9 => query.exclude_modelled = true,
        10 => query.min_impressions = Some(rng.u64(..)),
        11 => query.circles.push(((0..rng.usize(..4)).map(|_| circle(rng)).collect(), rng.bool())),
        _ => {}
    }
    query
}

fn position(rng: &mut Rng) -> Position {
    Position { latitude: rng.f64() * 180.0 - 90.0, longitude: rng.f64() * 360.0 - 180.0 }
}

fn circle(rng: &mut Rng) -> Circle {
    let center = if rng.bool() { position(rng) } else { Position { latitude: 40.72, longitude: -73.98 } };
    Circle { center, km: [0.0, 0.5, 5.0, 3_000.0, 20_100.0][rng.usize(..5)] }
}

fn rectangle(rng: &mut Rng) -> Rectangle {
    let (one, other) = (position(rng), position(rng));
    Rectangle {
        north: one.latitude.max(other.latitude),
        south: one.latitude.min(other.latitude),
        west: one.longitude,
        east: other.longitude,
    }
}

pub(super) fn spot_counts(counts: &SpotCounts) {
    for at in [0, 5, 6, u32::MAX] {
        counts.of(GeographyIndex::from_raw(at));
    }
}

pub(super) fn exposures(exposures: &Exposures) {
    for id in [0, 1, 4, u32::MAX] {
        exposures.find(SpotId::from_raw(id));
    }
}

pub(super) fn places(places: &Places, visits: &VisitsByPlace, rng: &mut Rng) {
    for _ in 0..QUERIES {
        let query = place_query(rng, visits);
        let found = places.search(&query);
        places.sources_of(&found.places);
        found.places.iter().take(20).for_each(|place| _ = (places.get(*place), visits.get(*place)));
    }
    for index in places.indexes().take(100) {
        places.find(places.get(index).id);
    }
    places.place_types().take(100).for_each(drop);
}

fn place_query<'a>(rng: &mut Rng, visits: &'a VisitsByPlace) -> PlaceQuery<'a> {
    let text = Some(TEXTS[rng.usize(..TEXTS.len())].to_owned());
    let fields = PlaceSortField::ALL;
    let key = match rng.u8(..4) {
        0 => PlaceSortKey::WeeklyVisits(visits),
        1 => PlaceSortKey::DistanceFrom(position(rng)),
        _ => PlaceSortKey::Field(fields[rng.usize(..fields.len())]),
    };
    let mut query = PlaceQuery {
        sort: PlaceSort { key, descending: rng.bool() },
        skip: rng.usize(..3) * 10,
        take: 50,
        ..PlaceQuery::default()
    };
    let areas = || Some((0..6).map(GeographyIndex::from_raw).collect());
    match rng.u8(..14) {
        0 | 1 => query.place_name = text,
        2 | 3 => query.address = text,
        4 => query.city = text,
        5 => query.state = text,
        6 => query.zip_code = text,
        7 => query.brand = text,
        8 => query.place_type_name = text,
        9 => query.dmas = areas(),
        10 => query.counties = areas(),
        11 => query.circle = Some(circle(rng)),
        12 => query.rectangle = Some(rectangle(rng)),
        _ => query.place_type_ids = Some(vec![1, 2, u32::MAX]),
    }
    query
}

pub(super) fn measures(measures: &Measures) {
    measures.visits().take(200).for_each(drop);
    let ids: Vec<PlaceId> = measures.ids().take(200).collect();
    let read: Vec<_> = ids.iter().filter_map(|id| measures.get(*id).ok().flatten()).collect();
    ids.iter().for_each(|id| _ = measures.glance(*id));
    let whole = dataset::measures::Measure::sum(&read);
    for measure in read.iter().chain(&whole) {
        Report::new(measure, &|_| 0.5, &|zip| Parents { county: Some(zip), ..Parents::default() });
        SegmentShare::of(measure, SegmentIndex::from_raw(2), 0.1);
    }
}

pub(super) fn geographies(geographies: &Geographies) {
    for kind in GeographyType::ALL {
        geographies.count(kind);
        let of_type: Vec<GeographyIndex> = geographies.of_type(kind).take(50).collect();
        for index in of_type {
            let area = geographies.get(index);
            geographies.find(&area.id);
            geographies.of_type_in(kind, index);
        }
    }
    geographies.nation();
}

pub(super) fn population(population: &Population) {
    for segment in population.segments() {
        population.find(&segment.id);
        for area in 0..6 {
            population.persons(segment.index, GeographyIndex::from_raw(area));
        }
    }
    let cells = population.cells(GeographyIndex::from_raw(1));
    population.expand(&cells, 100);
}

pub(super) fn nation(nation: &NationalPopulation) {
    for at in 0..3 {
        let segment = SegmentIndex::from_raw(at);
        nation.share(segment);
        let _ = nation.compose(&nation.segment(segment).id.to_string());
    }
}

/// Reads the map's only tile and only list of names, and some that don't exist.
pub(super) fn base_map(map: &BaseMap) {
    let tile = |y| map.tile(TileId::new(8, 75, y).expect("the tile exists"));
    assert_eq!([95, 96, 97].map(tile), [None, Some(&b"a tile"[..]), None]);
    assert_eq!(["a", "b", "c"].map(|initial| map.names(initial)), [None, Some(&b"names"[..]), None]);
}

pub(super) fn tiles(points: &LayerPoints, rng: &mut Rng) {
    points.extent();
    // The whole world, tiles around New York, and a tile elsewhere.
    for (zoom, x, y) in [(0, 0, 0), (4, 4, 6), (10, 301, 385), (14, 4_824, 6_157), (14, rng.u32(..16_384), 1)]
    {
        points.tile(TileId::new(zoom, x, y).expect("the tile is in range"), Visits::Included);
    }
}

pub(super) fn known_ids(known: &KnownIds) {
    for kind in [IdKind::Display, IdKind::Place, IdKind::Cohort] {
        for id in ["1", "4", "99999999999999", "x", "10a19720-9af1-519f-9ff6-a129fe8adb3e"] {
            known.lacks(kind, id);
        }
    }
}

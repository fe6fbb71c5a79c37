//! Tests of place search criteria, with examples and with random queries whose results are compared with the
//! oracle's.

use std::collections::{BTreeMap, HashSet};

use dataset::{
    Circle, GeographyIndex, PlaceId, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey, Places, Position,
    Rectangle, normalize,
};
use proptest::prelude::*;

use crate::fixture::{self, GEOGRAPHIES, Row, places};
use crate::oracle::scan;

#[rustfmt::skip]
const WORDS: [&str; 20] = [
    "Starbucks", "STARBUCKS", "Café", "Cafe", "McDonald's", "O\u{2019}Reilly", "Taco", "Bell", "Bells", "Belle", "7-Eleven",
    "CVS", "Wal-Mart", "Walmart", "AT&T", "Straße", "東京", "12345", "(Mall)", "!!",
];
#[rustfmt::skip]
const STREETS: [&str; 10] = [
    "", "Main St", "MAIN ST", "E. 5th Ave", "Calle  Peña", "a a a a a a", "Mainstreet", "N Main", "東京", "Broadway # 5",
];
const CITIES: [&str; 5] = ["Anchorage", "ANCHORAGE", "Cañon City", "Canon  City", "Nome"];
const TYPES: [&str; 4] = ["Coffee Shop", "coffee shop", "Bank", "Drug Store"];
const STATES: [&str; 5] = ["AK", "CA", "CO", "Colorado", "XX"];
const BRANDS: [&str; 5] = ["", "Starbucks", "STARBUCKS", "Peet's Coffee", "Taco Bell"];

fn shop(name: &str, street_address: &str, city: &str, state: &str, place_type: &str) -> Row {
    let text = str::to_owned;
    Row {
        city: text(city),
        state: text(state),
        place_type: text(place_type),
        ..Row::new(name, street_address)
    }
}

fn few() -> Places {
    places(&[
        shop("Starbucks", "1 Main St", "Anchorage", "AK", "Coffee Shop"),
        shop("McDonald's", "22 E. 5th Ave", "Anchorage", "AK", "Quick Service Restaurant"),
        shop("Taco Bell", "333 Calle Peña", "Cañon City", "CO", "Quick Service Restaurant"),
        shop("7-Eleven #12345", "4 Mainland Blvd", "Nome", "AK", "Convenience Store"),
        shop("Café Bell's", "", "Nome", "AK", "Coffee Shop"),
        shop("CVS", "5 Main St Suite 7", "Canon City", "CO", "Drug Store"),
    ])
}

fn names(places: &Places, query: PlaceQuery<'_>) -> Vec<String> {
    let found = places.search(&PlaceQuery { take: 100, ..query });
    assert_eq!(found.total, found.places.len());
    found.places.iter().map(|index| places.get(*index).name.to_owned()).collect()
}

#[test]
fn finds_places_by_words_of_their_name() {
    let places = few();
    let cases: [(&str, &[&str]); 31] = [
        ("starbucks", &["Starbucks"]),
        ("STÁRBUCKS", &["Starbucks"]),
        ("mcdonalds", &["McDonald's"]),
        ("mcdonald\u{2019}s", &["McDonald's"]),
        ("bell taco", &["Taco Bell"]),
        ("bell", &["Café Bell's", "Taco Bell"]),
        ("bells", &["Café Bell's"]),
        ("cafe", &["Café Bell's"]),
        ("7 eleven", &["7-Eleven #12345"]),
        ("eleven 7", &["7-Eleven #12345"]),
        // The last word can be a prefix. All other words must match whole words.
        ("star", &["Starbucks"]),
        ("s", &["Starbucks"]),
        ("taco b", &["Taco Bell"]),
        ("tac bell", &[]),
        // A word with one typo matches.
        ("starbucksx", &["Starbucks"]),
        ("satrbucks", &["Starbucks"]),
        ("tarbucks", &["Starbucks"]),
        ("sstarbucks", &["Starbucks"]),
        ("ztarbucks", &["Starbucks"]),
        ("xtaco bell", &["Taco Bell"]),
        ("tacoo bell", &["Taco Bell"]),
        ("starbuks", &["Starbucks"]),
        ("macdonald's", &["McDonald's"]),
        // Two typos in a word don't match. A single typo doesn't match in a short word, in a number, or in a
        // word that occurs in another name.
        ("starbcusk", &[]),
        ("cvz", &[]),
        ("12346", &[]),
        ("bells taco", &[]),
        ("taco starbucks", &[]),
        // The query contains no words.
        ("", &[]),
        ("!!!", &[]),
        (" ' ", &[]),
    ];
    for (filter, expected) in cases {
        let query = PlaceQuery { place_name: Some(filter.to_owned()), ..PlaceQuery::default() };
        assert_eq!(names(&places, query), expected, "{filter:?}");
    }
}

#[test]
fn finds_addresses_by_substring_or_by_pattern() {
    let places = few();
    let cases: [(&str, &[&str]); 16] = [
        ("main st", &["CVS", "Starbucks"]),
        ("MAIN", &["7-Eleven #12345", "CVS", "Starbucks"]),
        ("pena", &["Taco Bell"]),
        ("  1  Main  ", &["Starbucks"]),
        ("main x", &[]),
        ("* main st", &["Starbucks"]),
        ("* main st*", &["CVS", "Starbucks"]),
        ("? main*", &["7-Eleven #12345", "CVS", "Starbucks"]),
        ("main*", &[]),
        ("?? *", &["McDonald's"]),
        ("*m?in*", &["7-Eleven #12345", "CVS", "Starbucks"]),
        ("333 calle pe?a", &["Taco Bell"]),
        ("333 calle pe??a", &[]),
        ("*a*a*a*a*b", &[]),
        ("?*", &["7-Eleven #12345", "CVS", "McDonald's", "Starbucks", "Taco Bell"]),
        ("*", &["7-Eleven #12345", "Café Bell's", "CVS", "McDonald's", "Starbucks", "Taco Bell"]),
    ];
    for (filter, expected) in cases {
        let query = PlaceQuery { address: Some(filter.to_owned()), ..PlaceQuery::default() };
        assert_eq!(names(&places, query), expected, "{filter:?}");
    }
}

#[test]
fn other_text_criteria_match_whole_values() {
    let places = few();
    let of = |text: &str| Some(text.to_owned());
    let none = PlaceQuery::default;
    let cases: [(PlaceQuery<'_>, &[&str]); 11] = [
        (PlaceQuery { city: of("canon city"), ..none() }, &["CVS", "Taco Bell"]),
        (PlaceQuery { city: of("canon"), ..none() }, &[]),
        (PlaceQuery { city: of(""), ..none() }, &[]),
        (PlaceQuery { state: of("co"), ..none() }, &["CVS", "Taco Bell"]),
        (PlaceQuery { state: of(" COLORADO"), ..none() }, &["CVS", "Taco Bell"]),
        (PlaceQuery { state: of("Colorad"), ..none() }, &[]),
        (
            PlaceQuery { zip_code: of(" 99501 "), city: of("Nome"), ..none() },
            &["7-Eleven #12345", "Café Bell's"],
        ),
        (PlaceQuery { zip_code: of("9950"), ..none() }, &[]),
        (PlaceQuery { place_type_name: of("COFFEE SHOP"), ..none() }, &["Café Bell's", "Starbucks"]),
        (PlaceQuery { place_type_name: of("coffee shop"), city: of("nome"), ..none() }, &["Café Bell's"]),
        (PlaceQuery { place_name: of("cvs"), address: of("suite"), state: of("CO"), ..none() }, &["CVS"]),
    ];
    for (query, expected) in cases {
        assert_eq!(names(&places, query.clone()), expected, "{query:?}");
    }
}

#[test]
fn matches_any_of_several_ids_types_or_markets() {
    let places = few();
    let none = PlaceQuery::default;
    let place = |name: &str| {
        places.indexes().map(|index| places.get(index)).find(|place| place.name == name).unwrap()
    };
    let ids = vec![place("CVS").id, PlaceId::from_raw(1), place("Starbucks").id, place("CVS").id];
    assert_eq!(names(&places, PlaceQuery { place_ids: Some(ids), ..none() }), ["CVS", "Starbucks"]);
    let types = vec![place("CVS").place_type_id, 1, place("Starbucks").place_type_id];
    let of_types = names(&places, PlaceQuery { place_type_ids: Some(types), ..none() });
    assert_eq!(of_types, ["Café Bell's", "CVS", "Starbucks"]);
    let dma = place("CVS").dma.unwrap();
    assert_eq!(names(&places, PlaceQuery { dmas: Some(vec![dma]), ..none() }).len(), 6);
    let other = GeographyIndex::from_raw(dma.raw() + 1);
    assert!(names(&places, PlaceQuery { dmas: Some(vec![other]), ..none() }).is_empty());
}

#[test]
fn states_types_and_brands_of_places_are_known() {
    let abroad = Row { state: "Ontario".to_owned(), ..Row::new("Tim", "1 King St") };
    let places = places(&[abroad, Row { brand: "Bluebird".to_owned(), ..Row::new("Bell", "2 King St") }]);
    for (known, expected) in [
        (places.has_state("ontario"), true),
        (places.has_state("ak"), true),
        (places.has_state("alaska"), true),
        (places.has_state("on"), false),
        (places.has_type("coffee shop"), true),
        (places.has_type("coffee"), false),
        (places.has_brand("bluebird"), true),
        (places.has_brand("blue"), false),
    ] {
        assert_eq!(known, expected);
    }
    assert_eq!(places.brand_names().collect::<Vec<_>>(), ["Bluebird", "Brand"]);
}

#[test]
fn brands_count_their_places_by_type_and_state() {
    let row = |brand: &str, place_type: &str, state: &str, street| Row {
        brand: brand.to_owned(),
        place_type: place_type.to_owned(),
        state: state.to_owned(),
        ..Row::new("Store", street)
    };
    let places = places(&[
        row("Bluebird", "Grocery", "AK", "1 Main St"),
        row("BLUEBIRD", "Bakery", "AK", "2 Main St"),
        row("Bluebird", "Grocery", "", "3 Main St"),
        row("", "Grocery", "Ontario", "4 Main St"),
        row("Acme", "Grocery", "WA", "5 Main St"),
    ]);
    let brands: Vec<_> = places.brands().collect();
    let counts: Vec<_> = brands.iter().map(|brand| (normalize(brand.name), brand.count)).collect();
    assert_eq!(counts, [("acme".to_owned(), 1), ("bluebird".to_owned(), 3)]);
    let types = brands.iter().flat_map(|brand| &brand.place_types);
    let types: Vec<_> = types.map(|one| (one.name, one.count)).collect();
    assert_eq!(types, [("Grocery", 1), ("Bakery", 1), ("Grocery", 2)]);
    assert_eq!(brands[0].by_state, [("AK", 0), ("Ontario", 0), ("WA", 1)]);
    assert_eq!(brands[1].by_state, [("AK", 2), ("Ontario", 0), ("WA", 0)]);
}

#[test]
fn empty_lists_of_ids_types_or_markets_match_nothing() {
    let places = few();
    let none = PlaceQuery::default;
    assert!(names(&places, PlaceQuery { place_ids: Some(Vec::new()), ..none() }).is_empty());
    assert!(names(&places, PlaceQuery { place_type_ids: Some(Vec::new()), ..none() }).is_empty());
    assert!(names(&places, PlaceQuery { dmas: Some(Vec::new()), ..none() }).is_empty());
}

#[test]
fn query_without_criteria_returns_all_places_by_name() {
    let all = ["7-Eleven #12345", "Café Bell's", "CVS", "McDonald's", "Starbucks", "Taco Bell"];
    assert_eq!(names(&few(), PlaceQuery::default()), all);
}

#[test]
fn empty_release_answers_every_query() {
    let places = places(&[]);
    assert!(places.is_empty() && places.find(PlaceId::from_raw(1)).is_none());
    for text in ["starbucks", "*", ""] {
        let text = Some(text.to_owned());
        assert!(names(&places, PlaceQuery { place_name: text.clone(), ..PlaceQuery::default() }).is_empty());
        assert!(names(&places, PlaceQuery { address: text, ..PlaceQuery::default() }).is_empty());
    }
    assert!(names(&places, PlaceQuery::default()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn search_matches_a_linear_scan(
        rows in rows(),
        queries in proptest::collection::vec((query(), key()), 60),
        ids in proptest::collection::vec(any::<prop::sample::Index>(), 3),
        counts in proptest::collection::vec(proptest::option::weighted(0.8, 1..40_u32), 600),
    ) {
        let places = places(&rows);
        prop_assert_eq!(places.len(), rows.len());
        let counted = places.indexes().zip(counts).filter_map(|(index, count)| Some((places.get(index).id, count?)));
        let visits: BTreeMap<PlaceId, u32> = counted.collect();
        let by_place = fixture::visits(&places, &visits);
        for (mut query, key) in queries {
            query.sort.key = match key {
                Key::Field(field) => PlaceSortKey::Field(field),
                Key::WeeklyVisits => PlaceSortKey::WeeklyVisits(&by_place),
                Key::DistanceFrom(center) => PlaceSortKey::DistanceFrom(center),
            };
            if let (Some(asked), false) = (&mut query.place_ids, places.is_empty()) {
                let known: Vec<PlaceId> = places.indexes().map(|index| places.get(index).id).collect();
                asked.extend(ids.iter().map(|id| *id.get(&known)));
            }
            if let (Some(asked), false) = (&mut query.place_type_ids, places.is_empty()) {
                let index = places.indexes().nth(ids[0].index(places.len())).unwrap();
                asked.push(places.get(index).place_type_id);
            }
            prop_assert_eq!(places.search(&query), scan(&places, &visits, &query), "{:?}", query);
        }
    }
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let name =
        proptest::collection::vec(proptest::sample::select(&WORDS), 1..4).prop_map(|words| words.join(" "));
    let street = (1..40_u32, proptest::sample::select(&STREETS)).prop_map(|(number, street)| match street {
        "" => String::new(),
        street => format!("{number} {street}"),
    });
    let select = |texts: &'static [&str]| proptest::sample::select(texts);
    let texts = (select(&CITIES), select(&STATES), select(&TYPES), select(&BRANDS));
    let row = (name, street, texts, 99_500..99_520_u32, point());
    let row = row.prop_map(|(name, street, (city, state, place_type, brand), zip_code, position)| Row {
        zip_code: zip_code.to_string(),
        brand: brand.to_owned(),
        position,
        ..shop(&name, &street, city, state, place_type)
    });
    proptest::collection::vec(row, 0..600).prop_map(|mut rows| {
        let mut seen = HashSet::new();
        rows.retain(|row| seen.insert(PlaceId::of(&row.name, &row.street_address, &row.zip_code)));
        rows
    })
}

/// A generated sort key. Unlike the actual key, it doesn't contain the visits, because the places aren't
/// known yet.
#[derive(Clone, Debug)]
enum Key {
    Field(PlaceSortField),
    WeeklyVisits,
    DistanceFrom(Position),
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        4 => proptest::sample::select(&PlaceSortField::ALL).prop_map(Key::Field),
        1 => Just(Key::WeeklyVisits),
        2 => point().prop_map(Key::DistanceFrom),
    ]
}

/// Generates points in one town, at the poles, on both sides of the antimeridian, and anywhere on Earth.
fn point() -> impl Strategy<Value = Position> {
    let degrees = prop_oneof![
        4 => (61.0..61.5_f64, -150.0..-149.0_f64),
        2 => (Just(61.25), Just(-149.5)),
        1 => (prop_oneof![Just(90.0), Just(-90.0), 89.9..=90.0], -180.0..=180.0_f64),
        1 => (50.0..53.0_f64, prop_oneof![Just(180.0), Just(-180.0), 179.5..180.0_f64, -180.0..-179.5_f64]),
        1 => (-90.0..=90.0_f64, -180.0..=180.0_f64),
    ];
    degrees.prop_map(|(latitude, longitude)| Position { latitude, longitude })
}

fn circle() -> impl Strategy<Value = Circle> {
    let km = prop_oneof![Just(0.0), 0.0..60.0_f64, 0.0..20_100.0_f64, Just(30_000.0)];
    (point(), km).prop_map(|(center, km)| Circle { center, km })
}

fn rectangle() -> impl Strategy<Value = Rectangle> {
    (point(), point()).prop_map(|(one, other)| Rectangle {
        north: one.latitude.max(other.latitude),
        south: one.latitude.min(other.latitude),
        west: one.longitude,
        east: other.longitude,
    })
}

fn query() -> impl Strategy<Value = PlaceQuery<'static>> {
    let areas = || {
        let geography = (0..GEOGRAPHIES)
            .prop_map(|at| GeographyIndex::from_raw(u32::try_from(at).expect("the number is small")));
        proptest::collection::vec(geography, 0..12)
    };
    let texts = (rarely(name()), rarely(address()), rarely(misspelt(&CITIES)), rarely(misspelt(&STATES)));
    let zip_code = (99_500..99_520_u32).prop_map(|zip| zip.to_string());
    let more = (rarely(zip_code), rarely(misspelt(&TYPES)), rarely(misspelt(&BRANDS)));
    let any_of = (
        rarely(proptest::collection::vec((0..9_u64).prop_map(PlaceId::from_raw), 0..2)),
        rarely(proptest::collection::vec(0..9_u32, 0..2)),
        rarely(areas()),
        rarely(areas()),
    );
    let within = (rarely(circle()), rarely(rectangle()));
    let page = (prop_oneof![0..20_usize, 0..700_usize], prop_oneof![0..60_usize, Just(usize::MAX)]);
    (texts, more, any_of, within, any::<bool>(), page).prop_map(
        |(texts, more, any_of, (circle, rectangle), descending, (skip, take))| {
            let (place_name, address, city, state) = texts;
            let (zip_code, place_type_name, brand) = more;
            let (place_ids, place_type_ids, dmas, counties) = any_of;
            let sort = PlaceSort { descending, ..PlaceSort::default() };
            PlaceQuery {
                place_name,
                place_ids,
                place_type_ids,
                place_type_name,
                brand,
                address,
                city,
                state,
                zip_code,
                dmas,
                counties,
                circle,
                rectangle,
                sort,
                skip,
                take,
            }
        },
    )
}

fn rarely<S: Strategy>(criterion: S) -> impl Strategy<Value = Option<S::Value>>
where
    S::Value: Clone,
{
    proptest::option::weighted(0.25, criterion)
}

/// Generates one of the strings, either unchanged or in uppercase.
fn misspelt(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    (proptest::sample::select(texts), any::<bool>())
        .prop_map(|(text, upper)| if upper { text.to_uppercase() } else { text.to_owned() })
}

/// Generates words from names. Some words are truncated, and some have typos.
fn name() -> impl Strategy<Value = String> {
    let word = (proptest::sample::select(&WORDS), 0..8_u8, any::<prop::sample::Index>());
    let word = word.prop_map(|(word, change, at)| {
        let mut letters: Vec<char> = word.chars().collect();
        let at = at.index(letters.len());
        match change {
            0 => letters.truncate(at),
            1 => letters.insert(at, 'e'),
            2 => letters[at] = 'l',
            3 => drop(letters.remove(at)),
            4 if at > 0 => letters.swap(at - 1, at),
            _ => (),
        }
        letters.into_iter().collect::<String>()
    });
    proptest::collection::vec(word, 0..3).prop_map(|words| words.join(" "))
}

/// Generates substrings of addresses, and patterns.
fn address() -> impl Strategy<Value = String> {
    let pieces = ["main", "st", " ", "a", "1", "2 ", "calle", "pen", "*", "*", "?", "東", "#", "e. 5TH"];
    let piece = proptest::sample::select(Vec::from(pieces));
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

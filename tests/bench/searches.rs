//! Each filter of the place search, timed against a plain scan that must find as many.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dataset::{
    Circle, Distance, Geographies, Measures, Place, PlaceId, PlaceIndex, PlaceQuery, PlaceSort,
    PlaceSortField, PlaceSortKey, Places, Position, VisitsByPlace, fold,
};
use harness::{quantile, sample_release};

const ROUNDS: usize = 201;

/// A scan takes as long as a hundred searches.
const SCANS: usize = 5;

const PAGE: usize = 50;

const CHICAGO: Position = Position { latitude: 41.878_1, longitude: -87.629_8 };

/// A search, and the same question put to one place after the other.
struct Case<'a> {
    name: &'static str,
    query: PlaceQuery<'a>,
    takes: Box<dyn Fn(&Place<'_>) -> bool>,
}

/// Prints how long each filter of the place search takes, with the page of places that it finds, against a
/// plain scan.
pub(crate) fn print() {
    let places = Places::open(sample_release()).expect("the sample's places");
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let measures = Measures::open(sample_release()).expect("the sample's measures");
    let start = Instant::now();
    let visits = places.by_place(measures.visits());
    let joined = start.elapsed();
    println!("\n== place search over {} places, page of {PAGE}, one core (aim: p50 1 ms)", places.len());
    println!("{:<32} {:>8} {:>11} {:>11} {:>11} {:>8}", "filter", "total", "p50", "p99", "scan", "ratio");
    for case in cases(&geographies, &visits) {
        let mut searches: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| searched(&places, &case))).collect();
        let mut scans: Vec<Duration> =
            (0..SCANS).map(|_| timed(|| scanned(&places, &measures, &case))).collect();
        let total = searched(&places, &case);
        assert_eq!(total, scanned(&places, &measures, &case), "{}", case.name);
        let (p50, p99, scan) =
            (quantile(&mut searches, 0.5), quantile(&mut searches, 0.99), quantile(&mut scans, 0.5));
        let ratio = scan.as_secs_f64() / p50.as_secs_f64();
        println!("{:<32} {total:>8} {p50:>11.1?} {p99:>11.1?} {scan:>11.1?} {ratio:>8.0}", case.name);
    }
    println!("visits put in the order of the places in {joined:.1?}, once a process");
}

fn searched(places: &Places, case: &Case<'_>) -> usize {
    let found = places.search(&case.query);
    for place in &found.places {
        black_box(places.get(*place));
    }
    found.total
}

/// Looks at every place, and gives the page of those that it takes. The places lie in the default order.
fn scanned(places: &Places, measures: &Measures, case: &Case<'_>) -> usize {
    let mut taken: Vec<PlaceIndex> =
        places.indexes().filter(|place| (case.takes)(&places.get(*place))).collect();
    let total = taken.len();
    let id = |place: &PlaceIndex| places.get(*place).id;
    match case.query.sort.key {
        PlaceSortKey::Field(PlaceSortField::City) => {
            taken.sort_by_cached_key(|place| (fold(places.get(*place).city), id(place)));
        }
        PlaceSortKey::Field(_) => {}
        PlaceSortKey::WeeklyVisits(_) => {
            let visits = |place: &PlaceIndex| measures.glance(id(place)).map(|record| record.visits);
            taken.sort_by_cached_key(|place| (std::cmp::Reverse(visits(place)), id(place)));
        }
        PlaceSortKey::DistanceFrom(center) => {
            taken.sort_by_cached_key(|place| (distance(center, &places.get(*place)), id(place)));
        }
    }
    for place in taken.iter().skip(case.query.skip).take(PAGE) {
        black_box(places.get(*place));
    }
    total
}

fn distance(center: Position, place: &Place<'_>) -> Distance {
    let at = Position { latitude: place.latitude, longitude: place.longitude };
    Distance::between(center.to_unit_vector(), at.to_unit_vector())
}

fn cases<'a>(geographies: &Geographies, visits: &'a VisitsByPlace) -> Vec<Case<'a>> {
    let base = || PlaceQuery { take: PAGE, ..PlaceQuery::default() };
    let case = |name, query, takes: Box<dyn Fn(&Place<'_>) -> bool>| Case { name, query, takes };
    let text = |text: &str| Some(text.to_owned());
    let word =
        |word: &'static str| move |place: &Place<'_>| fold(place.name).split(' ').any(|one| one == word);
    let chicago = geographies.find(&"US2020XDMA602".parse().expect("an id")).expect("a market");
    let ids: Vec<PlaceId> = vec![harness::samples::place()];
    let by_city = PlaceSort { key: PlaceSortKey::Field(PlaceSortField::City), descending: false };
    let by_visits = PlaceSort { key: PlaceSortKey::WeeklyVisits(visits), descending: true };
    let by_distance = PlaceSort { key: PlaceSortKey::DistanceFrom(CHICAGO), descending: false };
    let around = |km| Some(Circle { center: CHICAGO, km });
    let cook = geographies.find(&"US2020STCO17031".parse().expect("an id")).expect("a county");
    vec![
        case("everything", base(), Box::new(|_| true)),
        case("everything, page 200", PlaceQuery { skip: 9_950, ..base() }, Box::new(|_| true)),
        case("everything by city", PlaceQuery { sort: by_city, ..base() }, Box::new(|_| true)),
        case(
            "place_name starbucks",
            PlaceQuery { place_name: text("starbucks"), ..base() },
            Box::new(word("starbucks")),
        ),
        case(
            "place_name starbuks (a typo)",
            PlaceQuery { place_name: text("starbuks"), ..base() },
            Box::new(word("starbucks")),
        ),
        case(
            "city chicago",
            PlaceQuery { city: text("chicago"), ..base() },
            Box::new(|place| fold(place.city) == "chicago"),
        ),
        case("state ca", PlaceQuery { state: text("ca"), ..base() }, Box::new(|place| place.state == "CA")),
        case(
            "zip_code 10001",
            PlaceQuery { zip_code: text("10001"), ..base() },
            Box::new(|place| place.zip_code == "10001"),
        ),
        case(
            "dma_name chicago",
            PlaceQuery { dmas: Some(vec![chicago]), ..base() },
            Box::new(move |place| place.dma == Some(chicago)),
        ),
        case(
            "place_ids, one",
            PlaceQuery { place_ids: Some(ids.clone()), ..base() },
            Box::new(move |place| ids.contains(&place.id)),
        ),
        case("place_type_ids, one", type_query(base()), Box::new(|place| place.place_type == "Grocery")),
        case(
            "address main st",
            PlaceQuery { address: text("main st"), ..base() },
            Box::new(|place| fold(place.street_address).contains("main st")),
        ),
        case(
            "address st (a quarter of all)",
            PlaceQuery { address: text("st"), ..base() },
            Box::new(|place| fold(place.street_address).contains("st")),
        ),
        case(
            "address 1* main*",
            PlaceQuery { address: text("1* main*"), ..base() },
            Box::new(|place| {
                let street = fold(place.street_address);
                street.starts_with('1') && street[1..].contains(" main")
            }),
        ),
        case(
            "starbucks in ca by city",
            PlaceQuery { place_name: text("starbucks"), state: text("ca"), sort: by_city, ..base() },
            Box::new(move |place| place.state == "CA" && word("starbucks")(place)),
        ),
        case(
            "brand starbucks",
            PlaceQuery { brand: text("starbucks"), ..base() },
            Box::new(|place| fold(place.brand) == "starbucks"),
        ),
        case(
            "county_name, one",
            PlaceQuery { counties: Some(vec![cook]), ..base() },
            Box::new(move |place| place.county == Some(cook)),
        ),
        case(
            "10 km around Chicago",
            PlaceQuery { circle: around(10.0), ..base() },
            Box::new(|place| distance(CHICAGO, place).metres() <= 10_000.0),
        ),
        case(
            "the same by distance",
            PlaceQuery { circle: around(10.0), sort: by_distance, ..base() },
            Box::new(|place| distance(CHICAGO, place).metres() <= 10_000.0),
        ),
        case("everything by distance", PlaceQuery { sort: by_distance, ..base() }, Box::new(|_| true)),
        case("everything by visits", PlaceQuery { sort: by_visits, ..base() }, Box::new(|_| true)),
        case(
            "brand starbucks by visits",
            PlaceQuery { brand: text("starbucks"), sort: by_visits, ..base() },
            Box::new(|place| fold(place.brand) == "starbucks"),
        ),
    ]
}

fn type_query(base: PlaceQuery<'_>) -> PlaceQuery<'_> {
    let places = Places::open(sample_release()).expect("the sample's places");
    let mut all = places.indexes().map(|place| places.get(place));
    let grocery = all.find(|place| place.place_type == "Grocery").expect("a grocery");
    PlaceQuery { place_type_ids: Some(vec![grocery.place_type_id]), ..base }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

//! Measures place searches with different filters.

use std::hint::black_box;

use dataset::{
    Circle, Geographies, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey, Places, Position, VisitsByPlace,
};
use harness::sample_release;

use crate::times::of_rounds;

const ROUNDS: usize = 201;

const PAGE: usize = 50;

const CHICAGO: Position = Position { latitude: 41.878_1, longitude: -87.629_8 };

/// Prints how long a place search with each filter takes, including one page of results.
pub(crate) fn print() {
    let places = Places::open(sample_release()).expect("the sample's places");
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let visits = VisitsByPlace::open(sample_release()).expect("the sample's visits");
    println!("\n== place search in {} places, pages of {PAGE}, one core (target: p50 1 ms)", places.len());
    println!("{:<32} {:>8} {:>11} {:>11}", "filter", "total", "p50", "p99");
    for (name, query) in queries(&places, &geographies, &visits) {
        let [p50, p99] = of_rounds(ROUNDS, || searched(&places, &query));
        println!("{name:<32} {:>8} {p50:>11.1?} {p99:>11.1?}", searched(&places, &query));
    }
}

fn searched(places: &Places, query: &PlaceQuery<'_>) -> usize {
    let found = places.search(query);
    for place in &found.places {
        black_box(places.get(*place));
    }
    found.total
}

fn queries<'a>(
    places: &Places,
    geographies: &Geographies,
    visits: &'a VisitsByPlace,
) -> [(&'static str, PlaceQuery<'a>); 22] {
    let base = || PlaceQuery { take: PAGE, ..PlaceQuery::default() };
    let text = |text: &str| Some(text.to_owned());
    let by = |key, descending| PlaceQuery { sort: PlaceSort { key, descending }, ..base() };
    let by_city = || by(PlaceSortKey::Field(PlaceSortField::City), false);
    let by_visits = || by(PlaceSortKey::WeeklyVisits(visits), true);
    let by_distance = || by(PlaceSortKey::DistanceFrom(CHICAGO), false);
    let circle = Some(Circle { center: CHICAGO, km: 10.0 });
    let area = |id: &str| geographies.find(&id.parse().expect("an ID")).map(|area| vec![area]);
    let one = Some(vec![harness::samples::place()]);
    let mut all = places.indexes().map(|place| places.get(place));
    let grocery = all.find(|place| place.place_type == "Grocery").expect("a grocery").place_type_id;
    let starbucks = text("starbucks");
    [
        ("everything", base()),
        ("everything, page 200", PlaceQuery { skip: 9_950, ..base() }),
        ("everything by city", by_city()),
        ("place_name starbucks", PlaceQuery { place_name: starbucks.clone(), ..base() }),
        ("place_name starbuks (a typo)", PlaceQuery { place_name: text("starbuks"), ..base() }),
        ("city chicago", PlaceQuery { city: text("chicago"), ..base() }),
        ("state ca", PlaceQuery { state: text("ca"), ..base() }),
        ("zip_code 10001", PlaceQuery { zip_code: text("10001"), ..base() }),
        ("dma_name chicago", PlaceQuery { dmas: area("US2020XDMA602"), ..base() }),
        ("place_ids, one", PlaceQuery { place_ids: one, ..base() }),
        ("place_type_ids, one", PlaceQuery { place_type_ids: Some(vec![grocery]), ..base() }),
        ("address main st", PlaceQuery { address: text("main st"), ..base() }),
        ("address st (a quarter of all)", PlaceQuery { address: text("st"), ..base() }),
        ("address 1* main*", PlaceQuery { address: text("1* main*"), ..base() }),
        (
            "starbucks in ca by city",
            PlaceQuery { place_name: starbucks.clone(), state: text("ca"), ..by_city() },
        ),
        ("brand starbucks", PlaceQuery { brand: starbucks.clone(), ..base() }),
        ("county_name, one", PlaceQuery { counties: area("US2020STCO17031"), ..base() }),
        ("10 km around Chicago", PlaceQuery { circle, ..base() }),
        ("the same by distance", PlaceQuery { circle, ..by_distance() }),
        ("everything by distance", by_distance()),
        ("everything by visits", by_visits()),
        ("brand starbucks by visits", PlaceQuery { brand: starbucks, ..by_visits() }),
    ]
}

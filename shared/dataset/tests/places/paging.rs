//! Tests of sorting and paging search results.

use dataset::{PlaceId, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey, Places, Position};

use crate::fixture::{Row, places, visits};

/// Returns 500 places with only a few distinct names, cities, ZIP codes, and positions.
fn many() -> Places {
    let rows: Vec<Row> = (0..500)
        .map(|number| Row {
            name: ["Starbucks", "STARBUCKS", "Taco Bell"][number % 3].to_owned(),
            city: ["Anchorage", "anchorage", "Nome"][number / 2 % 3].to_owned(),
            zip_code: format!("{:05}", 99_500 + number % 11),
            position: Position { latitude: 61.25, longitude: -149.5 + (number % 9) as f64 },
            ..Row::new("", &format!("{} Main St", number / 3))
        })
        .collect();
    places(&rows)
}

fn pages(places: &Places, query: &PlaceQuery<'_>, size: usize) -> Vec<PlaceIndex> {
    let mut all = Vec::new();
    for skip in (0..).step_by(size) {
        let page = places.search(&PlaceQuery { skip, take: size, ..query.clone() }).places;
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
    all
}

#[test]
fn pages_cover_the_results_exactly_in_every_order() {
    let places = many();
    let ids: Vec<PlaceId> = places.indexes().map(|index| places.get(index).id).collect();
    let counted = ids.into_iter().step_by(2).zip((1..5).cycle()).collect();
    let visits = visits(&places, &counted);
    let center = Position { latitude: 61.0, longitude: -149.0 };
    let others = [PlaceSortKey::WeeklyVisits(&visits), PlaceSortKey::DistanceFrom(center)];
    for key in PlaceSortField::ALL.map(PlaceSortKey::Field).into_iter().chain(others) {
        for descending in [false, true] {
            for place_name in [None, Some("starbucks".to_owned())] {
                let query =
                    PlaceQuery { place_name, sort: PlaceSort { key, descending }, ..PlaceQuery::default() };
                let whole = places.search(&PlaceQuery { take: usize::MAX, ..query.clone() });
                assert_eq!(whole.total, whole.places.len());
                for size in [1, 7, 50, 499, 500, 501] {
                    assert_eq!(pages(&places, &query, size), whole.places, "{key:?} {descending} {size}");
                }
            }
        }
    }
}

#[test]
fn equal_places_are_ordered_by_ascending_id_in_both_directions() {
    let places = many();
    for descending in [false, true] {
        let sort = PlaceSort { key: PlaceSortKey::Field(PlaceSortField::State), descending };
        let found = places.search(&PlaceQuery { sort, take: usize::MAX, ..PlaceQuery::default() });
        assert!(found.places.iter().map(|index| places.get(*index).id).is_sorted());
        assert_eq!(found.total, 500);
    }
}

#[test]
fn page_after_the_last_one_is_empty() {
    let places = many();
    for sort in
        [PlaceSort::default(), PlaceSort { key: PlaceSortKey::Field(PlaceSortField::City), descending: true }]
    {
        for (skip, take) in [(500, 50), (usize::MAX, usize::MAX), (0, 0)] {
            let found = places.search(&PlaceQuery { sort, skip, take, ..PlaceQuery::default() });
            assert_eq!((found.total, found.places.len()), (500, 0));
        }
    }
}

#[test]
fn sort_field_names_are_unique() {
    let mut names = PlaceSortField::ALL.map(PlaceSortField::as_str).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 10);
}

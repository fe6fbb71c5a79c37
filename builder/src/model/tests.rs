//! The model over a small country.

use std::num::NonZero;
use std::sync::Mutex;

use super::measures::measure_on;
use super::{Inputs, ModelPlace, ModelZip, PlaceTypes};
use dataset::measures::{Measure, MeasuresWriteError};
use dataset::{GeographyIndex, PlaceId, Position, SegmentIndex};

const TYPES: &str = include_str!("../../../data/places/place_types.toml");

const ROWS: usize = 30;

/// A country of ZIP codes five kilometres apart, in two counties; the west has more people than the east.
fn zips() -> Vec<ModelZip> {
    let zip = |at: usize| {
        let (row, column) = (at / ROWS, at % ROWS);
        ModelZip {
            index: GeographyIndex::from_raw(4000 + at as u32),
            position: Position {
                latitude: 40.0 + row as f64 * 0.045,
                longitude: -100.0 + column as f64 * 0.0585,
            },
            population: if at.is_multiple_of(11) { 0 } else { 30_000 / (1 + column as u32) },
            county: usize::from(column >= ROWS / 2),
        }
    };
    (0..ROWS * ROWS).map(zip).collect()
}

fn place(id: u64, place_type: &str, latitude: f64, longitude: f64) -> ModelPlace {
    ModelPlace {
        id: PlaceId::from_raw(id),
        place_type: place_type.to_owned(),
        position: Position { latitude, longitude },
        counted_visits: None,
        inside: None,
    }
}

/// Places all over the country in descending order of their ids, one of a type of its own, one far out at
/// sea.
fn places() -> Vec<ModelPlace> {
    let types = ["Coffee Shop", "Grocery", "Airport", "Zoo"];
    let mut places: Vec<ModelPlace> = (0..600_u64)
        .map(|at| {
            let (latitude, longitude) =
                (40.0 + (at * 37 % 100) as f64 * 0.013, -100.0 + (at * 61 % 97) as f64 * 0.017);
            place(9000 - at, types[at as usize % 3], latitude, longitude)
        })
        .collect();
    places.push(place(1, types[3], 40.5, -99.5));
    places.push(place(2, types[0], 30.0, -60.0));
    places
}

fn segments_of(counties: &[(usize, f64)], persons: u64) -> Vec<(SegmentIndex, u64)> {
    let all: f64 = counties.iter().map(|county| county.1).sum();
    let east: f64 = counties.iter().filter(|county| county.0 == 1).map(|county| county.1).sum();
    let east = (persons as f64 * east / all).round() as u64;
    vec![
        (SegmentIndex::from_raw(0), persons),
        (SegmentIndex::from_raw(1), persons - east),
        (SegmentIndex::from_raw(2), east),
    ]
}

fn model(threads: usize, places: &[ModelPlace]) -> Vec<(PlaceId, Measure)> {
    let types = PlaceTypes::parse(TYPES).unwrap();
    let (zips, county_trend) = (zips(), [[1000.0, 1010.0, 1020.0, 1030.0], [1000.0, 990.0, 980.0, 970.0]]);
    let inputs =
        Inputs { types: &types, zips: &zips, county_trend: &county_trend, places, segments_of: &segments_of };
    let mut measures = Vec::new();
    let mut sink = |place, measure| {
        measures.push((place, measure));
        Ok(())
    };
    measure_on(NonZero::new(threads).unwrap(), inputs, &|_, _, _| {}, &mut sink).unwrap();
    measures
}

fn of(measures: &[(PlaceId, Measure)], id: u64) -> &Measure {
    &measures.iter().find(|(place, _)| place.raw() == id).unwrap().1
}

#[test]
fn every_place_gets_a_record_that_passes_its_check_in_ascending_order() {
    let measures = model(2, &places());
    assert_eq!(measures.len(), 602);
    assert!(measures.is_sorted_by(|a, b| a.0 < b.0));
    for (place, measure) in &measures {
        assert_eq!(measure.check(), Ok(()), "place {place}");
        assert!(measure.modelled && measure.activities >= measure.visits());
        assert!(!measure.certified, "place {place}: nothing was measured");
    }
}

#[test]
fn counted_visits_are_kept_and_the_places_of_the_type_that_nobody_counts_have_fewer() {
    let mut places = places();
    let airports: Vec<usize> = (0..600).filter(|at| places[*at].place_type == "Airport").collect();
    for (at, counted) in airports.iter().zip([1_951_000, 101, 2_000_000_000]) {
        places[*at].counted_visits = Some(counted);
    }
    let measures = model(2, &places);
    let visits = |at: usize| of(&measures, places[at].id.raw()).visits();
    let counted = [visits(airports[0]), visits(airports[1]), visits(airports[2])];
    assert_eq!(counted, [1_951_000, 101, 1_000_000_000], "no count is above the most that is taken");
    let others: Vec<u64> = airports[3..].iter().map(|at| visits(*at)).collect();
    assert!(others.iter().all(|visits| (1..=100).contains(visits)), "{others:?}");
    assert!(others.iter().min() < others.iter().max(), "they still differ by their surroundings");
    let shops = |measures: &[(PlaceId, Measure)]| of(measures, 9000).visits();
    assert_eq!(shops(&measures), shops(&model(2, &self::places())), "other types are as they were");
}

#[test]
fn a_place_inside_another_has_its_visitors_from_where_that_one_has() {
    let mut places = vec![place(1, "Airport", 40.6, -99.0), place(2, "Coffee Shop", 40.61, -99.01)];
    places[0].counted_visits = Some(32_000);
    let outside = model(1, &places);
    places[1].inside = Some(0);
    let inside = model(1, &places);
    let shares = |measures: &[(PlaceId, Measure)], id| -> Vec<(GeographyIndex, f64)> {
        let measure = of(measures, id);
        let share = |visits: u64| visits as f64 / measure.visits() as f64;
        measure.origins.iter().map(|(zip, visits)| (*zip, share(*visits))).collect()
    };
    let (airport, shop) = (shares(&inside, 1), shares(&inside, 2));
    assert_ne!(shares(&outside, 2).len(), airport.len());
    assert_eq!(airport.len(), shop.len());
    for ((zip, part), (same, as_much)) in airport.iter().zip(&shop) {
        assert!(zip == same && (part - as_much).abs() < 0.001, "{zip:?} {part} {same:?} {as_much}");
    }
    let local = |id| of(&inside, id).local_visits as f64 / of(&inside, id).visits() as f64;
    assert!((local(1) - local(2)).abs() < 0.01, "{} {}", local(1), local(2));
    assert_eq!(of(&inside, 2).visits(), of(&outside, 2).visits());
    assert_eq!(of(&inside, 2).years, of(&outside, 2).years);
}

#[test]
fn all_visits_come_from_somewhere() {
    for (place, measure) in model(2, &places()) {
        assert_eq!(
            measure.origins.iter().map(|origin| origin.1).sum::<u64>(),
            measure.visits(),
            "place {place}"
        );
        assert!((1..=48).contains(&measure.origins.len()), "place {place}");
    }
}

#[test]
fn the_records_do_not_depend_on_the_number_of_threads() {
    let one = model(1, &places());
    assert_eq!(one, model(3, &places()));
    assert_eq!(one, model(2, &places()));
}

#[test]
fn the_records_do_not_depend_on_the_order_of_the_places() {
    let mut reversed = places();
    reversed.reverse();
    let (one, other) = (model(2, &places()), model(2, &reversed));
    assert!(!one.is_empty() && one.len() == other.len(), "{} and {}", one.len(), other.len());
    for ((place, a), (_, b)) in one.iter().zip(&other) {
        assert_eq!(
            (a.visits(), a.percentile, &a.origins),
            (b.visits(), b.percentile, &b.origins),
            "place {place}"
        );
    }
}

#[test]
fn more_people_around_bring_more_visits_and_a_higher_percentile() {
    let measures = model(
        1,
        &[place(1, "Bank", 40.6, -99.9), place(2, "Bank", 40.6, -99.0), place(3, "Bank", 40.6, -98.3)],
    );
    let visits: Vec<u64> = measures.iter().map(|(_, measure)| measure.visits()).collect();
    assert!(visits.is_sorted_by(|a, b| a > b), "{visits:?}");
    assert_eq!(measures.iter().map(|(_, one)| one.percentile.unwrap()).collect::<Vec<_>>(), [100, 50, 0]);
}

#[test]
fn places_of_the_same_type_nearby_take_visits_away() {
    let (latitude, longitude) = (40.6, -99.0);
    let mut places = vec![place(1, "Grocery", latitude, longitude), place(2, "Grocery", 40.6, -99.9)];
    let alone = of(&model(1, &places), 1).visits() as f64 / of(&model(1, &places), 2).visits() as f64;
    places.extend((3..6).map(|id| place(id, "Grocery", latitude, longitude + 0.001 * id as f64)));
    let crowded = of(&model(1, &places), 1).visits() as f64 / of(&model(1, &places), 2).visits() as f64;
    assert!(crowded < alone, "{crowded} {alone}");
}

#[test]
fn a_nearer_zip_code_of_as_many_people_sends_more_visits() {
    let zips = zips();
    // Neighbours in a column have as many people.
    let (near, far) = (&zips[15 * ROWS + 10], &zips[17 * ROWS + 10]);
    assert_eq!(near.population, far.population);
    let measures = model(1, &[place(1, "Coffee Shop", near.position.latitude, near.position.longitude)]);
    let visits =
        |zip: &ModelZip| of(&measures, 1).origins.iter().find(|origin| origin.0 == zip.index).unwrap().1;
    assert!(visits(near) > visits(far));
}

#[test]
fn visitors_from_within_ten_miles_are_local() {
    let measures = model(1, &[place(1, "Airport", 40.6, -99.0), place(2, "Coffee Shop", 40.6, -99.0)]);
    let local = |id| of(&measures, id).local_visits as f64 / of(&measures, id).visits() as f64;
    assert!(local(1) < 0.5 && local(2) > 0.9, "{} {}", local(1), local(2));
}

#[test]
fn a_place_without_anybody_around_is_visited_from_the_nearest_zip_code() {
    let measures = model(1, &places());
    let lonely = of(&measures, 2);
    assert_eq!((lonely.origins.len(), lonely.local_visits), (1, 0));
    assert_eq!(lonely.origins[0].0, GeographyIndex::from_raw(4000 + ROWS as u32 - 1));
    assert_eq!(lonely.percentile, Some(0));
}

#[test]
fn a_type_that_the_table_does_not_name_is_modelled_like_the_default() {
    let zoo = model(1, &places());
    assert_eq!((of(&zoo, 1).visits(), of(&zoo, 1).percentile), (3000, Some(100)));
}

#[test]
fn the_county_of_a_place_gives_its_trend() {
    let measures = model(1, &[place(1, "Bank", 40.6, -99.9), place(2, "Bank", 40.6, -98.4)]);
    let years = |id| of(&measures, id).years.iter().map(|year| year.1).collect::<Vec<_>>();
    assert!(years(1).is_sorted_by(|a, b| a < b), "{:?}", years(1));
    assert!(years(2).is_sorted_by(|a, b| a > b), "{:?}", years(2));
}

#[test]
fn mean_minutes_lie_within_their_bins_and_nothing_else_is_read() {
    let wrong =
        |from: &str, to: &str| PlaceTypes::parse(&TYPES.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(
        wrong("dwell_minutes = [15,", "dwell_minutes = [31,"),
        "default: dwell_minutes: 31 is not from 0 to 30"
    );
    assert_eq!(wrong("frequency = 1.5", "frequency = 0.5"), "default: frequency: 0.5 is not from 1 to 100");
    assert_eq!(wrong("reach_km = 40", "reach_km = 0"), "Airport: reach_km: 0 is not from 0.1 to 200");
    assert!(wrong("frequency = 1.5", "frequent = 1.5").contains("unknown field `frequent`"));
}

#[test]
fn a_country_without_people_is_refused() {
    let types = PlaceTypes::parse(TYPES).unwrap();
    let places = places();
    let inputs =
        Inputs { types: &types, zips: &[], county_trend: &[], places: &places, segments_of: &segments_of };
    let error = measure_on(NonZero::<usize>::MIN, inputs, &|_, _, _| {}, &mut |_, _| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "no ZIP code has people, so nobody can visit a place");
}

#[test]
fn both_stages_say_when_they_are_done() {
    let types = PlaceTypes::parse(TYPES).unwrap();
    let (zips, places) = (zips(), places());
    let inputs = Inputs {
        types: &types,
        zips: &zips,
        county_trend: &[[1.0; 4]; 2],
        places: &places,
        segments_of: &segments_of,
    };
    let finished = Mutex::new(Vec::new());
    let progress = |what: &str, done: u64, all: u64| {
        if done == all {
            finished.lock().unwrap().push((what.to_owned(), all));
        }
    };
    measure_on(NonZero::new(2).unwrap(), inputs, &progress, &mut |_, _| Ok(())).unwrap();
    let stages = ["finding who lives around places", "modelling the records of places"];
    assert_eq!(finished.into_inner().unwrap(), stages.map(|stage| (stage.to_owned(), 602)));
}

#[test]
fn a_record_that_is_not_taken_ends_the_model() {
    let types = PlaceTypes::parse(TYPES).unwrap();
    let (zips, places) = (zips(), places());
    let inputs = Inputs {
        types: &types,
        zips: &zips,
        county_trend: &[[1.0; 4]; 2],
        places: &places,
        segments_of: &segments_of,
    };
    let last = PlaceId::from_raw(8500);
    let mut full = |place: PlaceId, _| {
        if place > last { Err(MeasuresWriteError::Order { place, last }.into()) } else { Ok(()) }
    };
    let error = measure_on(NonZero::<usize>::MIN, inputs, &|_, _, _| {}, &mut full).unwrap_err();
    assert!(error.to_string().starts_with("place 8501 follows place 8500"), "{error}");
}

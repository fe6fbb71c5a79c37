//! Tests the model on a small grid of ZIP codes.

mod parameters;
mod surroundings;

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Mutex;

use super::measures::measure_on;
use super::{Brands, Inputs, ModelPlace, ModelZip, PlaceTypes};
use dataset::measures::{Measure, MeasuresWriteError};
use dataset::position::great_circle_km;
use dataset::{GeographyIndex, PlaceId, Position, SegmentIndex};

const TYPES: &str = include_str!("../../../../data/places/place_types.toml");

/// A brand with a published average that is closed on Sundays, and a brand without an average.
const BRANDS: &str = r#"
    inside_airport = 1.5
    military_base = { factor = 0.6, phrases = ["base"] }
    brands."Bean".weekly_visits = 900
    brands."Bean".source = "the bean report"
    brands."Bean".frequency = 2.0
    brands."Bean".closed = ["su"]
    brands."Bean".formats = [{ phrases = ["kiosk"], factor = 0.25 }]
    brands."Cup".source = "nothing is published"
"#;

const ROWS: usize = 30;

/// Returns a grid of ZIP codes that are 5 km apart and have more residents in the west than in the east.
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
            workers: 0,
        }
    };
    (0..ROWS * ROWS).map(zip).collect()
}

fn place(id: u64, place_type: &str, latitude: f64, longitude: f64) -> ModelPlace {
    ModelPlace {
        id: PlaceId::from_raw(id),
        place_type: place_type.to_owned(),
        brand: String::new(),
        format: None,
        size: 1.0,
        position: Position { latitude, longitude },
        counted_years: Vec::new(),
        inside: None,
    }
}

/// Returns a brand's coffee shops across the grid, with consecutive IDs starting at `first`.
fn shops(first: u64, brand: &str) -> impl Iterator<Item = ModelPlace> {
    let brand = brand.to_owned();
    (0..40_u64).map(move |at| {
        let (latitude, longitude) =
            (40.0 + (at * 37 % 100) as f64 * 0.013, -100.0 + (at * 61 % 97) as f64 * 0.017);
        ModelPlace { brand: brand.clone(), ..place(first + at, "Coffee Shop", latitude, longitude) }
    })
}

/// Returns places across the grid in descending order of their IDs, the only place of its type, and a place
/// far out at sea.
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

fn segments_of(origins: &[(GeographyIndex, u64)], persons: u64) -> Vec<(SegmentIndex, u64)> {
    let halves: HashMap<_, _> =
        zips().iter().enumerate().map(|(at, zip)| (zip.index, at % ROWS >= ROWS / 2)).collect();
    let all: u64 = origins.iter().map(|(_, visits)| visits).sum();
    let east: u64 =
        origins.iter().filter(|(zip, _)| halves.get(zip) == Some(&true)).map(|(_, visits)| visits).sum();
    let east = (persons as f64 * east as f64 / all as f64).round() as u64;
    vec![
        (SegmentIndex::from_raw(0), persons),
        (SegmentIndex::from_raw(1), persons - east),
        (SegmentIndex::from_raw(2), east),
    ]
}

fn parameters() -> (PlaceTypes, Brands) {
    (PlaceTypes::parse(TYPES).unwrap(), Brands::parse(BRANDS).unwrap())
}

fn model(threads: usize, places: &[ModelPlace]) -> Vec<(PlaceId, Measure)> {
    model_among(&zips(), threads, places)
}

fn model_among(zips: &[ModelZip], threads: usize, places: &[ModelPlace]) -> Vec<(PlaceId, Measure)> {
    let (types, brands) = parameters();
    let inputs = Inputs { types: &types, brands: &brands, zips, places, segments_of: &segments_of };
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
fn records_are_valid_and_in_ascending_order() {
    let measures = model(2, &places());
    assert_eq!(measures.len(), 602);
    assert!(measures.is_sorted_by(|a, b| a.0 < b.0));
    for (place, measure) in &measures {
        assert_eq!(measure.check(), Ok(()), "place {place}");
        assert!(measure.modelled && measure.activities >= measure.visits());
        assert!(!measure.certified, "place {place}: modeled records aren't certified");
    }
}

#[test]
fn counted_visits_are_kept_and_modeled_visits_are_lower() {
    let mut places = places();
    let airports: Vec<usize> = (0..600).filter(|at| places[*at].place_type == "Airport").collect();
    for (at, counted) in airports.iter().zip([vec![(2018, 1), (2023, 101_798_250)], vec![(2018, 5_270)]]) {
        places[*at].counted_years = counted;
    }
    let measures = model(2, &places);
    let visits = |at: usize| of(&measures, places[at].id.raw()).visits();
    assert_eq!([visits(airports[0]), visits(airports[1])], [1_950_959, 101], "the last counted year");
    let others: Vec<u64> = airports[2..].iter().map(|at| visits(*at)).collect();
    assert!(others.iter().all(|visits| (1..=100).contains(visits)), "{others:?}");
    assert!(others.iter().min() < others.iter().max(), "modeled visits differ");
    let shops = |measures: &[(PlaceId, Measure)]| of(measures, 9000).visits();
    assert_eq!(shops(&measures), shops(&model(2, &self::places())), "other types are unchanged");
}

#[test]
fn history_contains_only_counted_years() {
    let mut places = vec![place(1, "Airport", 40.6, -99.0), place(2, "Airport", 40.61, -99.01)];
    places[0].counted_years = vec![(2018, 90_000), (2023, 100_000)];
    let measures = model(1, &places);
    let years: Vec<_> = measures.iter().map(|(_, measure)| measure.years.as_slice()).collect();
    assert_eq!(years, [&[(2018, 90_000), (2023, 100_000)][..], &[]]);
    assert!(measures.iter().all(|(_, measure)| measure.weeks.is_empty()));
}

#[test]
fn place_inside_another_has_the_same_origins() {
    let mut places = vec![place(1, "Airport", 40.6, -99.0), place(2, "Coffee Shop", 40.61, -99.01)];
    places[0].counted_years = vec![(2023, 1_669_714)];
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
    for ((zip, share), (other_zip, other_share)) in airport.iter().zip(&shop) {
        assert!(
            zip == other_zip && (share - other_share).abs() < 0.001,
            "{zip:?} {share} {other_zip:?} {other_share}"
        );
    }
    let local = |id| of(&inside, id).local_visits as f64 / of(&inside, id).visits() as f64;
    assert!((local(1) - local(2)).abs() < 0.01, "{} {}", local(1), local(2));
    assert_eq!(of(&inside, 2).visits(), of(&outside, 2).visits());
}

#[test]
fn origins_sum_to_the_visits() {
    for (place, measure) in model(2, &places()) {
        assert_eq!(
            measure.origins.iter().map(|origin| origin.1).sum::<u64>(),
            measure.visits(),
            "place {place}"
        );
        assert!((1..=48 + 96).contains(&measure.origins.len()), "place {place}");
    }
}

#[test]
fn records_do_not_depend_on_the_number_of_threads() {
    let one = model(1, &places());
    assert_eq!(one, model(3, &places()));
    assert_eq!(one, model(2, &places()));
}

#[test]
fn records_do_not_depend_on_the_order_of_places() {
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
fn more_nearby_residents_increase_visits_and_percentile() {
    let measures = model(
        1,
        &[place(1, "Bank", 40.6, -99.9), place(2, "Bank", 40.6, -99.0), place(3, "Bank", 40.6, -98.3)],
    );
    let visits: Vec<u64> = measures.iter().map(|(_, measure)| measure.visits()).collect();
    assert!(visits.is_sorted_by(|a, b| a > b), "{visits:?}");
    assert_eq!(measures.iter().map(|(_, one)| one.percentile.unwrap()).collect::<Vec<_>>(), [100, 50, 0]);
}

#[test]
fn nearby_places_of_the_same_type_reduce_visits() {
    let (latitude, longitude) = (40.6, -99.0);
    let mut places = vec![place(1, "Grocery", latitude, longitude), place(2, "Grocery", 40.6, -99.9)];
    let uncontested = of(&model(1, &places), 1).visits() as f64 / of(&model(1, &places), 2).visits() as f64;
    places.extend((3..6).map(|id| place(id, "Grocery", latitude, longitude + 0.001 * id as f64)));
    let crowded = of(&model(1, &places), 1).visits() as f64 / of(&model(1, &places), 2).visits() as f64;
    assert!(crowded < uncontested, "{crowded} {uncontested}");
}

#[test]
fn nearer_zip_code_of_equal_population_sends_more_visits() {
    let zips = zips();
    // ZIP codes in the same column have the same population.
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
fn remote_place_is_visited_from_the_nearest_zip_code() {
    let measures = model(1, &places());
    let lonely = of(&measures, 2);
    assert_eq!((lonely.origins.len(), lonely.local_visits), (1, 0));
    assert_eq!(lonely.origins[0].0, GeographyIndex::from_raw(4000 + ROWS as u32 - 1));
    assert_eq!(lonely.percentile, Some(0));
}

#[test]
fn unknown_place_type_uses_the_default() {
    let zoo = model(1, &places());
    assert_eq!((of(&zoo, 1).visits(), of(&zoo, 1).percentile), (3000, Some(100)));
}

#[test]
fn standalone_places_of_a_brand_have_its_published_average() {
    let mut places: Vec<ModelPlace> = shops(1, "Bean").chain(shops(101, "Cup")).collect();
    places[3].format = Some(20.0);
    places[4].size = 3.0;
    let measures = model(2, &places);
    let visits = |at: usize| of(&measures, places[at].id.raw()).visits() as f64;
    let sum: f64 = (0..40).filter(|at| *at != 3).map(visits).sum();
    assert!((sum / 39.0 - 900.0).abs() < 1.0, "{sum}");
    // The shops of both brands have the same surroundings.
    let ratios = [0, 1, 2].map(|at| visits(at) / visits(at + 40));
    assert!(ratios.iter().all(|ratio| (ratio / ratios[0] - 1.0).abs() < 0.01), "{ratios:?}");
    assert!((visits(3) / visits(43) / ratios[0] - 20.0).abs() < 0.2, "format");
    assert!((visits(4) / visits(44) / ratios[0] - 3.0).abs() < 0.03, "size");
}

#[test]
fn brand_without_an_average_uses_the_base_of_the_type() {
    let of_brand = |brand: &str| model(1, &shops(1, brand).collect::<Vec<_>>());
    assert_eq!(of_brand("Cup"), of_brand(""), "nothing is published");
    assert_eq!(of_brand("Blue Kettle"), of_brand(""), "the file doesn't list the brand");
    assert_ne!(of_brand("Bean"), of_brand(""));
}

#[test]
fn brand_has_no_visits_on_days_when_it_is_closed() {
    let measures = model(1, &shops(1, "Bean").chain(shops(101, "Cup")).collect::<Vec<_>>());
    for (place, measure) in &measures {
        let days = measure.hours.map(|hours| hours.iter().sum::<u64>());
        assert_eq!(days[6] == 0, place.raw() < 101, "place {place}: {days:?}");
        assert!(days[..6].iter().all(|visits| *visits > 0), "place {place}: {days:?}");
        assert_eq!(measure.check(), Ok(()), "place {place}");
    }
}

#[test]
fn frequency_of_a_brand_replaces_that_of_the_type() {
    let measures = model(1, &shops(1, "Bean").chain(shops(101, "Cup")).collect::<Vec<_>>());
    let frequency = |id| of(&measures, id).visits() as f64 / of(&measures, id).unique_persons as f64;
    assert!((frequency(1) - 2.0).abs() < 0.01, "{}", frequency(1));
    assert!((frequency(101) - 1.3).abs() < 0.01, "{}", frequency(101));
}

#[test]
fn percentile_compares_all_brands_of_a_type() {
    let mut places: Vec<ModelPlace> = shops(1, "Bean").chain(shops(101, "Cup")).collect();
    places[0].format = Some(100.0);
    let measures = model(1, &places);
    assert_eq!(of(&measures, 1).percentile, Some(100));
}

#[test]
fn model_without_residents_fails() {
    let (types, brands) = parameters();
    let inputs =
        Inputs { types: &types, brands: &brands, zips: &[], places: &places(), segments_of: &segments_of };
    let error = measure_on(NonZero::<usize>::MIN, inputs, &|_, _, _| {}, &mut |_, _| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "no ZIP code has residents, so the model cannot estimate visits");
}

#[test]
fn both_stages_report_completion() {
    let (types, brands) = parameters();
    let inputs = Inputs {
        types: &types,
        brands: &brands,
        zips: &zips(),
        places: &places(),
        segments_of: &segments_of,
    };
    let finished = Mutex::new(Vec::new());
    let progress = |what: &str, done: u64, all: u64| {
        if done == all {
            finished.lock().unwrap().push((what.to_owned(), all));
        }
    };
    measure_on(NonZero::new(2).unwrap(), inputs, &progress, &mut |_, _| Ok(())).unwrap();
    let stages = ["finding people near places", "modelling visits to places"];
    assert_eq!(finished.into_inner().unwrap(), stages.map(|stage| (stage.to_owned(), 602)));
}

#[test]
fn sink_error_stops_the_model() {
    let (types, brands) = parameters();
    let inputs = Inputs {
        types: &types,
        brands: &brands,
        zips: &zips(),
        places: &places(),
        segments_of: &segments_of,
    };
    let last = PlaceId::from_raw(8500);
    let mut full = |place: PlaceId, _| {
        if place > last { Err(MeasuresWriteError::Order { place, last }.into()) } else { Ok(()) }
    };
    let error = measure_on(NonZero::<usize>::MIN, inputs, &|_, _, _| {}, &mut full).unwrap_err();
    assert!(error.to_string().starts_with("place 8501 follows place 8500"), "{error}");
}

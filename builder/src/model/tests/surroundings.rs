//! Tests the effects of nearby people and stops.

use super::*;

/// Returns places of one type in a row near the center of the grid.
fn row_of(place_type: &str) -> Vec<ModelPlace> {
    (1..=5).map(|id| place(id, place_type, 40.6, -99.2 + 0.25 * (id as f64 - 3.0))).collect()
}

/// Sums `count` over the ZIP codes within six times the reach of a place, weighted by distance.
fn weighted_sum(place: &ModelPlace, reach_km: f64, count: &dyn Fn(usize) -> f64) -> f64 {
    let km = |zip: &ModelZip| great_circle_km(place.point(), zip.position.to_unit_vector());
    let near = zips().iter().map(km).enumerate().collect::<Vec<_>>();
    let near = near.into_iter().filter(|(_, km)| *km <= 6.0 * reach_km);
    near.map(|(zip, km)| count(zip) * (-km / reach_km).exp()).sum()
}

#[test]
fn workers_count_as_much_as_the_type_says() {
    for (place_type, reach_km, weight) in
        [("Coffee Shop", 3.0, 0.8), ("Grocery", 5.0, 0.2), ("Movie Theater", 9.0, 0.0)]
    {
        let (places, zips) = (row_of(place_type), zips());
        // The westernmost place has the most residents, so more people there don't change the median.
        let km = |at: &usize| great_circle_km(places[0].point(), zips[*at].position.to_unit_vector());
        let nearest = (0..zips.len()).min_by(|a, b| km(a).total_cmp(&km(b))).unwrap();
        let mut with_workers = zips.clone();
        with_workers[nearest].workers = 20_000;
        let visits = |zips: &[ModelZip]| of(&model_among(zips, 1, &places), 1).visits() as f64;
        let residents = weighted_sum(&places[0], reach_km, &|zip| f64::from(zips[zip].population));
        let workers = weighted_sum(&places[0], reach_km, &|zip| f64::from(with_workers[zip].workers));
        let expected = ((residents + weight * workers) / residents).sqrt();
        let ratio = visits(&with_workers) / visits(&zips);
        assert!((ratio / expected - 1.0).abs() < 0.001, "{place_type}: {ratio} and {expected}");
    }
}

#[test]
fn workers_come_from_farther_away_than_residents() {
    let places = [place(1, "Coffee Shop", 40.6, -99.2)];
    let mut zips = zips();
    let mean_km = |zips: &[ModelZip]| {
        let measures = model_among(zips, 1, &places);
        let km = |index: &GeographyIndex| {
            let zip = zips.iter().find(|zip| zip.index == *index).unwrap();
            great_circle_km(places[0].point(), zip.position.to_unit_vector())
        };
        let measure = of(&measures, 1);
        measure.origins.iter().map(|(zip, visits)| km(zip) * *visits as f64).sum::<f64>()
            / measure.visits() as f64
    };
    let residents = mean_km(&zips);
    zips.iter_mut().for_each(|zip| zip.workers = 10 * zip.population);
    let all = mean_km(&zips);
    assert!(all > 1.5 * residents, "{all} and {residents}");
}

/// Returns a counted year with the given number of weekly visits.
fn counted(weekly: u64) -> Vec<(u16, u64)> {
    vec![(2023, (weekly as f64 * 365.25 / 7.0).round() as u64)]
}

#[test]
fn riders_at_stops_within_400_meters_increase_visits() {
    let stop = |latitude: f64| ModelPlace {
        counted_years: counted(700_000),
        ..place(9, "Subway Station", latitude, -99.2)
    };
    for (place_type, exponent) in [("Coffee Shop", 0.2), ("Drug Store", 0.15), ("Movie Theater", 0.0)] {
        // The place in the middle, with ID 3, is 0.35 km or 0.45 km from the stop.
        for (km, riders) in [(0.35, 100_000.0), (0.45, 0.0)] {
            let (mut places, without) = (row_of(place_type), row_of(place_type));
            places.push(stop(40.6 + km / 111.195));
            let visits = |places: &[ModelPlace], id| of(&model(1, places), id).visits() as f64;
            let expected = (1.0_f64 + riders / 10_000.0).powf(exponent);
            let ratio = visits(&places, 3) / visits(&without, 3);
            assert!((ratio / expected - 1.0).abs() < 0.001, "{place_type} {km}: {ratio} and {expected}");
            assert_eq!(visits(&places, 2), visits(&without, 2));
        }
    }
}

#[test]
fn only_size_decides_the_visits_to_subway_stations() {
    let mut places = vec![
        place(1, "Subway Station", 40.6, -99.9),
        place(2, "Subway Station", 40.6, -98.4),
        place(3, "Subway Station", 40.6001, -98.4),
    ];
    for (place, size) in places.iter_mut().zip([0.5, 2.0, 1.0]) {
        place.size = size;
    }
    let measures = model(1, &places);
    assert_eq!([1, 2, 3].map(|id| of(&measures, id).visits()), [51_000, 204_000, 102_000]);
}

#[test]
fn national_share_comes_from_everywhere_in_proportion_to_population_and_distance() {
    let mut zips = zips();
    let far = ModelZip {
        position: Position { latitude: 40.6, longitude: -80.0 },
        population: 30_000,
        ..zips[0].clone()
    };
    zips.extend((0..200).map(|at| ModelZip { index: GeographyIndex::from_raw(9000 + at), ..far.clone() }));
    let is_far = |origin: &&(GeographyIndex, u64)| origin.0.raw() >= 9000;
    for weekly in [40, 1_000, 96_000] {
        let airport = ModelPlace { counted_years: counted(weekly), ..place(1, "Airport", 40.6, -99.2) };
        let measures = model_among(&zips, 1, std::slice::from_ref(&airport));
        let origins = &of(&measures, 1).origins;
        let visits: u64 = origins.iter().filter(is_far).map(|origin| origin.1).sum();
        let weight = |zip: &ModelZip| {
            let km = great_circle_km(airport.point(), zip.position.to_unit_vector());
            f64::from(zip.population) * (-km / 1500.0).exp()
        };
        let sum = |zips: &[ModelZip]| zips.iter().map(weight).sum::<f64>();
        let national = 0.5 * weekly as f64;
        let expected = national * sum(&zips[ROWS * ROWS..]) / sum(&zips);
        let of_one_draw = (national / 96.0).max(1.0);
        assert!((visits as f64 - expected).abs() <= 1.0 + of_one_draw, "{weekly}: {visits} and {expected}");
    }
    let shop = model_among(&zips, 1, &[place(1, "Coffee Shop", 40.6, -99.2)]);
    assert_eq!(of(&shop, 1).origins.iter().filter(is_far).count(), 0);
}

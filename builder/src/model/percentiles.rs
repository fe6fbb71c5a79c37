//! Computes the visits and percentiles for all places of one type.

use std::collections::BTreeMap;

use dataset::measures::MOST;

use super::parameters::PlaceType;

/// The factors that determine the visits to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand<'a> {
    /// The number of nearby persons, weighted by distance.
    pub(super) people: f64,
    /// The place's share under competition, as defined in the [`model`](super) module.
    pub(super) share: f64,
    /// The factor for the riders at stops within walking distance.
    pub(super) transit: f64,
    /// The size relative to the average for the place's type and brand.
    pub(super) size: f64,
    /// The factor for the place's format, or `None` if the place is standalone.
    pub(super) format: Option<f64>,
    pub(super) brand: &'a str,
    /// The number of weekly visits to the place, if they have been counted.
    pub(super) counted: Option<u64>,
}

/// Returns the weekly visits to each place of one type. Counted visits are kept. Modelled visits are below
/// the lowest count, but at least 1.
///
/// `average` returns the published average of the visits to a brand's standalone places.
pub(super) fn visits(
    of_type: &PlaceType,
    average: &dyn Fn(&str) -> Option<f64>,
    places: &[Demand<'_>],
) -> Vec<u64> {
    let uncounted = || places.iter().filter(|place| place.counted.is_none());
    let people = median(uncounted().map(|place| place.people));
    let share = median(uncounted().map(|place| place.share));
    let relative = |place: &Demand<'_>| {
        let surroundings = (place.people / people).sqrt() * place.share / share;
        surroundings.powf(of_type.surroundings) * place.transit * place.size
    };
    let means = standalone_means(places, &relative);
    let base_of = |brand: &str| match average(brand) {
        Some(average) => average / means.get(brand).unwrap_or(&1.0),
        None => of_type.weekly_visits,
    };
    let fewest = places.iter().filter_map(|place| place.counted).min();
    let most = fewest.map_or(MOST, |fewest| fewest.saturating_sub(1)).clamp(1, MOST);
    let modelled = |place: &Demand<'_>| {
        let visits = base_of(place.brand) * relative(place) * place.format.unwrap_or(1.0);
        (visits.round() as u64).clamp(1, most)
    };
    places
        .iter()
        .map(|place| place.counted.map_or_else(|| modelled(place), |visits| visits.clamp(1, MOST)))
        .collect()
}

/// Returns the mean of a value over each brand's standalone places. Omits brands without standalone places.
fn standalone_means<'a>(places: &[Demand<'a>], value: &dyn Fn(&Demand<'a>) -> f64) -> BTreeMap<&'a str, f64> {
    let mut sums = BTreeMap::<&str, (f64, f64)>::new();
    for place in places.iter().filter(|place| place.format.is_none()) {
        let (sum, count) = sums.entry(place.brand).or_default();
        (*sum, *count) = (*sum + value(place), *count + 1.0);
    }
    sums.into_iter().map(|(brand, (sum, count))| (brand, sum / count)).collect()
}

/// Returns each place's percentile: the percentage of the other places that have fewer visits, rounded down.
/// If there is only one place, its percentile is 100.
pub(super) fn percentiles(visits: &[u64]) -> Vec<u8> {
    let mut sorted = visits.to_vec();
    sorted.sort_unstable();
    let others = visits.len().saturating_sub(1);
    let fewer = |visits: &u64| sorted.partition_point(|other| other < visits);
    let of_hundred = |visits: &u64| (100 * fewer(visits)).checked_div(others).unwrap_or(100);
    visits
        .iter()
        .map(|visits| u8::try_from(of_hundred(visits)).expect("a percentage is at most 100"))
        .collect()
}

/// Returns the median of the values. If their number is even, the median is the greater of the two middle
/// values. If there are no values, it's 1.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}

//! How many visits the places of a type have, and how they compare with each other.

use dataset::measures::MOST;

/// What the visits of a place follow from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// The people around it, each weighing the less the farther away.
    pub(super) people: f64,
    /// The share that competition leaves it.
    pub(super) share: f64,
    /// Its visits, where somebody counted them.
    pub(super) counted: Option<u64>,
}

/// Returns the visits of the places of a type: the counted ones as they are, and below the fewest of those
/// what the surroundings of the others suggest.
pub(super) fn visits(base: f64, places: &[Demand]) -> Vec<u64> {
    let uncounted = || places.iter().filter(|place| place.counted.is_none());
    let people = median(uncounted().map(|place| place.people));
    let share = median(uncounted().map(|place| place.share));
    let fewest = places.iter().filter_map(|place| place.counted).min();
    let most = fewest.map_or(MOST, |fewest| fewest.saturating_sub(1)).clamp(1, MOST);
    let modelled = |place: &Demand| {
        let visits = base * (place.people / people).sqrt() * place.share / share;
        (visits.round() as u64).clamp(1, most)
    };
    places
        .iter()
        .map(|place| place.counted.map_or_else(|| modelled(place), |visits| visits.clamp(1, MOST)))
        .collect()
}

/// Returns how many of a hundred others each has more visits than; one alone is above all there are.
pub(super) fn percentiles(visits: &[u64]) -> Vec<u8> {
    let mut sorted = visits.to_vec();
    sorted.sort_unstable();
    let others = visits.len().saturating_sub(1);
    let fewer = |visits: &u64| sorted.partition_point(|other| other < visits);
    let of_hundred = |visits: &u64| (100 * fewer(visits)).checked_div(others).unwrap_or(100);
    visits
        .iter()
        .map(|visits| u8::try_from(of_hundred(visits)).expect("at most all others have fewer"))
        .collect()
}

/// Returns the middle one, or the upper one of the two in the middle; 1 of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}

//! How the places of a type compare with each other.

use dataset::measures::MOST;

/// Returns the visits of the places of a type from the people around each and the share left to it.
pub(super) fn visits(base: f64, surroundings: &[(f64, f64)]) -> Vec<u64> {
    let people = median(surroundings.iter().map(|one| one.0));
    let share = median(surroundings.iter().map(|one| one.1));
    let visits = |one: &(f64, f64)| base * (one.0 / people).sqrt() * one.1 / share;
    surroundings.iter().map(|one| (visits(one).round() as u64).clamp(1, MOST)).collect()
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

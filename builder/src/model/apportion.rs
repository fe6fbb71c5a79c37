//! Divides integers in proportion to floating-point weights.

/// Divides a total into parts in proportion to weights, using the largest remainder method. If remainders are
/// equal, the earlier part is rounded up.
///
/// The parts add up to the total. No weight can be negative, and at least one must be positive. To divide by
/// integer weights without rounding errors, use `crate::cohorts::apportion`.
pub(crate) fn apportion(whole: u64, weights: &[f64]) -> Vec<u64> {
    let sum: f64 = weights.iter().sum();
    let quotas: Vec<f64> = weights.iter().map(|weight| whole as f64 * weight / sum).collect();
    let mut parts: Vec<u64> = quotas.iter().map(|quota| *quota as u64).collect();
    let left = whole.saturating_sub(parts.iter().sum());
    let mut order: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] > 0.0).collect();
    // A stable sort keeps equal remainders in their original order.
    order.sort_by(|a, b| quotas[*b].fract().total_cmp(&quotas[*a].fract()));
    for at in order.into_iter().cycle().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        parts[at] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::apportion;

    proptest! {
        #[test]
        fn parts_sum_to_the_total_and_are_within_one_of_their_quotas(
            whole in 0..10_000_000_000_u64,
            weights in proptest::collection::vec(prop_oneof![Just(0.0), 0.0..1.0_f64, 0.0..1e9_f64], 1..200),
        ) {
            prop_assume!(weights.iter().any(|weight| *weight > 0.0));
            let parts = apportion(whole, &weights);
            prop_assert_eq!(parts.iter().sum::<u64>(), whole);
            let sum: f64 = weights.iter().sum();
            for (part, weight) in parts.iter().zip(&weights) {
                prop_assert!((*part as f64 - whole as f64 * weight / sum).abs() <= 1.0 + 1e-5);
                prop_assert!(*weight > 0.0 || *part == 0);
            }
        }
    }

    #[test]
    fn ties_go_to_the_earlier_part() {
        assert_eq!(apportion(5, &[1.0, 1.0, 1.0]), [2, 2, 1]);
    }
}

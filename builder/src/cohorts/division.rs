//! Divides an area's population into cells by sex and age, by ethnicity, and by household income.

use std::cmp::Reverse;

use dataset::cohorts::{CELLS, Cells};

use super::catalogue::CATALOGUE;

/// Returns each cell's share of the population, as a weighted mean over several areas, in hundred-millionths.
/// `areas` contains the cells and the weight of each area. Areas without residents are ignored. If no areas
/// are left, all shares are 0.
pub(crate) fn mean_shares<'a>(areas: impl Iterator<Item = (&'a Cells, f64)>) -> Cells {
    /// The sum of the shares for each kind of cell, apart from rounding errors.
    const UNIT: f64 = 1e8;
    let (mut sums, mut weights) = ([0.0; CELLS], 0.0);
    for (cells, weight) in areas {
        let persons: f64 = cells.age_sex.iter().map(|cell| f64::from(*cell)).sum();
        if persons > 0.0 {
            weights += weight;
            sums.iter_mut()
                .zip(cells.iter())
                .for_each(|(sum, cell)| *sum += weight * f64::from(cell) / persons);
        }
    }
    let part = |sum: f64| if weights > 0.0 { (UNIT * sum / weights).round() as u32 } else { 0 };
    Cells::from_array(sums.map(part))
}

/// Divides a number of persons into cells in proportion to `shares`, which can be in any unit, such as
/// persons or percent.
///
/// For each kind of cell, the cells add up to exactly `persons`.
pub(crate) fn cells_of(persons: u32, shares: &Cells) -> Cells {
    let mut cells = Cells::default();
    cells.age_sex.copy_from_slice(&apportion(persons, &shares.age_sex));
    cells.ethnicity.copy_from_slice(&apportion(persons, &shares.ethnicity));
    cells.income.copy_from_slice(&apportion(persons, &shares.income));
    cells
}

/// Returns the number of persons in each cohort, in the same order as [`CATALOGUE`].
pub(crate) fn expand(cells: &Cells, persons: u32) -> Vec<u32> {
    CATALOGUE.iter().map(|cohort| cells.persons_of(cohort.cells, persons)).collect()
}

/// Divides a total in proportion to weights, using the largest remainder method. The parts add up to the
/// total.
///
/// If remainders are equal, the earlier part is rounded up. If all weights are 0, they're treated as equal.
/// The computation uses only integers, so the result doesn't depend on floating-point rounding.
pub(crate) fn apportion(total: u32, weights: &[u32]) -> Vec<u32> {
    let sum: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    if sum == 0 && !weights.is_empty() {
        return apportion(total, &vec![1; weights.len()]);
    }
    let exact = weights.iter().map(|weight| u64::from(total) * u64::from(*weight));
    let (mut parts, remainders): (Vec<u32>, Vec<u64>) = exact
        .map(|product| {
            // No weight exceeds the sum, so no part exceeds the total.
            (u32::try_from(product / sum).expect("a part is at most the total"), product % sum)
        })
        .unzip();
    let left = total as usize - parts.iter().map(|part| *part as usize).sum::<usize>();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|part| Reverse(remainders[*part]));
    order.iter().take(left).for_each(|part| parts[*part] += 1);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn leftover_units_go_to_the_largest_remainders_then_to_earlier_parts() {
        assert_eq!(apportion(10, &[1, 1, 1]), [4, 3, 3]);
        assert_eq!(apportion(7, &[50, 30, 20]), [4, 2, 1]);
        assert_eq!(apportion(5, &[0, 1, 0]), [0, 5, 0]);
        assert_eq!(apportion(5, &[0, 0]), [3, 2]);
        assert_eq!(apportion(0, &[3, 1]), [0, 0]);
    }

    fn shares() -> impl Strategy<Value = Cells> {
        let cells = prop::collection::vec(prop_oneof![Just(0_u32), 0..20_u32, any::<u32>()], CELLS);
        cells.prop_map(|cells| Cells::from_array(cells.try_into().expect("the vector has `CELLS` items")))
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_total_and_are_within_one_of_the_exact_share(
            total: u32,
            weights in prop::collection::vec(prop_oneof![0..20_u32, any::<u32>()], 1..50),
        ) {
            let parts = apportion(total, &weights);
            prop_assert_eq!(parts.iter().map(|part| u64::from(*part)).sum::<u64>(), u64::from(total));
            let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
            for (part, weight) in parts.iter().zip(&weights) {
                let exact = u128::from(total) * u128::from(*weight);
                prop_assert!(sum == 0 || (u128::from(*part) * sum).abs_diff(exact) < sum);
            }
        }

        #[test]
        fn each_kind_of_cells_sums_to_the_population(persons: u32, shares in shares()) {
            let cells = cells_of(persons, &shares);
            let sum = |cells: &[u32]| cells.iter().map(|cell| u64::from(*cell)).sum::<u64>();
            prop_assert_eq!(sum(&cells.age_sex), u64::from(persons));
            prop_assert_eq!(sum(&cells.income), u64::from(persons));
            prop_assert_eq!(sum(&cells.ethnicity), u64::from(persons));
        }
    }
}

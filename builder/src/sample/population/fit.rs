//! Fits tables of whole persons to known row and column totals.

/// The maximum number of scaling rounds, each over all rows and columns. Most tables need fewer than 20
/// rounds.
const ROUNDS: usize = 100;

/// Scaling ends when no row deviates from its total by more than this fraction. This deviation is far below
/// half a person.
const TOLERANCE: f64 = 1e-7;

/// The share of each row that is taken from the column totals instead of the seeds. Without it, a group that
/// wasn't found by a small survey would have no residents.
const PRIOR: f64 = 0.001;

/// Fills a table whose rows and columns have the given totals and whose proportions are as close as possible
/// to those of `seeds`. The sum of the row totals must equal the sum of the column totals.
///
/// The seeds are alternately scaled to the row totals and to the column totals (iterative proportional
/// fitting: Deming and Stephan, 1940, <https://doi.org/10.1214/aoms/1177731829>) and then rounded. Rows are
/// rounded in ascending order of their totals. Each row corrects the rounding errors of earlier rows, and the
/// largest row absorbs the remainder, so the row and column totals are exact.
pub(super) fn fit<const N: usize>(
    rows: &[u32],
    columns: &[u32; N],
    mut seeds: Vec<[f64; N]>,
) -> Vec<[u32; N]> {
    let sum: f64 = columns.iter().copied().map(f64::from).sum();
    for seed in &mut seeds {
        let whole: f64 = seed.iter().sum();
        for (cell, column) in seed.iter_mut().zip(columns) {
            let share = if whole > 0.0 { *cell / whole } else { 0.0 };
            *cell = share + PRIOR * f64::from(*column) / sum.max(1.0);
        }
    }
    scale(rows, columns, &mut seeds);
    round(rows, columns, &seeds)
}

fn scale<const N: usize>(rows: &[u32], columns: &[u32; N], table: &mut [[f64; N]]) {
    for _ in 0..ROUNDS {
        let mut deviation: f64 = 0.0;
        let mut sums = [0.0; N];
        for (total, row) in rows.iter().zip(table.iter_mut()) {
            let sum: f64 = row.iter().sum();
            let factor = factor(*total, sum);
            deviation = deviation.max((factor - 1.0).abs() * f64::from(*total).min(1.0));
            for (cell, sum) in row.iter_mut().zip(&mut sums) {
                *cell *= factor;
                *sum += *cell;
            }
        }
        if deviation < TOLERANCE {
            return;
        }
        let factors: [f64; N] = std::array::from_fn(|column| factor(columns[column], sums[column]));
        table
            .iter_mut()
            .for_each(|row| row.iter_mut().zip(factors).for_each(|(cell, factor)| *cell *= factor));
    }
}

fn factor(total: u32, sum: f64) -> f64 {
    if sum > 0.0 { f64::from(total) / sum } else { 0.0 }
}

fn round<const N: usize>(rows: &[u32], columns: &[u32; N], exact: &[[f64; N]]) -> Vec<[u32; N]> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|row| rows[*row]);
    let (mut left, mut error) = (*columns, [0.0; N]);
    let mut table = vec![[0; N]; rows.len()];
    for row in order {
        error.iter_mut().zip(exact[row]).for_each(|(error, exact)| *error += exact);
        table[row] = divide(rows[row], &error, &left);
        for (cell, persons) in table[row].iter().enumerate() {
            left[cell] -= persons;
            error[cell] -= f64::from(*persons);
        }
    }
    table
}

/// Divides a total into whole parts that are close to `exact` and don't exceed their limits. The sum of the
/// limits must be at least the total.
fn divide<const N: usize>(total: u32, exact: &[f64; N], limits: &[u32; N]) -> [u32; N] {
    let mut parts: [u32; N] = std::array::from_fn(|cell| (exact[cell].max(0.0) as u32).min(limits[cell]));
    let sum: u32 = parts.iter().sum();
    let remainder = |parts: &[u32; N], cell: usize| exact[cell] - f64::from(parts[cell]);
    for _ in sum..total {
        let open = (0..N).filter(|cell| parts[*cell] < limits[*cell]);
        let cell = open.max_by(|a, b| remainder(&parts, *a).total_cmp(&remainder(&parts, *b)).then(b.cmp(a)));
        parts[cell.expect("the limits sum to at least the total")] += 1;
    }
    for _ in total..sum {
        let taken = (0..N).filter(|cell| parts[*cell] > 0);
        let cell =
            taken.min_by(|a, b| remainder(&parts, *a).total_cmp(&remainder(&parts, *b)).then(a.cmp(b)));
        parts[cell.expect("the parts sum to more than the total")] -= 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fit;

    /// Returns a table, from which tests compute the row and column totals, and seeds with the same number of
    /// rows.
    fn tables() -> impl Strategy<Value = (Vec<[u32; 4]>, Vec<[f64; 4]>)> {
        let cell = || prop_oneof![Just(0_u32), 0..20_u32, 0..100_000_u32];
        let seed = || prop_oneof![Just(0.0), 0.0..1.0_f64, 0.0..1e6_f64];
        (1..40_usize).prop_flat_map(move |rows| {
            (
                prop::collection::vec([cell(), cell(), cell(), cell()], rows),
                prop::collection::vec([seed(), seed(), seed(), seed()], rows),
            )
        })
    }

    proptest! {
        #[test]
        fn rows_and_columns_have_exactly_their_totals((target, seeds) in tables()) {
            let rows: Vec<u32> = target.iter().map(|row| row.iter().sum()).collect();
            let columns: [u32; 4] = std::array::from_fn(|at| target.iter().map(|row| row[at]).sum());
            let table = fit(&rows, &columns, seeds);
            let found: Vec<u32> = table.iter().map(|row| row.iter().sum()).collect();
            prop_assert_eq!(found, rows);
            let found: [u32; 4] = std::array::from_fn(|at| table.iter().map(|row| row[at]).sum());
            prop_assert_eq!(found, columns);
        }

        #[test]
        fn table_that_already_has_its_totals_is_kept((target, _) in tables()) {
            let rows: Vec<u32> = target.iter().map(|row| row.iter().sum()).collect();
            let columns: [u32; 4] = std::array::from_fn(|at| target.iter().map(|row| row[at]).sum());
            let table = fit(&rows, &columns, target.iter().map(|row| row.map(f64::from)).collect());
            for (found, target) in table.iter().zip(&target) {
                let persons: u32 = target.iter().sum();
                // The prior can shift up to a thousandth of a row, and rounding can shift one or two more
                // persons.
                let most = 2.0 + 0.004 * f64::from(persons);
                for (found, target) in found.iter().zip(target) {
                    prop_assert!((f64::from(*found) - f64::from(*target)).abs() <= most, "{:?}", table);
                }
            }
        }
    }

    #[test]
    fn odds_ratios_of_the_seeds_are_kept() {
        let table = fit(&[4_000, 6_000], &[5_000, 5_000], vec![[3.0, 1.0], [1.0, 1.0]]);
        let [[a, b], [c, d]] = [table[0].map(f64::from), table[1].map(f64::from)];
        let odds = a * d / (b * c);
        assert!((odds - 3.0).abs() < 0.02, "{table:?} has odds {odds}");
    }
}

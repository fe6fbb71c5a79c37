//! Distributions of household income.

use dataset::cohorts::INCOMES;

/// The limits of the income brackets, in dollars. The lowest and the highest limit are assumptions. Few
/// households report incomes outside this range.
const LIMITS: [f64; INCOMES + 1] = [
    1_000.0,
    10_000.0,
    15_000.0,
    25_000.0,
    35_000.0,
    50_000.0,
    75_000.0,
    100_000.0,
    150_000.0,
    200_000.0,
    1_000_000.0,
];

/// A distribution of households over the income brackets. Within a bracket, the logarithm of the income is
/// distributed uniformly.
pub(super) struct Incomes {
    /// The share of households below each limit, from 0 to 1.
    below: [f64; INCOMES + 1],
}

impl Incomes {
    /// Creates a distribution from each bracket's share of households, in any unit.
    pub(super) fn new(shares: &[u32; INCOMES]) -> Self {
        let sum: f64 = shares.iter().copied().map(f64::from).sum();
        let mut below = [0.0; INCOMES + 1];
        for (bracket, share) in shares.iter().enumerate() {
            below[bracket + 1] = below[bracket] + f64::from(*share) / sum;
        }
        Self { below }
    }

    /// Scales all incomes so that their median is `median`, and returns the share of households in each
    /// bracket.
    pub(super) fn with_median(&self, median: f64) -> [f64; INCOMES] {
        let factor = self.median() / median;
        let below = LIMITS.map(|limit| self.below(limit * factor));
        std::array::from_fn(|bracket| {
            let last = if bracket + 1 == INCOMES { 1.0 } else { below[bracket + 1] };
            let first = if bracket == 0 { 0.0 } else { below[bracket] };
            last - first
        })
    }

    fn median(&self) -> f64 {
        let bracket = (0..INCOMES).find(|bracket| self.below[bracket + 1] >= 0.5).unwrap_or(INCOMES - 1);
        let [first, last] = [self.below[bracket], self.below[bracket + 1]];
        let part = if last > first { (0.5 - first) / (last - first) } else { 0.5 };
        LIMITS[bracket] * (LIMITS[bracket + 1] / LIMITS[bracket]).powf(part)
    }

    /// Returns the share of households with less than the given income, from 0 to 1.
    fn below(&self, income: f64) -> f64 {
        let Some(bracket) = (0..INCOMES).find(|bracket| income < LIMITS[bracket + 1]) else { return 1.0 };
        if income <= LIMITS[0] {
            return 0.0;
        }
        let part = (income / LIMITS[bracket]).ln() / (LIMITS[bracket + 1] / LIMITS[bracket]).ln();
        self.below[bracket] + part * (self.below[bracket + 1] - self.below[bracket])
    }
}

#[cfg(test)]
mod tests {
    use super::Incomes;

    const SHARES: [u32; 10] = [5, 4, 7, 8, 11, 16, 13, 17, 9, 10];

    #[test]
    fn own_median_keeps_the_shares() {
        let incomes = Incomes::new(&SHARES);
        let shares = incomes.with_median(incomes.median());
        for (found, share) in shares.iter().zip(SHARES) {
            assert!((found - f64::from(share) / 100.0).abs() < 1e-12, "{shares:?}");
        }
    }

    #[test]
    fn half_of_the_households_are_below_the_new_median() {
        for median in [10_000.0, 25_000.0, 50_000.0, 100_000.0, 150_000.0, 200_000.0] {
            let shares = Incomes::new(&SHARES).with_median(median);
            let limits = [10e3, 15e3, 25e3, 35e3, 50e3, 75e3, 100e3, 150e3, 200e3];
            let below: f64 =
                shares.iter().zip(limits).filter(|(_, limit)| *limit <= median).map(|(share, _)| share).sum();
            assert!((below - 0.5).abs() < 1e-9, "{below} below {median}");
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

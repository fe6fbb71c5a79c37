//! Reproducible random numbers from SplitMix64 streams.
//!
//! The generator is implemented here because a library might change its algorithm between versions, which
//! would change releases. The reference implementation is <https://prng.di.unimi.it/splitmix64.c>.

/// The purpose of a stream. Streams with different purposes are independent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// A spot of the synthetic inventory.
    Spot = 1,
    /// The missing members of an imported spot.
    Completion = 6,
}

/// A stream of random numbers that is determined by a seed, a purpose, and a position.
#[derive(Clone, Debug)]
pub(crate) struct RandomStream(u64);

impl RandomStream {
    pub(crate) fn of(seed: u64, purpose: Purpose, position: u64) -> Self {
        Self(mixed(mixed(seed).wrapping_add(purpose as u64)).wrapping_add(mixed(position)))
    }

    /// Draws a number from 0 to `bound - 1`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // Takes the upper half of the product. For small bounds, the bias is negligible.
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Draws a number from 0 to `bound - 1`, favoring low numbers.
    pub(crate) fn low(&mut self, bound: u64) -> u64 {
        self.below(bound).min(self.below(bound))
    }

    /// Draws a number from `least` to `most`, inclusive.
    pub(crate) fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below(most.abs_diff(least) + 1) as i64
    }

    /// Returns `true` with a probability of `per_mille` in 1,000.
    pub(crate) fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < u64::from(per_mille)
    }

    /// Draws an item from a nonempty list, with equal probabilities.
    pub(crate) fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// Draws an item with a probability proportional to its weight. At least one weight must be positive.
    pub(crate) fn weighted<T>(
        &mut self,
        items: impl Iterator<Item = T> + Clone,
        weight: impl Fn(&T) -> u32,
    ) -> T {
        let all: u64 = items.clone().map(|item| u64::from(weight(&item))).sum();
        let mut left = self.below(all);
        for item in items {
            match left.checked_sub(u64::from(weight(&item))) {
                None => return item,
                Some(less) => left = less,
            }
        }
        unreachable!("the drawn number is less than the sum of the weights")
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_the_splitmix64_reference() {
        let mut random = RandomStream(1_234_567);
        let drawn = [(); 3].map(|()| random.next());
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn draws_respect_bounds_and_weights() {
        let mut random = RandomStream::of(1, Purpose::Spot, 2);
        let mut drawn = [0; 3];
        for _ in 0..1000 {
            assert!(random.low(7) < 7);
            assert!((-3..=3).contains(&random.between(-3, 3)));
            drawn[random.weighted(0..3, |item| [1, 0, 3][*item])] += 1;
        }
        assert!(drawn[0] > 200 && drawn[1] == 0 && drawn[2] > 700, "{drawn:?}");
        assert!((0..1000).all(|_| random.chance(1000) && !random.chance(0)));
    }
}

//! Divides a total into whole numbers in proportion to shares. The rounding is chosen to restore, as far as
//! possible, the counts that the shares were computed from.

use std::cmp::Reverse;

/// The number of fractional bits in a share. Shares are multiples of 2^-32, and 100% is stored as `u32::MAX`.
const WHOLE_BITS: u32 = u32::BITS;

/// Returns each count's share of the total. If all counts are 0, all shares are 0.
pub(super) fn shares_of(counts: &[u64]) -> Vec<u32> {
    let sum = counts.iter().map(|count| u128::from(*count)).sum::<u128>().max(1);
    let share = |count: &u64| u32::try_from((u128::from(*count) << WHOLE_BITS) / sum).unwrap_or(u32::MAX);
    counts.iter().map(share).collect()
}

/// Divides a total in proportion to shares, using the largest remainder method. If two remainders are equal,
/// the earlier one is rounded up.
pub(super) fn apportion(whole: u64, shares: &[u32]) -> Vec<u64> {
    let (mut parts, mut remainders) = (Vec::with_capacity(shares.len()), Vec::with_capacity(shares.len()));
    let mut left = whole;
    for (at, share) in (0_u32..).zip(shares) {
        let product = u128::from(whole) * u128::from(*share);
        let part = (product >> WHOLE_BITS) as u64;
        left = left.saturating_sub(part);
        parts.push(part);
        if *share > 0 {
            // Packing the remainder and the position into one number makes sorting faster.
            remainders.push(Reverse((product as u32 as u64) << u32::BITS | u64::from(u32::MAX - at)));
        }
    }
    let extra = usize::try_from(left).unwrap_or(usize::MAX).min(remainders.len());
    if (1..remainders.len()).contains(&extra) {
        remainders.select_nth_unstable(extra - 1);
    }
    for Reverse(remainder) in &remainders[..extra] {
        parts[(u32::MAX - *remainder as u32) as usize] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_add_up_to_the_total_and_are_close_to_their_quotas(
            whole in 0..1_000_000_000_u64,
            counts in vec(prop_oneof![Just(0), 0..1_000_000_u64], 1..200),
        ) {
            prop_assume!(counts.iter().any(|count| *count > 0));
            let (parts, sum) = (apportion(whole, &shares_of(&counts)), counts.iter().sum::<u64>());
            prop_assert_eq!(parts.iter().sum::<u64>(), whole);
            for (part, count) in parts.iter().zip(&counts) {
                prop_assert!((*part as f64 - whole as f64 * *count as f64 / sum as f64).abs() <= 1.5);
            }
        }
    }

    #[test]
    fn earlier_shares_win_ties_and_zero_shares_get_nothing() {
        assert_eq!(apportion(5, &shares_of(&[1, 1, 1])), [2, 2, 1]);
        assert_eq!(apportion(5, &shares_of(&[0, 7, 0])), [0, 5, 0]);
        assert_eq!(apportion(5, &shares_of(&[0, 0])), [0, 0]);
    }
}

//! Exponential search: near ends are found fast.

/// Counts at how many positions something holds that holds at none behind them, of so many that there are: in
/// steps that double, then by halves.
pub(super) fn exponential_search(length: usize, holds: impl Fn(usize) -> bool) -> usize {
    let mut end = 1;
    while end <= length && holds(end - 1) {
        end *= 2;
    }
    let (mut from, mut to) = (end / 2, end.min(length));
    while from < to {
        let middle = from.midpoint(to);
        if holds(middle) { from = middle + 1 } else { to = middle }
    }
    from
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_end_that_a_plain_loop_finds(length in 0_usize..70, end in 0_usize..80) {
            prop_assert_eq!(exponential_search(length, |at| at < end), end.min(length));
        }
    }
}

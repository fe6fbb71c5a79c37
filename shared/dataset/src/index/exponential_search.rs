//! Exponential search, which is fast if the result is near the start of the range.

/// Returns the number of positions below `length` that satisfy `holds`. They must all come before the
/// positions that don't. The step doubles until `holds` returns false, and a binary search finds the exact
/// boundary.
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
        fn matches_a_linear_search(length in 0_usize..70, end in 0_usize..80) {
            prop_assert_eq!(exponential_search(length, |at| at < end), end.min(length));
        }
    }
}

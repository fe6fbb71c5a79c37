//! The first of many, without sorting the rest.

/// Returns the smallest keys, ascending. No more than twice as many are ever held.
pub(crate) fn smallest(keys: impl Iterator<Item = u64>, count: usize) -> Vec<u64> {
    if count == 0 {
        return Vec::new();
    }
    let mut kept = Vec::new();
    let mut bound = u64::MAX;
    for key in keys {
        if key > bound {
            continue;
        }
        kept.push(key);
        if kept.len() >= count.saturating_mul(2) {
            bound = *kept.select_nth_unstable(count - 1).1;
            kept.truncate(count);
        }
    }
    if kept.len() > count {
        kept.select_nth_unstable(count - 1);
        kept.truncate(count);
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_smallest_are_those_that_come_first_when_all_are_sorted(
            keys in proptest::collection::vec(0_u64..50, 0..200),
            count in 0_usize..220,
        ) {
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            sorted.truncate(count);
            prop_assert_eq!(smallest(keys.into_iter(), count), sorted);
        }
    }
}

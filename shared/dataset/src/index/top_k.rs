//! The first of many, without sorting the rest.

use zerocopy::little_endian::U32;

use super::items::Items;

/// How many come first, and in which direction. What has no value comes last in either.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) k: usize,
    pub(crate) descending: bool,
}

/// What decides among items of one value: the place of each, all of which differ; or, without, the items
/// themselves.
pub(crate) type Ties<'a> = Option<&'a [U32]>;

impl Order {
    /// Returns the ties of the first items of some. Items are sorted by a number, which is one more than the
    /// rank of the item's value, and 0 for none.
    pub(crate) fn first(self, items: Items<'_>, number: impl Fn(u32) -> u32, ties: Ties<'_>) -> Vec<u32> {
        match ties {
            None => self.smallest(items.map(|item| (number(item), item))),
            Some(ties) => self.smallest(items.map(|item| (number(item), ties[item as usize].get()))),
        }
    }

    fn smallest(self, numbers: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
        // Without a branch in the loop: ascending, the number less 1; descending, all less the number. Of 0,
        // both are the highest of all.
        let sign = if self.descending { u32::MAX } else { 1 };
        let rank = |number: u32| u32::MAX.wrapping_add(number.wrapping_mul(sign));
        let keys = numbers.map(|(number, tie)| u64::from(rank(number)) << 32 | u64::from(tie));
        top_k(keys, self.k).into_iter().map(|key| (key & u64::from(u32::MAX)) as u32).collect()
    }
}

/// Returns the `k` smallest keys, ascending. No more than twice as many are ever held.
fn top_k(keys: impl Iterator<Item = u64>, k: usize) -> Vec<u64> {
    if k == 0 {
        return Vec::new();
    }
    let mut kept = Vec::new();
    let mut bound = u64::MAX;
    keys.for_each(|key| {
        if key > bound {
            return;
        }
        kept.push(key);
        if kept.len() >= k.saturating_mul(2) {
            bound = *kept.select_nth_unstable(k - 1).1;
            kept.truncate(k);
        }
    });
    if kept.len() > k {
        kept.select_nth_unstable(k - 1);
        kept.truncate(k);
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
        fn the_first_k_are_those_that_come_first_when_all_are_sorted(
            keys in proptest::collection::vec(0_u64..50, 0..200),
            k in 0_usize..220,
        ) {
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            sorted.truncate(k);
            prop_assert_eq!(top_k(keys.into_iter(), k), sorted);
        }
    }

    #[test]
    fn what_has_no_value_comes_last_in_either_direction() {
        let numbers = [6, 0, 8, 1, 8];
        for (descending, expected, expected_ties) in
            [(false, [3, 0, 2, 4, 1], [1, 4, 0, 2, 3]), (true, [2, 4, 0, 3, 1], [0, 2, 4, 1, 3])]
        {
            let order = Order { k: 10, descending };
            let items = || Items::Range(0..5);
            assert_eq!(order.first(items(), |item| numbers[item as usize], None), expected);
            let ties = [4, 3, 2, 1, 0].map(U32::new);
            assert_eq!(order.first(items(), |item| numbers[item as usize], Some(&ties)), expected_ties);
        }
    }
}

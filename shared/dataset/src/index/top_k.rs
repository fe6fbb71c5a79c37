//! Selects the first documents in sort order, without sorting all of them.

use zerocopy::little_endian::U32;

use super::documents::Documents;

/// The number of documents to select, and the sort direction. Documents without a value come last in either
/// direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) k: usize,
    pub(crate) descending: bool,
}

/// The order of documents that have the same value, as a distinct tie-breaking rank for each document. With
/// `None`, the tie-breaking rank is the document's number.
pub(crate) type Ties<'a> = Option<&'a [U32]>;

impl Order {
    /// Returns the tie-breaking ranks of the first `k` documents. `number` returns a document's sort key: the
    /// rank of its value plus 1, or 0 if the document has no value.
    pub(crate) fn first(
        self,
        documents: Documents<'_>,
        number: impl Fn(u32) -> u32,
        ties: Ties<'_>,
    ) -> Vec<u32> {
        match ties {
            None => self.smallest(documents.map(|document| (number(document), document))),
            Some(ties) => {
                self.smallest(documents.map(|document| (number(document), ties[document as usize].get())))
            }
        }
    }

    fn smallest(self, numbers: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
        // This expression is branch-free. In ascending order, the rank is the number minus 1. In descending
        // order, it's `u32::MAX` minus the number. Both map 0 to `u32::MAX`.
        let sign = if self.descending { u32::MAX } else { 1 };
        let rank = |number: u32| u32::MAX.wrapping_add(number.wrapping_mul(sign));
        let keys = numbers.map(|(number, tie)| u64::from(rank(number)) << 32 | u64::from(tie));
        top_k(keys, self.k).into_iter().map(|key| (key & u64::from(u32::MAX)) as u32).collect()
    }
}

/// Returns the `k` smallest keys in ascending order. At most `2 * k` keys are in memory at a time.
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
        fn matches_a_full_sort(
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
    fn documents_without_a_value_come_last_in_both_directions() {
        let numbers = [6, 0, 8, 1, 8];
        for (descending, expected, expected_ties) in
            [(false, [3, 0, 2, 4, 1], [1, 4, 0, 2, 3]), (true, [2, 4, 0, 3, 1], [0, 2, 4, 1, 3])]
        {
            let order = Order { k: 10, descending };
            let documents = || Documents::Range(0..5);
            assert_eq!(order.first(documents(), |document| numbers[document as usize], None), expected);
            let ties = [4, 3, 2, 1, 0].map(U32::new);
            assert_eq!(
                order.first(documents(), |document| numbers[document as usize], Some(&ties)),
                expected_ties
            );
        }
    }
}

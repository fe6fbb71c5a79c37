//! Ascending lists of places, and what they have in common.

use std::ops::Deref;

use zerocopy::little_endian::U32;

/// The places that a criterion leaves, ascending.
pub(super) enum List<'a> {
    /// As the release holds them.
    Stored(&'a [U32]),
    /// Put together for the query.
    Made(Vec<U32>),
}

impl Deref for List<'_> {
    type Target = [U32];

    fn deref(&self) -> &[U32] {
        match self {
            Self::Stored(places) => places,
            Self::Made(places) => places,
        }
    }
}

/// Puts places together: each once, ascending, of so many that there are.
pub(super) fn union<'a>(lists: impl IntoIterator<Item = &'a [U32]>, of: usize) -> List<'a> {
    let mut lists = lists.into_iter();
    let first = lists.next().unwrap_or_default();
    let Some(second) = lists.next() else { return distinct(first, of) };
    let mut set = Set::new(of);
    for list in [first, second].into_iter().chain(lists) {
        set.insert(list);
    }
    List::Made(set.to_list())
}

/// Puts places in ascending order, each once.
fn distinct(list: &[U32], of: usize) -> List<'_> {
    if list.is_sorted_by(|one, other| one.get() < other.get()) {
        return List::Stored(list);
    }
    let mut set = Set::new(of);
    set.insert(list);
    List::Made(set.to_list())
}

/// Returns the places that are in every list; `None` without lists.
pub(super) fn intersection(mut lists: Vec<List<'_>>) -> Option<Vec<u32>> {
    lists.sort_by_key(|list| list.len());
    let (shortest, longer) = lists.split_first()?;
    let mut common: Vec<u32> = shortest.iter().map(|place| place.get()).collect();
    for list in longer {
        keep_common(&mut common, list);
    }
    Some(common)
}

/// Keeps the places that are in a list too.
pub(super) fn keep_common(places: &mut Vec<u32>, list: &[U32]) {
    let mut rest = list;
    places.retain(|place| {
        rest = &rest[before(rest, *place)..];
        rest.first().is_some_and(|first| first.get() == *place)
    });
}

/// Counts what lies before a place in a list: in steps that double, then by halves, so that near places are found fast.
fn before(list: &[U32], place: u32) -> usize {
    let mut end = 1;
    while list.get(end - 1).is_some_and(|at| at.get() < place) {
        end *= 2;
    }
    let start = end / 2;
    let end = end.min(list.len());
    start + list[start..end].partition_point(|at| at.get() < place)
}

/// A set of places, a bit each.
struct Set {
    bits: Vec<u64>,
}

impl Set {
    fn new(of: usize) -> Self {
        Self { bits: vec![0; of.div_ceil(64)] }
    }

    fn insert(&mut self, list: &[U32]) {
        for place in list {
            let place = place.get() as usize;
            self.bits[place / 64] |= 1 << (place % 64);
        }
    }

    fn to_list(&self) -> Vec<U32> {
        let mut list = Vec::new();
        for (at, word) in (0..).zip(&self.bits) {
            let mut rest = *word;
            while rest != 0 {
                list.push(U32::new(at * 64 + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    fn list(places: &[u32]) -> Vec<U32> {
        places.iter().copied().map(U32::new).collect()
    }

    #[test]
    fn without_lists_nothing_is_said() {
        assert_eq!(intersection(Vec::new()), None);
        assert_eq!(intersection(vec![List::Stored(&[])]), Some(Vec::new()));
        assert!(union([], 10).is_empty());
    }

    proptest! {
        #[test]
        fn lists_are_joined_and_cut_as_sets_are(
            sets in proptest::collection::vec(btree_set(0_u32..300, 0..200), 1..4),
        ) {
            let lists: Vec<Vec<U32>> = sets.iter().map(|set| set.iter().copied().map(U32::new).collect()).collect();
            let joined: Vec<u32> = sets.iter().flatten().copied().collect::<std::collections::BTreeSet<u32>>().into_iter().collect();
            prop_assert_eq!(&*union(lists.iter().map(Vec::as_slice), 300), list(&joined).as_slice());
            prop_assert_eq!(&*union([lists.concat().as_slice()], 300), list(&joined).as_slice());
            let common: Vec<u32> = sets[0].iter().copied().filter(|place| sets.iter().all(|set| set.contains(place))).collect();
            prop_assert_eq!(intersection(lists.into_iter().map(List::Made).collect()), Some(common));
        }
    }
}

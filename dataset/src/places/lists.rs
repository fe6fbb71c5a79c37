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
    let mut common = shortest.iter().map(|place| place.get()).collect();
    for list in longer {
        keep_common(&mut common, list, U32::get);
    }
    Some(common)
}

/// Returns the places that are in both of two ascending lists.
pub(super) fn common(mut one: Vec<u32>, mut other: Vec<u32>) -> Vec<u32> {
    if one.len() > other.len() {
        std::mem::swap(&mut one, &mut other);
    }
    keep_common(&mut one, &other, |place| place);
    one
}

/// Keeps the places that are in a list too.
fn keep_common<T: Copy>(places: &mut Vec<u32>, list: &[T], number: fn(T) -> u32) {
    let mut rest = list;
    places.retain(|place| {
        rest = &rest[before(rest, |at| number(at) < *place)..];
        rest.first().is_some_and(|first| number(*first) == *place)
    });
}

/// Counts of how many something holds that holds of none behind them: in steps that double, then by halves, so that near
/// ends are found fast.
fn before<T: Copy>(list: &[T], holds: impl Fn(T) -> bool) -> usize {
    let mut end = 1;
    while list.get(end - 1).is_some_and(|at| holds(*at)) {
        end *= 2;
    }
    let start = end / 2;
    let end = end.min(list.len());
    start + list[start..end].partition_point(|at| holds(*at))
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
    use std::collections::BTreeSet;

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
            let joined = list(&sets.iter().flatten().copied().collect::<BTreeSet<u32>>().into_iter().collect::<Vec<u32>>());
            let union_of = |lists: &[&[U32]]| union(lists.iter().copied(), 300).to_vec();
            prop_assert_eq!(union_of(&lists.iter().map(Vec::as_slice).collect::<Vec<&[U32]>>()), joined.clone());
            prop_assert_eq!(union_of(&[&lists.concat()]), joined);
            let common: Vec<u32> = sets[0].iter().copied().filter(|place| sets.iter().all(|set| set.contains(place))).collect();
            prop_assert_eq!(intersection(lists.into_iter().map(List::Made).collect()), Some(common));
        }
    }
}

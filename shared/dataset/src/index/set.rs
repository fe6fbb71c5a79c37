//! A set of documents, represented as a range, a list, or a bitmap.
//!
//! The representation depends on where the set comes from: postings are borrowed as stored, and a subset of a
//! list is a list. For measurements, see `docs/decisions/0020-own-search-index.md`.

use std::borrow::Cow;
use std::ops::Range;

use zerocopy::little_endian::{U32, U64};

use super::bits::{Bits, has_bit};
use super::documents::Documents;
use super::exponential_search::exponential_search;

/// A set of documents, iterated in ascending order.
#[derive(Clone, Debug)]
pub(crate) enum Set<'a> {
    Range(Range<u32>),
    List(Cow<'a, [U32]>),
    Bits(Bits<'a>),
}

impl<'a> Set<'a> {
    pub(crate) const EMPTY: Self = Self::Range(0..0);

    /// Returns the set of all documents, numbered from 0 to `documents - 1`.
    pub(crate) fn all(documents: usize) -> Self {
        Self::Range(0..u32::try_from(documents).expect("document counts fit in 32 bits"))
    }

    /// Creates a set from distinct documents in ascending order.
    pub(crate) fn of_ascending(documents: impl IntoIterator<Item = u32>) -> Self {
        let mut list = Vec::new();
        documents.into_iter().for_each(|document| list.push(U32::new(document)));
        Self::List(list.into())
    }

    /// Creates a set from documents in any order and removes duplicates.
    pub(crate) fn of_any_order(documents: impl IntoIterator<Item = u32>) -> Self {
        let mut documents: Vec<U32> = documents.into_iter().map(U32::new).collect();
        documents.sort_unstable_by_key(|document| document.get());
        documents.dedup();
        Self::List(documents.into())
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::List(list) => list.len(),
            Self::Bits(bits) => bits.len(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Bits(bits) => bits.words().iter().all(|word| word.get() == 0),
            other => other.len() == 0,
        }
    }

    pub(crate) fn contains(&self, document: u32) -> bool {
        match self {
            Self::Range(range) => range.contains(&document),
            Self::List(list) => list.binary_search_by_key(&document, |one| one.get()).is_ok(),
            Self::Bits(bits) => has_bit(bits.words(), document),
        }
    }

    pub(crate) fn iter(&self) -> Documents<'_> {
        match self {
            Self::Range(range) => Documents::Range(range.clone()),
            Self::List(list) => Documents::List(list.iter()),
            Self::Bits(bits) => Documents::of_words(bits.words()),
        }
    }

    /// Skips the first `skip` documents, and returns up to `take` of the following ones, in ascending or
    /// descending order.
    pub(crate) fn page(&self, skip: usize, take: usize, descending: bool) -> Vec<u32> {
        match self {
            Self::Bits(bits) => bits.page(skip, take, descending),
            Self::Range(range) if descending => range.clone().rev().skip(skip).take(take).collect(),
            Self::Range(range) => range.clone().skip(skip).take(take).collect(),
            Self::List(list) if descending => numbers(list.iter().rev().skip(skip).take(take)),
            Self::List(list) => numbers(list.iter().skip(skip).take(take)),
        }
    }

    /// Returns the documents that are in all of the sets, or all documents if `sets` is empty. `documents` is
    /// the total number of documents. If the result is a bitmap, its count is cached.
    pub(crate) fn intersection(mut sets: Vec<Self>, documents: usize) -> Self {
        if sets.len() == 1 {
            return sets.remove(0).counted();
        }
        let Self::Range(all) = Self::all(documents) else { unreachable!("`all` returns a range") };
        let (mut range, mut lists, mut bits) = (all.clone(), Vec::new(), Vec::new());
        for set in sets {
            match set {
                Self::Range(other) => range = range.start.max(other.start)..range.end.min(other.end),
                Self::List(list) => lists.push(list),
                Self::Bits(other) => bits.push(other),
            }
        }
        if range.is_empty() {
            return Self::EMPTY;
        }
        lists.sort_by_key(|list| list.len());
        let mut lists = lists.into_iter();
        match lists.next() {
            Some(shortest) if range == all => Self::List(common(shortest, lists, &bits)),
            Some(shortest) => Self::List(common(within(shortest, &range), lists, &bits)),
            None if bits.is_empty() => Self::Range(range),
            None => Self::Bits(Bits::intersection(bits, (range != all).then_some(range))).counted(),
        }
    }

    /// Counts the documents in a bitmap and caches the count.
    fn counted(self) -> Self {
        match self {
            Self::Bits(bits) => Self::Bits(bits.counted()),
            counted => counted,
        }
    }
}

fn numbers<'a>(list: impl Iterator<Item = &'a U32>) -> Vec<u32> {
    list.map(|document| document.get()).collect()
}

/// Returns the documents in a list that are inside a range.
fn within<'a>(list: Cow<'a, [U32]>, range: &Range<u32>) -> Cow<'a, [U32]> {
    let start = list.partition_point(|document| document.get() < range.start);
    let end = list.partition_point(|document| document.get() < range.end);
    if (start, end) == (0, list.len()) {
        return list;
    }
    match list {
        Cow::Borrowed(list) => Cow::Borrowed(&list[start..end]),
        Cow::Owned(list) => Cow::Owned(list[start..end].to_vec()),
    }
}

/// Returns the documents in a list that are also in all of the longer lists and all of the bitmaps.
fn common<'a>(
    list: Cow<'a, [U32]>,
    longer: impl ExactSizeIterator<Item = Cow<'a, [U32]>>,
    bits: &[Bits<'_>],
) -> Cow<'a, [U32]> {
    if longer.len() == 0 && bits.is_empty() {
        return list;
    }
    let bits: Vec<&[U64]> = bits.iter().map(Bits::words).collect();
    let has_bits = |document: &U32| bits.iter().all(|words| has_bit(words, document.get()));
    let mut common: Vec<U32> = list.iter().copied().filter(has_bits).collect();
    for other in longer {
        let mut rest = &*other;
        common.retain(|document| {
            rest = &rest[exponential_search(rest.len(), |at| rest[at].get() < document.get())..];
            rest.first() == Some(document)
        });
    }
    Cow::Owned(common)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;
    use crate::index::bits::WORD;

    const ITEMS: u32 = 300;

    fn list(documents: &BTreeSet<u32>) -> Set<'static> {
        Set::of_ascending(documents.iter().copied())
    }

    fn bits(documents: &BTreeSet<u32>) -> Set<'static> {
        let mut words = vec![U64::new(0); ITEMS.div_ceil(WORD) as usize];
        documents
            .iter()
            .for_each(|document| words[(document / WORD) as usize] |= U64::new(1 << (document % WORD)));
        Set::Bits(Bits::of_words(words))
    }

    /// Generates sets in all representations, each with its expected contents.
    fn sets() -> impl Strategy<Value = (Set<'static>, BTreeSet<u32>)> {
        let documents = prop_oneof![btree_set(0..ITEMS, 0..20), btree_set(0..ITEMS, 0..300)];
        prop_oneof![
            documents.clone().prop_map(|documents| (list(&documents), documents)),
            documents.prop_map(|documents| (bits(&documents), documents)),
            (0..=ITEMS, 0..=ITEMS).prop_map(|(one, other)| {
                let range = one.min(other)..one.max(other);
                (Set::Range(range.clone()), range.collect())
            }),
        ]
    }

    #[test]
    fn unordered_documents_are_sorted_and_deduplicated() {
        assert!(Set::of_any_order([5, 1, 3, 1]).iter().eq([1, 3, 5]));
    }

    #[test]
    fn intersection_of_no_sets_is_everything() {
        assert!(Set::intersection(Vec::new(), 5).iter().eq(0..5));
        assert!(Set::intersection(vec![Set::EMPTY, Set::Range(0..5)], 5).is_empty());
    }

    proptest! {
        #[test]
        fn intersection_works_for_all_representations(sets in vec(sets(), 0..5)) {
            let is_common = |document: &u32| sets.iter().all(|(_, documents)| documents.contains(document));
            let common: Vec<u32> = (0..ITEMS).filter(is_common).collect();
            let found = Set::intersection(sets.into_iter().map(|(set, _)| set).collect(), ITEMS as usize);
            prop_assert_eq!(found.len(), common.len());
            prop_assert_eq!(found.iter().collect::<Vec<u32>>(), common);
        }

        #[test]
        fn iteration_lookup_and_paging_agree_with_the_contents(
            (set, documents) in sets(),
            taken in 0_usize..5,
            (skip, take) in (0_usize..320, 0_usize..320),
        ) {
            prop_assert_eq!((set.len(), set.is_empty()), (documents.len(), documents.is_empty()));
            prop_assert!((0..ITEMS).all(|document| set.contains(document) == documents.contains(&document)));
            let mut iter = set.iter();
            let mut listed: Vec<u32> = iter.by_ref().take(taken).collect();
            iter.for_each(|document| listed.push(document));
            prop_assert!(listed.iter().eq(&documents));
            prop_assert!(set.page(skip, take, false).iter().eq(documents.iter().skip(skip).take(take)));
            prop_assert!(set.page(skip, take, true).iter().eq(documents.iter().rev().skip(skip).take(take)));
        }
    }
}

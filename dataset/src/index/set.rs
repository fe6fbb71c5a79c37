//! A set of items: a range, a list where they are few, or one bit for each where they are many.
//!
//! Which form is taken follows from where the items come from: postings are stored in the form that takes less room,
//! and lent as they are; what a list is part of is a list. docs/decisions/0020 has the measurements.

use std::borrow::Cow;
use std::ops::Range;
use std::slice;

use zerocopy::little_endian::{U32, U64};

use super::exponential_search::exponential_search;

const WORD: u32 = u64::BITS;

/// Items, ascending.
#[derive(Clone, Debug)]
pub(crate) enum Set<'a> {
    Range(Range<u32>),
    List(Cow<'a, [U32]>),
    Bits(Bits<'a>),
}

/// One bit for each item that there is, whether it is in the set or not.
#[derive(Clone, Debug)]
pub(crate) struct Bits<'a> {
    words: Cow<'a, [U64]>,
    /// How many bits are set, where that is known.
    count: Option<u32>,
}

impl<'a> Set<'a> {
    pub(crate) const EMPTY: Self = Self::Range(0..0);

    /// All items, of so many that there are.
    pub(crate) fn all(items: usize) -> Self {
        Self::Range(0..u32::try_from(items).expect("fewer than four thousand million items"))
    }

    /// Takes items that are in order, each once.
    pub(crate) fn of_ascending(items: impl IntoIterator<Item = u32>) -> Self {
        let mut list = Vec::new();
        items.into_iter().for_each(|item| list.push(U32::new(item)));
        Self::List(list.into())
    }

    /// Takes items in any order.
    pub(crate) fn of_any_order(items: impl IntoIterator<Item = u32>) -> Self {
        let mut items: Vec<U32> = items.into_iter().map(U32::new).collect();
        items.sort_unstable_by_key(|item| item.get());
        items.dedup();
        Self::List(items.into())
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
            Self::Bits(bits) => bits.words.iter().all(|word| word.get() == 0),
            other => other.len() == 0,
        }
    }

    /// Returns what tells of one item after the other whether it is in the set.
    pub(crate) fn members(&self) -> Members<'_> {
        match self {
            Self::Range(range) => Members::Range(range.clone()),
            Self::List(list) => Members::List(list),
            Self::Bits(bits) => Members::Bits(&bits.words),
        }
    }

    pub(crate) fn iter(&self) -> Items<'_> {
        match self {
            Self::Range(range) => Items::Range(range.clone()),
            Self::List(list) => Items::List(list.iter()),
            Self::Bits(bits) => Items::Bits { words: bits.words.iter(), next: 0, word: 0 },
        }
    }

    /// Returns a page of the items, from the lowest on or from the highest.
    pub(crate) fn page(&self, skip: usize, take: usize, descending: bool) -> Vec<u32> {
        match self {
            Self::Bits(bits) => bits.page(skip, take, descending),
            Self::Range(range) if descending => range.clone().rev().skip(skip).take(take).collect(),
            Self::Range(range) => range.clone().skip(skip).take(take).collect(),
            Self::List(list) if descending => items(list.iter().rev().skip(skip).take(take)),
            Self::List(list) => items(list.iter().skip(skip).take(take)),
        }
    }

    /// Returns the items, of so many that there are, that are in all sets: all without sets. They are counted.
    pub(crate) fn intersection(mut sets: Vec<Self>, items: usize) -> Self {
        if sets.len() == 1 {
            return sets.remove(0).counted();
        }
        let Self::Range(all) = Self::all(items) else { unreachable!("all items are a range") };
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

    /// Counts the items, so that nobody counts them again.
    fn counted(self) -> Self {
        match self {
            Self::Bits(Bits { words, count: None }) => {
                let count = Some(count(&words));
                Self::Bits(Bits { words, count })
            }
            counted => counted,
        }
    }
}

impl<'a> Bits<'a> {
    /// Lends bits of which so many are set.
    pub(super) fn lent(words: &'a [U64], count: u32) -> Self {
        Self { words: Cow::Borrowed(words), count: Some(count) }
    }

    /// Takes bits that nobody has counted.
    pub(super) fn of_words(words: Vec<U64>) -> Bits<'static> {
        Bits { words: Cow::Owned(words), count: None }
    }

    pub(super) fn words(&self) -> &[U64] {
        &self.words
    }

    fn len(&self) -> usize {
        self.count.unwrap_or_else(|| count(&self.words)) as usize
    }

    fn page(&self, skip: usize, take: usize, descending: bool) -> Vec<u32> {
        let words = (0..).step_by(WORD as usize).zip(self.words.iter().map(|word| word.get()));
        if descending {
            let last = (self.words.len() as u32).wrapping_mul(WORD).wrapping_sub(1);
            let backwards = (0..).step_by(WORD as usize).zip(self.words.iter().rev());
            let reversed = backwards.map(|(at, word)| (at, word.get().reverse_bits()));
            page(reversed, skip, take).into_iter().map(|item| last - item).collect()
        } else {
            page(words, skip, take)
        }
    }

    /// Returns the bits that are in all of some sets, and in a range of items.
    fn intersection(sets: Vec<Self>, range: Option<Range<u32>>) -> Self {
        let mut sets = sets.into_iter();
        let Some(first) = sets.next() else { return Self::of_words(Vec::new()) };
        if sets.len() == 0 && range.is_none() {
            return first;
        }
        let mut words = first.words.into_owned();
        for other in sets {
            for (word, more) in words.iter_mut().zip(other.words()) {
                *word &= *more;
            }
        }
        if let Some(range) = range {
            clear_outside(&mut words, &range);
        }
        Self::of_words(words)
    }
}

/// A set, to be asked about many items.
#[derive(Clone, Debug)]
pub(crate) enum Members<'a> {
    Range(Range<u32>),
    List(&'a [U32]),
    Bits(&'a [U64]),
}

impl Members<'_> {
    pub(crate) fn contain(&self, item: u32) -> bool {
        match self {
            Self::Range(range) => range.contains(&item),
            Self::List(list) => list.binary_search_by_key(&item, |one| one.get()).is_ok(),
            Self::Bits(words) => has_bit(words, item),
        }
    }
}

/// The items of a set, ascending.
#[derive(Clone, Debug)]
pub(crate) enum Items<'a> {
    Range(Range<u32>),
    List(slice::Iter<'a, U32>),
    Bits {
        words: slice::Iter<'a, U64>,
        /// The first item of the word that comes next.
        next: u32,
        /// What is left of the word before.
        word: u64,
    },
}

impl Iterator for Items<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Range(range) => range.next(),
            Self::List(list) => list.next().map(|item| item.get()),
            Self::Bits { words, next, word } => {
                while *word == 0 {
                    *word = words.next()?.get();
                    *next += WORD;
                }
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                Some(*next - WORD + bit)
            }
        }
    }

    /// Goes through all that is left, without asking each time what kind of set it is.
    fn fold<B, F: FnMut(B, u32) -> B>(self, init: B, mut f: F) -> B {
        match self {
            Self::Range(range) => range.fold(init, f),
            Self::List(list) => list.fold(init, |so_far, item| f(so_far, item.get())),
            Self::Bits { words, next, word } => {
                let mut so_far = ones(word, next.wrapping_sub(WORD), init, &mut f);
                for (word, first) in words.zip((next..).step_by(WORD as usize)) {
                    so_far = ones(word.get(), first, so_far, &mut f);
                }
                so_far
            }
        }
    }
}

fn ones<B>(word: u64, first: u32, init: B, f: &mut impl FnMut(B, u32) -> B) -> B {
    let (mut rest, mut so_far) = (word, init);
    while rest != 0 {
        so_far = f(so_far, first + rest.trailing_zeros());
        rest &= rest - 1;
    }
    so_far
}

fn items<'a>(list: impl Iterator<Item = &'a U32>) -> Vec<u32> {
    list.map(|item| item.get()).collect()
}

/// Takes a page of the bits of words, each with the number of its first bit. Of what is skipped, words are counted.
fn page(words: impl Iterator<Item = (u32, u64)>, mut skip: usize, take: usize) -> Vec<u32> {
    let mut page = Vec::new();
    for (first, word) in words {
        if page.len() == take {
            break;
        }
        let mut rest = word;
        if skip > 0 {
            let ones = rest.count_ones() as usize;
            if ones <= skip {
                skip -= ones;
                continue;
            }
        }
        while rest != 0 && page.len() < take {
            if skip == 0 {
                page.push(first + rest.trailing_zeros());
            } else {
                skip -= 1;
            }
            rest &= rest - 1;
        }
    }
    page
}

/// Leaves out of a list what lies outside a range.
fn within<'a>(list: Cow<'a, [U32]>, range: &Range<u32>) -> Cow<'a, [U32]> {
    let start = list.partition_point(|item| item.get() < range.start);
    let end = list.partition_point(|item| item.get() < range.end);
    if (start, end) == (0, list.len()) {
        return list;
    }
    match list {
        Cow::Borrowed(list) => Cow::Borrowed(&list[start..end]),
        Cow::Owned(list) => Cow::Owned(list[start..end].to_vec()),
    }
}

/// Returns the items of a list that are in other lists and have all bits.
fn common<'a>(
    list: Cow<'a, [U32]>,
    longer: impl ExactSizeIterator<Item = Cow<'a, [U32]>>,
    bits: &[Bits<'_>],
) -> Cow<'a, [U32]> {
    if longer.len() == 0 && bits.is_empty() {
        return list;
    }
    let bits: Vec<&[U64]> = bits.iter().map(Bits::words).collect();
    let has_bits = |item: &U32| bits.iter().all(|words| has_bit(words, item.get()));
    let mut common: Vec<U32> = list.iter().copied().filter(has_bits).collect();
    for other in longer {
        let mut rest = &*other;
        common.retain(|item| {
            rest = &rest[exponential_search(rest.len(), |at| rest[at].get() < item.get())..];
            rest.first() == Some(item)
        });
    }
    Cow::Owned(common)
}

pub(super) fn has_bit(words: &[U64], item: u32) -> bool {
    words[(item / WORD) as usize].get() >> (item % WORD) & 1 == 1
}

fn clear_outside(words: &mut [U64], range: &Range<u32>) {
    let (start, end) = ((range.start / WORD) as usize, range.end.div_ceil(WORD) as usize);
    words[..start].fill(U64::new(0));
    words[end..].fill(U64::new(0));
    if let Some(first) = words.get_mut(start) {
        *first &= U64::new(u64::MAX << (range.start % WORD));
    }
    if !range.end.is_multiple_of(WORD)
        && let Some(last) = words.get_mut(end - 1)
    {
        *last &= U64::new(u64::MAX >> (WORD - range.end % WORD));
    }
}

pub(super) fn count(words: &[U64]) -> u32 {
    words.iter().map(|word| word.get().count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    const ITEMS: u32 = 300;

    fn list(items: &BTreeSet<u32>) -> Set<'static> {
        Set::of_ascending(items.iter().copied())
    }

    fn bits(items: &BTreeSet<u32>) -> Set<'static> {
        let mut words = vec![U64::new(0); ITEMS.div_ceil(WORD) as usize];
        items.iter().for_each(|item| words[(item / WORD) as usize] |= U64::new(1 << (item % WORD)));
        Set::Bits(Bits::of_words(words))
    }

    /// A set in any of its forms, and what is in it.
    fn sets() -> impl Strategy<Value = (Set<'static>, BTreeSet<u32>)> {
        let items = prop_oneof![btree_set(0..ITEMS, 0..20), btree_set(0..ITEMS, 0..300)];
        prop_oneof![
            items.clone().prop_map(|items| (list(&items), items)),
            items.prop_map(|items| (bits(&items), items)),
            (0..=ITEMS, 0..=ITEMS).prop_map(|(one, other)| {
                let range = one.min(other)..one.max(other);
                (Set::Range(range.clone()), range.collect())
            }),
        ]
    }

    #[test]
    fn items_in_any_order_are_put_in_order() {
        assert!(Set::of_any_order([5, 1, 3, 1]).iter().eq([1, 3, 5]));
    }

    #[test]
    fn what_is_in_no_set_at_all_is_everything() {
        assert!(Set::intersection(Vec::new(), 5).iter().eq(0..5));
        assert!(Set::intersection(vec![Set::EMPTY, Set::Range(0..5)], 5).is_empty());
    }

    proptest! {
        #[test]
        fn sets_of_all_forms_are_cut_as_sets_are(sets in vec(sets(), 0..5)) {
            let common: Vec<u32> = (0..ITEMS).filter(|item| sets.iter().all(|(_, all)| all.contains(item))).collect();
            let found = Set::intersection(sets.into_iter().map(|(set, _)| set).collect(), ITEMS as usize);
            prop_assert_eq!(found.len(), common.len());
            prop_assert_eq!(found.iter().collect::<Vec<u32>>(), common);
        }

        #[test]
        fn a_set_lists_holds_and_pages_what_is_in_it(
            (set, items) in sets(),
            taken in 0_usize..5,
            (skip, take) in (0_usize..320, 0_usize..320),
        ) {
            prop_assert_eq!((set.len(), set.is_empty()), (items.len(), items.is_empty()));
            prop_assert!((0..ITEMS).all(|item| set.members().contain(item) == items.contains(&item)));
            let mut iter = set.iter();
            let mut listed: Vec<u32> = iter.by_ref().take(taken).collect();
            iter.for_each(|item| listed.push(item));
            prop_assert!(listed.iter().eq(&items));
            prop_assert!(set.page(skip, take, false).iter().eq(items.iter().skip(skip).take(take)));
            prop_assert!(set.page(skip, take, true).iter().eq(items.iter().rev().skip(skip).take(take)));
        }
    }
}

//! Builds a set from other sets and single documents, which can overlap and be added in any order.

use zerocopy::little_endian::{U32, U64};

use super::bits::{Bits, set_bit};
use super::set::Set;

/// As long as at most one in `FEW` documents has been added, sorting a list is faster than reading a bitmap.
const FEW: usize = 512;

/// A set under construction. It starts as a list and becomes a bitmap when it gets large.
#[derive(Debug)]
pub(crate) struct SetBuilder {
    documents: usize,
    few: Vec<U32>,
    words: Vec<U64>,
}

impl SetBuilder {
    /// Creates an empty set. `documents` is the total number of documents.
    pub(crate) fn new(documents: usize) -> Self {
        Self { documents, few: Vec::new(), words: Vec::new() }
    }

    /// Creates the set of all documents, numbered from 0 to `documents - 1`.
    pub(crate) fn full(documents: usize) -> Self {
        let mut words = vec![U64::new(u64::MAX); documents.div_ceil(64)];
        if !documents.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last = U64::new(u64::MAX >> (64 - documents % 64));
        }
        Self { documents, few: Vec::new(), words }
    }

    /// Returns the union of the sets. A single set is returned unchanged.
    pub(crate) fn union<'a>(sets: impl IntoIterator<Item = Set<'a>>, documents: usize) -> Set<'a> {
        let mut sets = sets.into_iter();
        let Some(first) = sets.next() else { return Set::EMPTY };
        let Some(second) = sets.next() else { return first };
        let mut builder = Self::new(documents);
        builder.add(&first);
        builder.add(&second);
        sets.for_each(|set| builder.add(&set));
        builder.finish()
    }

    /// Returns the documents that aren't in a set. `documents` is the total number of documents.
    pub(crate) fn complement(set: &Set<'_>, documents: usize) -> Set<'static> {
        let mut rest = Self::full(documents);
        set.iter().for_each(|document| rest.remove(document));
        rest.finish()
    }

    pub(crate) fn add(&mut self, set: &Set<'_>) {
        match set {
            Set::List(list) => self.add_list(list),
            Set::Bits(bits) => self.add_bits(bits.words()),
            Set::Range(range) => {
                let words = self.as_bits();
                range.clone().for_each(|document| set_bit(words, document));
            }
        }
    }

    /// Adds documents in any order.
    #[inline]
    pub(crate) fn add_list(&mut self, list: &[U32]) {
        if self.words.is_empty() && self.few.len() + list.len() <= self.documents / FEW {
            self.few.extend_from_slice(list);
            return;
        }
        self.spill();
        list.iter().for_each(|document| set_bit(&mut self.words, document.get()));
    }

    /// Adds the documents whose bits are set.
    pub(super) fn add_bits(&mut self, bits: &[U64]) {
        self.spill();
        self.words.iter_mut().zip(bits).for_each(|(word, more)| *word |= *more);
    }

    /// Returns the set as a bitmap, converting it first if it's still a list.
    pub(super) fn as_bits(&mut self) -> &mut [U64] {
        self.spill();
        &mut self.words
    }

    /// Removes a document. Panics if the set is still a list. It's a bitmap if it was created by
    /// [`full`](Self::full), or after a call to [`add_bits`](Self::add_bits).
    pub(crate) fn remove(&mut self, document: u32) {
        let word = &mut self.words[document as usize / 64];
        *word = U64::new(word.get() & !(1 << (document % 64)));
    }

    pub(crate) fn finish(mut self) -> Set<'static> {
        if !self.words.is_empty() {
            return Set::Bits(Bits::of_words(self.words));
        }
        self.few.sort_unstable_by_key(|document| document.get());
        self.few.dedup();
        Set::List(self.few.into())
    }

    /// Converts the list to a bitmap, unless the set is already a bitmap.
    fn spill(&mut self) {
        if self.words.is_empty() {
            self.words = vec![U64::new(0); self.documents.div_ceil(64)];
            self.few.drain(..).for_each(|document| set_bit(&mut self.words, document.get()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The number of documents, large enough that small sets stay lists.
    const ITEMS: u32 = 10_000;

    proptest! {
        #[test]
        fn union_works_for_all_representations(
            lists in vec(vec(0..ITEMS, 0..12), 0..4),
            many in vec(vec(0..ITEMS, 0..400), 0..2),
            range in prop::option::of((0..ITEMS, 0..3_u32)),
        ) {
            let range = range.map(|(start, length)| start..(start + length).min(ITEMS));
            let listed = lists.iter().chain(&many).flatten().copied();
            let all: BTreeSet<u32> = listed.chain(range.clone().into_iter().flatten()).collect();
            let list = |documents: &Vec<u32>| Set::of_any_order(documents.iter().copied());
            let bits = |documents: &Vec<u32>| {
                let mut words = vec![U64::new(0); ITEMS.div_ceil(64) as usize];
                documents.iter().for_each(|document| set_bit(&mut words, *document));
                Set::Bits(Bits::of_words(words))
            };
            let sets = lists.iter().map(list).chain(many.iter().map(bits)).chain(range.map(Set::Range));
            let joined = SetBuilder::union(sets, ITEMS as usize);
            prop_assert_eq!(joined.len(), all.len());
            prop_assert!(joined.iter().eq(all.iter().copied()));
            let rest = (0..ITEMS).filter(|document| !all.contains(document));
            prop_assert!(SetBuilder::complement(&joined, ITEMS as usize).iter().eq(rest));
        }
    }
}

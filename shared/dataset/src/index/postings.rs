//! The documents that contain each term. A term is either a word or a value of a column.

use std::ops::Range;

use zerocopy::little_endian::{U32, U64};

use super::bits::{Bits, for_each_run};
use super::set::Set;
use super::set_builder::SetBuilder;
use crate::release::ReleaseError;
use crate::release::file::{Ascending, FileWriter, Rows, SectionFile, subsection};

const LISTS: &str = "documents";
const ENDS: &str = "documents.ends";
const DENSE: &str = "dense";
const DENSE_COUNTS: &str = "dense.counts";
const BITS: &str = "bits";

/// The documents that contain each term, stored as a list, or as a bitmap if that's smaller.
#[derive(Clone, Debug)]
pub(crate) struct Postings {
    /// The end of each term's list in `lists`. Terms with bitmaps have empty lists.
    ends: Ascending,
    lists: Rows<U32>,
    /// The terms that have bitmaps, in ascending order. `dense_counts` contains the number of set bits in
    /// each bitmap.
    dense: Rows<U32>,
    dense_counts: Rows<U32>,
    bits: Rows<U64>,
    documents: usize,
}

impl Postings {
    /// Opens the postings of an index. `documents` is the number of documents in the index.
    pub(crate) fn open(file: &SectionFile, section: &str, documents: usize) -> Result<Self, ReleaseError> {
        Ok(Self {
            ends: file.ascending(&subsection(section, ENDS))?,
            lists: file.rows(&subsection(section, LISTS))?,
            dense: file.rows(&subsection(section, DENSE))?,
            dense_counts: file.rows(&subsection(section, DENSE_COUNTS))?,
            bits: file.rows(&subsection(section, BITS))?,
            documents,
        })
    }

    /// Writes the postings, given each term's list of documents. `documents` is the total number of
    /// documents.
    pub(crate) fn write<'a>(
        file: &mut FileWriter,
        section: &str,
        documents: usize,
        lists: impl IntoIterator<Item = &'a [U32]>,
    ) {
        let (mut ends, mut listed) = (Vec::new(), Vec::new());
        let (mut dense, mut dense_counts, mut bits) = (Vec::new(), Vec::new(), Vec::new());
        for (value, list) in (0..).zip(lists) {
            if is_dense(list.len(), documents) {
                dense.push(U32::new(value));
                dense_counts.push(number(list.len()));
                bits.extend(bits_of_list(list, documents.div_ceil(64)));
            } else {
                listed.extend_from_slice(list);
            }
            ends.push(number(listed.len()).get());
        }
        file.rows(&subsection(section, LISTS), &listed);
        file.ascending(&subsection(section, ENDS), &ends);
        file.rows(&subsection(section, DENSE), &dense);
        file.rows(&subsection(section, DENSE_COUNTS), &dense_counts);
        file.rows(&subsection(section, BITS), &bits);
    }

    /// Returns the documents that contain a term.
    #[inline]
    pub(crate) fn get(&self, value: u32) -> Set<'_> {
        match self.list(value as usize..value as usize + 1) {
            [] => self.bits_of(value),
            list => Set::List(list.into()),
        }
    }

    /// Returns the documents that contain any of the given terms.
    pub(crate) fn of_any(&self, values: impl IntoIterator<Item = u32>) -> Set<'_> {
        SetBuilder::union(values.into_iter().map(|value| self.get(value)), self.documents)
    }

    /// Returns the documents that contain any term in a range.
    pub(crate) fn of_range(&self, values: Range<u32>) -> Set<'_> {
        if values.len() <= 1 {
            return self.of_any(values);
        }
        let mut builder = SetBuilder::new(self.documents);
        self.add_range(values, &mut builder);
        builder.finish()
    }

    /// Adds the documents that contain any term in a range to `documents`.
    pub(super) fn add_range(&self, values: Range<u32>, documents: &mut SetBuilder) {
        documents.add_list(self.list(values.start as usize..values.end as usize));
        self.dense_among(values).for_each(|dense| documents.add(&self.bits_of(dense)));
    }

    /// Returns the terms in a range that have bitmaps, in ascending order.
    pub(super) fn dense_among(&self, values: Range<u32>) -> impl Iterator<Item = u32> {
        let start = self.dense.partition_point(|dense| dense.get() < values.start);
        let dense = self.dense[start..].iter().map(|dense| dense.get());
        dense.take_while(move |dense| *dense < values.end)
    }

    /// Returns whether a term's documents are stored as a bitmap.
    pub(super) fn has_bits(&self, value: u32) -> bool {
        self.dense.binary_search_by_key(&value, |dense| dense.get()).is_ok()
    }

    /// Adds the documents that contain any of the given terms to `documents`. The lists of consecutive terms
    /// are adjacent, so each run of consecutive terms is added in one step.
    pub(super) fn add_those_of(&self, values: &Set<'_>, documents: &mut SetBuilder) {
        let mut add = |values: Range<usize>| documents.add_list(self.list(values));
        match values {
            Set::Range(range) => add(range.start as usize..range.end as usize),
            Set::List(list) => {
                list.iter().map(|value| value.get() as usize).for_each(|value| add(value..value + 1))
            }
            Set::Bits(bits) => for_each_run(bits.words(), add),
        }
        let dense = self.dense.iter().map(|dense| dense.get()).filter(|dense| values.contains(*dense));
        dense.for_each(|dense| documents.add(&self.bits_of(dense)));
    }

    /// Returns the length of a term's list, which is 0 if the term has a bitmap.
    #[inline]
    pub(super) fn listed(&self, value: u32) -> usize {
        self.list(value as usize..value as usize + 1).len()
    }

    #[inline]
    fn list(&self, values: Range<usize>) -> &[U32] {
        let end_of = |value: usize| match value.checked_sub(1) {
            Some(before) => self.ends.get(before).expect("the term exists") as usize,
            None => 0,
        };
        &self.lists[end_of(values.start)..end_of(values.end)]
    }

    fn bits_of(&self, value: u32) -> Set<'_> {
        let Ok(at) = self.dense.binary_search_by_key(&value, |dense| dense.get()) else { return Set::EMPTY };
        Set::Bits(Bits::lent(self.bits_at(at), self.dense_counts[at].get()))
    }

    fn bits_at(&self, at: usize) -> &[U64] {
        let words = self.documents.div_ceil(64);
        &self.bits[at * words..][..words]
    }
}

/// Returns whether a bitmap with one bit per document is smaller than a list with four bytes per listed
/// document. `documents` is the total number of documents, and `listed` is the length of the list.
pub(super) fn is_dense(listed: usize, documents: usize) -> bool {
    listed > documents.div_ceil(64) * 2
}

fn bits_of_list(list: &[U32], words: usize) -> Vec<U64> {
    let mut bits = vec![0_u64; words];
    list.iter().for_each(|document| bits[document.get() as usize / 64] |= 1 << (document.get() % 64));
    bits.into_iter().map(U64::new).collect()
}

fn number(of: usize) -> U32 {
    U32::new(u32::try_from(of).expect("document counts fit in 32 bits"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    const ITEMS: usize = 400;

    fn list_of(length: Range<usize>) -> impl Strategy<Value = BTreeSet<u32>> {
        btree_set(0..ITEMS as u32, length)
    }

    proptest! {
        #[test]
        fn postings_round_trip(
            lists in vec(prop_oneof![list_of(1..5), list_of(1..200)], 1..12),
            (one, other) in (0_usize..12, 0_usize..12),
        ) {
            let rows = lists.iter().map(|list| list.iter().copied().map(U32::new).collect());
            let rows: Vec<Vec<U32>> = rows.collect();
            let mut file = FileWriter::default();
            Postings::write(&mut file, "field", ITEMS, rows.iter().map(Vec::as_slice));
            let postings = Postings::open(&file.opened(), "field", ITEMS).unwrap();
            for (value, list) in (0..).zip(&lists) {
                prop_assert!(postings.get(value).iter().eq(list.iter().copied()));
                prop_assert_eq!(postings.get(value).len(), list.len());
            }
            let range = one.min(other).min(lists.len())..one.max(other).min(lists.len());
            let joined: BTreeSet<u32> = lists[range.clone()].iter().flatten().copied().collect();
            let values = range.start as u32..range.end as u32;
            prop_assert!(postings.of_range(values.clone()).iter().eq(joined.iter().copied()));
            prop_assert!(postings.of_any(values).iter().eq(joined));
        }
    }
}

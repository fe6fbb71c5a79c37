//! The words that so many values of a column have that joining the items of all those values takes long.

use std::cmp::Reverse;
use std::ops::Range;

use zerocopy::little_endian::{U32, U64};

use super::bits::set_bit;
use super::sorted_column::ItemsByValue;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const FREQUENT: &str = "frequent";
const FREQUENT_BITS: &str = "frequent.bits";

/// The most frequent words of a column: a bit for each item takes seven quarters of a byte an item for all.
const MOST_WORDS: usize = 14;

/// A frequent word is one of at least so many items that bits take less room than a list of them.
const FEW_ITEMS: usize = 32;

/// And of at least one value to so many items: joining the items of fewer is as fast.
const FEW_VALUES: usize = 256;

/// The items of the most frequent words.
#[derive(Clone, Debug)]
pub(super) struct FrequentWords {
    /// Their numbers among all words, ascending.
    words: Rows<U32>,
    /// For each, one bit for each item.
    bits: Rows<U64>,
    items: usize,
}

impl FrequentWords {
    /// Opens the frequent words of a column of so many items.
    pub(super) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        Ok(Self {
            words: file.rows(&subsection(section, FREQUENT))?,
            bits: file.rows(&subsection(section, FREQUENT_BITS))?,
            items,
        })
    }

    /// Writes the frequent ones among words, of which the values of each are given.
    pub(super) fn write<'a>(
        file: &mut FileWriter,
        section: &str,
        items: usize,
        by_value: &ItemsByValue,
        words: impl Iterator<Item = &'a [U32]>,
    ) {
        let count =
            |values: &[U32]| values.iter().map(|value| by_value.get(value.get()).len()).sum::<usize>();
        let is_frequent =
            |values: &[U32]| values.len() * FEW_VALUES >= items.max(1) && count(values) * FEW_ITEMS >= items;
        let mut frequent: Vec<(u32, &[U32])> =
            (0..).zip(words).filter(|(_, values)| is_frequent(values)).collect();
        frequent.sort_by_key(|(_, values)| Reverse(values.len()));
        frequent.truncate(MOST_WORDS);
        frequent.sort_unstable_by_key(|(word, _)| *word);
        let mut bits = Vec::new();
        for (_, values) in &frequent {
            let start = bits.len();
            bits.resize(start + items.div_ceil(64), U64::new(0));
            let of_values = values.iter().flat_map(|value| by_value.get(value.get()));
            of_values.for_each(|item| set_bit(&mut bits[start..], item.get()));
        }
        file.rows(
            &subsection(section, FREQUENT),
            &frequent.iter().map(|(word, _)| U32::new(*word)).collect::<Vec<U32>>(),
        );
        file.rows(&subsection(section, FREQUENT_BITS), &bits);
    }

    /// Returns the bits of the items of a word; `None` when it is not frequent.
    pub(super) fn get(&self, word: u32) -> Option<&[U64]> {
        let at = self.words.binary_search_by_key(&word, |word| word.get()).ok()?;
        Some(self.bits_at(at))
    }

    /// Returns the frequent ones among neighbouring words.
    pub(super) fn among(&self, words: Range<u32>) -> impl Iterator<Item = (u32, &[U64])> {
        let position = |end: u32| self.words.partition_point(|word| word.get() < end);
        let found = position(words.start)..position(words.end).max(position(words.start));
        found.map(|at| (self.words[at].get(), self.bits_at(at)))
    }

    fn bits_at(&self, at: usize) -> &[U64] {
        let row = self.items.div_ceil(64);
        &self.bits[at * row..][..row]
    }
}

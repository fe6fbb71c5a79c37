//! Puts a field of texts together, and writes it as [`column`](super::column) reads it.

use zerocopy::little_endian::U32;

use super::column::{Indexing, RANKS, count};
use super::column_words::ColumnWords;
use super::dictionary::Folding;
use super::interner::Interner;
use super::ordinals::Ordinals;
use super::postings::Postings;
use super::sorted_column::{ItemsByValue, SortedColumn, SortedValues};
use crate::release::file::{FileWriter, subsection};

/// Collects the texts of a column: each once, and which of them each item has.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnWriter {
    texts: Interner,
    /// The number of each item's text, from 1; 0 for none.
    items: Vec<u32>,
}

impl ColumnWriter {
    /// Adds the next item.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        self.items.push(text.map_or(0, |text| self.texts.number(text) + 1));
    }

    /// Sorts the texts, and leaves the items in the order in which they came.
    pub(crate) fn sorted_as_is(self, folding: Folding) -> SortedColumn {
        let items = count(self.items.len());
        self.sorted(folding, 0..items)
    }

    /// Sorts the texts, and puts the items into an order.
    pub(crate) fn sorted(self, folding: Folding, order: impl Iterator<Item = u32>) -> SortedColumn {
        let values = SortedValues::of(self.texts.into_texts(), folding);
        let ordinals = values.ordinals();
        let numbers = order.map(|item| match self.items[item as usize] {
            0 => 0,
            number => ordinals[number as usize - 1] + 1,
        });
        SortedColumn { numbers: numbers.collect(), values }
    }
}

impl SortedColumn {
    pub(crate) fn write(&self, file: &mut FileWriter, section: &str, indexing: Indexing) {
        let Self { values, numbers } = self;
        file.texts(section, values.texts());
        match indexing {
            Indexing::Searched => Ordinals::write(file, section, numbers, values.len()),
            Indexing::Stored | Indexing::Filtered => {
                Ordinals::write_packed(file, section, numbers, values.len());
            }
        }
        file.rows(&subsection(section, RANKS), &ranks(values));
        if indexing == Indexing::Stored {
            return;
        }
        let by_value = ItemsByValue::of(numbers, values.len());
        Postings::write(file, section, numbers.len(), by_value.lists());
        if indexing == Indexing::Searched {
            ColumnWords::write(file, section, self, &by_value);
        }
    }
}

/// Returns the ordinal of the first value with each one's key; none when every value has a key of its own.
fn ranks(values: &SortedValues) -> Vec<U32> {
    let (mut ranks, mut rank, mut before) = (Vec::with_capacity(values.len()), 0, None);
    for (at, key) in (0..).zip(values.keys()) {
        if before.replace(key) != Some(key) {
            rank = at;
        }
        ranks.push(U32::new(rank));
    }
    let is_plain = (0..).zip(&ranks).all(|(at, rank)| rank.get() == at);
    if is_plain { Vec::new() } else { ranks }
}

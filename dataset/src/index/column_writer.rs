//! Puts a field of texts together, and writes it as [`column`](super::column) reads it.

use foldhash::HashMap;
use zerocopy::little_endian::U32;

use super::column::{Indexing, count, ranks_of};
use super::column_words::ColumnWords;
use super::dictionary::{Dictionary, Folding};
use super::ordinals::Ordinals;
use super::postings::Postings;
use crate::release::file::FileWriter;

/// Collects the texts of a column: each once, and which of them each item has.
#[derive(Debug, Default)]
pub(crate) struct ColumnWriter {
    numbers: HashMap<Box<str>, u32>,
    /// The number of each item's text, from 1; 0 for none.
    items: Vec<u32>,
}

/// The texts of a column as they are written: by ascending key, and one more than the ordinal of each item's;
/// 0 for none.
#[derive(Debug)]
pub(crate) struct SortedColumn {
    pub(crate) values: Vec<SortedValue>,
    pub(crate) numbers: Vec<u32>,
}

/// A value, by what values are sorted by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SortedValue {
    pub(crate) key: Box<str>,
    pub(crate) text: Box<str>,
}

impl ColumnWriter {
    /// Adds the next item.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        let next = count(self.numbers.len() + 1);
        let number = match text {
            None => 0,
            Some(text) => match self.numbers.get(text) {
                Some(number) => *number,
                None => *self.numbers.entry(text.into()).or_insert(next),
            },
        };
        self.items.push(number);
    }

    /// Sorts the texts, and leaves the items in the order in which they came.
    pub(crate) fn sorted_as_is(self, folding: Folding) -> SortedColumn {
        let items = count(self.items.len());
        self.sorted(folding, 0..items)
    }

    /// Sorts the texts, and puts the items into an order.
    pub(crate) fn sorted(self, folding: Folding, order: impl Iterator<Item = u32>) -> SortedColumn {
        let key = |text: &str| Box::from(&*folding.key(text));
        let numbered = self.numbers.into_iter();
        let mut values: Vec<(SortedValue, u32)> =
            numbered.map(|(text, number)| (SortedValue { key: key(&text), text }, number)).collect();
        values.sort_unstable();
        let mut positions = vec![0; values.len() + 1];
        for (at, (_, number)) in (1..).zip(&values) {
            positions[*number as usize] = at;
        }
        let numbers = order.map(|item| positions[self.items[item as usize] as usize]).collect();
        SortedColumn { values: values.into_iter().map(|(value, _)| value).collect(), numbers }
    }
}

impl SortedColumn {
    pub(crate) fn write(&self, file: &mut FileWriter, section: &str, indexing: Indexing) {
        let Self { values, numbers } = self;
        Dictionary::write_packed(file, section, values.iter().map(|value| &*value.text));
        match indexing {
            Indexing::Searched => Ordinals::write(file, section, numbers, values.len()),
            Indexing::Stored | Indexing::Filtered => {
                Ordinals::write_packed(file, section, numbers, values.len());
            }
        }
        file.rows(&ranks_of(section), &ranks(values));
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

/// The items of each value, one list after the other.
#[derive(Debug)]
pub(crate) struct ItemsByValue {
    items: Vec<U32>,
    ends: Vec<usize>,
}

impl ItemsByValue {
    /// Sorts items by the numbers of their values, which are from 1 to so many; 0 is none.
    pub(crate) fn of(numbers: &[u32], values: usize) -> Self {
        let numbered =
            || (0..).zip(numbers).filter_map(|(item, number)| Some((item, number.checked_sub(1)? as usize)));
        let mut ends = vec![0; values];
        numbered().for_each(|(_, value): (u32, usize)| ends[value] += 1);
        let mut end = 0;
        let mut starts: Vec<usize> = Vec::with_capacity(values);
        for count in &mut ends {
            starts.push(end);
            end += *count;
            *count = end;
        }
        let mut items = vec![U32::new(0); end];
        for (item, value) in numbered() {
            items[starts[value]] = U32::new(item);
            starts[value] += 1;
        }
        Self { items, ends }
    }

    pub(super) fn get(&self, value: u32) -> &[U32] {
        let value = value as usize;
        &self.items[value.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[value]]
    }

    pub(crate) fn lists(&self) -> impl Iterator<Item = &[U32]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.items[*start..*end])
    }
}

/// Returns the ordinal of the first value with each one's key; none when every value has a key of its own.
fn ranks(values: &[SortedValue]) -> Vec<U32> {
    let mut ranks = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let same = at.checked_sub(1).filter(|before| values[*before].key == value.key);
        ranks.push(same.map_or_else(|| U32::new(count(at)), |before| ranks[before]));
    }
    let is_plain = (0..).zip(&ranks).all(|(at, rank)| rank.get() == at);
    if is_plain { Vec::new() } else { ranks }
}

//! Writes a text field in the format that [`column`](super::column) reads.

use serde::{Deserialize, Serialize};
use zerocopy::little_endian::U32;

use super::column::{Indexing, RANKS, count};
use super::column_words::ColumnWords;
use super::dictionary::Normalization;
use super::documents_by_value::DocumentsByValue;
use super::interner::Interner;
use super::ordinals::Ordinals;
use super::postings::Postings;
use super::text_list::{TextList, ordinals_of};
use crate::release::file::{FileWriter, subsection};

/// Collects the distinct strings of a column, and each document's string.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ColumnWriter {
    texts: Interner,
    /// The number of documents before the first one that has a string. They aren't in `documents`, so a
    /// column without strings uses no memory.
    leading: u32,
    /// For each following document, the number of its string plus 1, or 0 if it has no string.
    documents: Vec<u32>,
}

impl ColumnWriter {
    /// Appends the next document.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        match text {
            None if self.documents.is_empty() => self.leading += 1,
            text => self.documents.push(text.map_or(0, |text| self.texts.number(text) + 1)),
        }
    }

    /// Appends the given documents from another column.
    pub(crate) fn append(&mut self, other: &Self, documents: &[u32]) {
        const UNKNOWN: u32 = u32::MAX;
        let mut numbers = vec![UNKNOWN; other.texts.texts().len()];
        self.documents.reserve(documents.len());
        for document in documents {
            let number = document.checked_sub(other.leading).and_then(|at| other.documents.get(at as usize));
            match number.and_then(|number| number.checked_sub(1)) {
                None if self.documents.is_empty() => self.leading += 1,
                None => self.documents.push(0),
                Some(old) => {
                    let new = &mut numbers[old as usize];
                    if *new == UNKNOWN {
                        *new = self.texts.number(other.texts.texts().get(old));
                    }
                    self.documents.push(*new + 1);
                }
            }
        }
    }

    /// Sorts the strings and keeps the order of the documents.
    pub(crate) fn sorted_as_is(self, normalization: Normalization) -> SortedColumn {
        let documents = self.leading + count(self.documents.len());
        self.sorted(normalization, 0..documents)
    }

    /// Sorts the strings and arranges the documents in the given order.
    pub(crate) fn sorted(
        self,
        normalization: Normalization,
        order: impl Iterator<Item = u32>,
    ) -> SortedColumn {
        let texts = self.texts.into_texts();
        let (mut keys, mut buffer) = (TextList::default(), String::new());
        texts.iter().for_each(|text| keys.push(normalization.key_in(text, &mut buffer)));
        let by_key = keys.sorted(|one, other| texts.get(*one).cmp(texts.get(*other)));
        let ordinals = ordinals_of(&by_key);
        let number = |document: u32| {
            document.checked_sub(self.leading).map_or(0, |document| self.documents[document as usize])
        };
        let numbers = order.map(|document| match number(document) {
            0 => 0,
            number => ordinals[number as usize - 1] + 1,
        });
        SortedColumn {
            numbers: numbers.collect(),
            texts: texts.in_order(&by_key),
            keys: keys.in_order(&by_key),
        }
    }
}

/// The sorted strings of a column, ready to be written.
#[derive(Debug)]
pub(crate) struct SortedColumn {
    /// The distinct strings, sorted by key. Strings that share a key are sorted by the string itself.
    pub(crate) texts: TextList,
    /// The key of each string in `texts`.
    pub(crate) keys: TextList,
    /// For each document, the ordinal of its string plus 1, or 0 if it has no string.
    pub(crate) numbers: Vec<u32>,
}

impl SortedColumn {
    pub(crate) fn write(&self, file: &mut FileWriter, section: &str, indexing: Indexing) {
        let Self { texts, keys, numbers } = self;
        file.texts(section, texts.iter());
        match indexing {
            Indexing::Searched => Ordinals::write(file, section, numbers, texts.len()),
            Indexing::Stored | Indexing::Filtered => {
                Ordinals::write_packed(file, section, numbers, texts.len());
            }
        }
        file.rows(&subsection(section, RANKS), &ranks(keys));
        if indexing == Indexing::Stored {
            return;
        }
        let by_value = DocumentsByValue::of(numbers, texts.len());
        Postings::write(file, section, numbers.len(), by_value.lists());
        if indexing == Indexing::Searched {
            ColumnWords::write(file, section, self, &by_value);
        }
    }
}

/// For each key, returns the position of the first key that's equal to it. The result is empty if all keys
/// are different.
fn ranks(keys: &TextList) -> Vec<U32> {
    let (mut ranks, mut rank, mut before) = (Vec::with_capacity(keys.len()), 0, None);
    for (at, key) in (0..).zip(keys.iter()) {
        if before.replace(key) != Some(key) {
            rank = at;
        }
        ranks.push(U32::new(rank));
    }
    let is_plain = (0..).zip(&ranks).all(|(at, rank)| rank.get() == at);
    if is_plain { Vec::new() } else { ranks }
}

//! A text field, with lookups from documents to values and from values to documents.

use std::ops::Range;

use zerocopy::little_endian::U32;

use super::column_words::ColumnWords;
use super::dictionary::{Dictionary, Normalization};
use super::ordinals::Ordinals;
use super::postings::Postings;
use super::set::Set;
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use super::words::{Word, Words};
use crate::release::ReleaseError;
use crate::release::file::{Rows, SectionFile, subsection};

pub(super) const RANKS: &str = "ranks";

/// If the column has fewer documents than this per selected value, scanning all documents is faster than
/// reading the postings.
const FEW_DOCUMENTS: usize = 16;

/// If the column has at least this many documents per distinct value, counting the documents of the selected
/// values is cheap.
const MANY_DOCUMENTS: usize = 256;

/// The operations that a text field supports. Each level includes the operations of the previous levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Indexing {
    /// Look up the value of a document.
    Stored,
    /// Find the documents that have a given value.
    Filtered,
    /// Find the documents whose value contains a word or a substring.
    Searched,
}

/// A column of strings, at most one per document.
#[derive(Clone, Debug)]
pub(crate) struct TextColumn {
    ordinals: Ordinals,
    values: Dictionary,
    /// For each value, the ordinal of the first value with the same key. Empty if no two values share a key.
    ranks: Rows<U32>,
    postings: Option<Postings>,
    words: Option<ColumnWords>,
    documents: usize,
}

impl TextColumn {
    /// Opens the column in the given section of a file. `documents` is the number of documents in the file.
    pub(crate) fn open(
        file: &SectionFile,
        section: &str,
        normalization: Normalization,
        indexing: Indexing,
        documents: usize,
    ) -> Result<Self, ReleaseError> {
        let values = Dictionary::new(file.texts(section)?, normalization);
        let is_filtered = indexing != Indexing::Stored;
        let is_searched = indexing == Indexing::Searched;
        Ok(Self {
            // Searched columns must support fast scans of all documents.
            ordinals: match indexing {
                Indexing::Searched => Ordinals::open(file, section, documents)?,
                Indexing::Stored | Indexing::Filtered => Ordinals::open_packed(file, section)?,
            },
            postings: is_filtered.then(|| Postings::open(file, section, documents)).transpose()?,
            words: is_searched
                .then(|| ColumnWords::open(file, section, values.len(), documents))
                .transpose()?,
            ranks: file.rows(&subsection(section, RANKS))?,
            values,
            documents,
        })
    }

    /// Returns the value of a document, or `None` if the document has none.
    pub(crate) fn get(&self, document: u32) -> Option<&str> {
        self.ordinals.get(document).map(|value| self.values.get(value))
    }

    /// Returns the ordinal of a document's value, or `None` if the document has none.
    pub(crate) fn ordinal(&self, document: u32) -> Option<u32> {
        self.ordinals.get(document)
    }

    pub(crate) fn values(&self) -> &Dictionary {
        &self.values
    }

    /// Returns the documents whose value has the given key.
    ///
    /// # Panics
    ///
    /// Panics if the column was opened as [`Indexing::Stored`], as does [`postings`](Self::postings).
    pub(crate) fn with_key(&self, key: &str) -> Set<'_> {
        self.postings().of_any(self.values.find(key))
    }

    /// Returns the documents whose value has any of the given keys. The set is borrowed if only one key has
    /// documents.
    ///
    /// # Panics
    ///
    /// Panics under the same condition as [`with_key`](Self::with_key).
    pub(crate) fn with_any_key<'a>(&self, keys: impl IntoIterator<Item = &'a str>) -> Set<'_> {
        let sets = keys.into_iter().map(|key| self.with_key(key));
        SetBuilder::union(sets.filter(|set| !set.is_empty()), self.documents)
    }

    /// Returns the documents whose value has a key less than or equal to `key`.
    ///
    /// # Panics
    ///
    /// Panics under the same condition as [`with_key`](Self::with_key).
    pub(crate) fn up_to(&self, key: &str) -> Set<'_> {
        self.postings().of_range(0..self.values.up_to(key))
    }

    /// Adds the documents whose value contains `word` to `documents`.
    ///
    /// # Panics
    ///
    /// Panics if the column wasn't opened as [`Indexing::Searched`], as does
    /// [`containing`](Self::containing).
    pub(crate) fn add_those_with(&self, word: Word<'_>, documents: &mut SetBuilder) {
        let (words, frequent) = match self.words() {
            ColumnWords::OfDocuments(words) => {
                return words.postings.add_range(words.numbers(word), documents);
            }
            ColumnWords::OfValues { words, frequent } => (words, frequent),
        };
        let numbers = words.numbers(word);
        let mut found = frequent.dense_among(numbers.clone()).peekable();
        if found.peek().is_none() {
            return self.add_those_of(&words.postings.of_range(numbers), documents);
        }
        let (mut values, mut next) = (SetBuilder::new(self.values.len()), numbers.start);
        for word in found {
            words.postings.add_range(next..word, &mut values);
            documents.add(&frequent.get(word));
            next = word + 1;
        }
        words.postings.add_range(next..numbers.end, &mut values);
        self.add_those_of(&values.finish(), documents);
    }

    /// Returns the documents whose normalized value contains `substring`.
    pub(crate) fn containing(&self, substring: &str) -> Set<'_> {
        let mut holds = self.values.holds(substring);
        let (words, frequent) = match self.words() {
            ColumnWords::OfDocuments(words) => {
                return words
                    .containing(substring, |document| self.ordinals.get(document).is_some_and(&mut holds));
            }
            ColumnWords::OfValues { words, frequent } => (words, frequent),
        };
        if let Some(found) = words.words_containing(substring)
            && found.iter().any(|word| frequent.has_bits(*word))
        {
            return self.with_any_word(words, frequent, &found, holds);
        }
        let values = words.containing(substring, holds);
        if values.len() <= 1 {
            return self.postings().of_any(values.iter());
        }
        let mut documents = SetBuilder::new(self.documents);
        self.add_those_of(&values, &mut documents);
        documents.finish()
    }

    /// Returns the documents whose value contains any of the words in `found` and satisfies `holds`. For
    /// frequent words, the documents are read directly from `frequent`. For other words, the matching values
    /// are looked up first.
    fn with_any_word(
        &self,
        words: &Words,
        frequent: &Postings,
        found: &[u32],
        mut holds: impl FnMut(u32) -> bool,
    ) -> Set<'static> {
        let mut documents = SetBuilder::new(self.documents);
        let (all, is_frequent) = (|| found.iter().copied(), |word: &u32| frequent.has_bits(*word));
        all().filter(is_frequent).for_each(|word| documents.add(&frequent.get(word)));
        let others = all().filter(|word| !is_frequent(word));
        self.add_those_of(&words.postings.of_any(others), &mut documents);
        for value in words.divided().filter(|value| !holds(*value)) {
            self.postings().get(value).iter().for_each(|document| documents.remove(document));
        }
        documents.finish()
    }

    /// Adds the documents that have any of the given values to `documents`.
    fn add_those_of(&self, values: &Set<'_>, documents: &mut SetBuilder) {
        if self.has_many(values) {
            self.ordinals.add_those_of(values, documents);
        } else {
            self.postings().add_those_of(values, documents);
        }
    }

    /// Returns whether scanning all documents is faster than reading the postings of these values.
    fn has_many(&self, values: &Set<'_>) -> bool {
        if self.values.len() * MANY_DOCUMENTS > self.documents {
            return values.len() * FEW_DOCUMENTS > self.documents;
        }
        let postings = self.postings();
        let listed: usize = values.iter().map(|value| postings.listed(value)).sum();
        listed > self.documents / 2
    }

    /// Returns the [tie-breaking ranks](Ties) of the first `order.k` documents in `found`, sorted by value.
    pub(crate) fn first(&self, found: &Set<'_>, order: Order, ties: Ties<'_>) -> Vec<u32> {
        // The expected number of documents that a traversal in value order visits.
        let by_value = order.k.saturating_mul(self.documents) / found.len().max(1);
        match &self.postings {
            Some(postings) if by_value < found.len() => self.first_by_value(postings, found, order, ties),
            _ if self.ranks.is_empty() => self.ordinals.first(found.iter(), order, ties),
            _ => {
                let ranks = &*self.ranks;
                let number =
                    |document| self.ordinals.get(document).map_or(0, |value| ranks[value as usize].get() + 1);
                order.first(found.iter(), number, ties)
            }
        }
    }

    /// Selects the first documents by visiting the values in order and, for each value, all of its documents.
    fn first_by_value(&self, postings: &Postings, found: &Set<'_>, order: Order, ties: Ties<'_>) -> Vec<u32> {
        let Order { k, descending } = order;
        let ranks = &*self.ranks;
        let mut first = Vec::with_capacity(k);
        let mut rest = 0..count(self.values.len());
        while first.len() < k && !rest.is_empty() {
            let same = next_rank(ranks, &mut rest, descending);
            let before = first.len();
            // The documents of a single value are already in order.
            let most = if same.len() == 1 && ties.is_none() { k - before } else { usize::MAX };
            for documents in same.map(|value| postings.get(value)) {
                first.extend(documents.iter().filter(|document| found.contains(*document)).take(most));
            }
            put_in_order(&mut first[before..], ties);
            first.truncate(k);
        }
        let before = first.len();
        if before < k {
            first.extend(found.iter().filter(|document| self.ordinals.get(*document).is_none()));
            put_in_order(&mut first[before..], ties);
            first.truncate(k);
        }
        first
    }

    /// Returns the postings of the column's values.
    pub(crate) fn postings(&self) -> &Postings {
        self.postings.as_ref().expect("the field is indexed for filtering")
    }

    fn words(&self) -> &ColumnWords {
        self.words.as_ref().expect("the field is indexed for search")
    }
}

/// Removes the next group of values with the same rank from `rest` and returns the range of the group. If
/// `descending` is true, the group is taken from the end of `rest`. `rest` must not be empty.
fn next_rank(ranks: &[U32], rest: &mut Range<u32>, descending: bool) -> Range<u32> {
    let rank = |value: u32| rank_of(ranks, value);
    let values = rest.clone();
    if descending {
        let last = rank(values.end - 1);
        let start = values.clone().rev().take_while(|value| rank(*value) == last).last();
        rest.end = start.unwrap_or(values.start);
        rest.end..values.end
    } else {
        let first = rank(values.start);
        let last = values.clone().take_while(|value| rank(*value) == first).last();
        rest.start = last.map_or(values.end, |last| last + 1);
        values.start..rest.start
    }
}

/// Returns the sort rank of a value. Values that share a key also share a rank.
fn rank_of(ranks: &[U32], value: u32) -> u32 {
    ranks.get(value as usize).map_or(value, |rank| rank.get())
}

/// Replaces the documents with their tie-breaking ranks, if any, and sorts them.
fn put_in_order(documents: &mut [u32], ties: Ties<'_>) {
    if let Some(ties) = ties {
        documents.iter_mut().for_each(|document| *document = ties[*document as usize].get());
    }
    documents.sort_unstable();
}

pub(super) fn count(of: usize) -> u32 {
    u32::try_from(of).expect("counts fit in 32 bits")
}

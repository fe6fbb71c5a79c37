//! Deduplicates strings.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use serde::{Deserialize, Serialize};

use super::text_list::TextList;

/// Stores each distinct string once. Strings are numbered from 0 in order of first occurrence.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "TextList")]
pub(crate) struct Interner {
    texts: TextList,
    /// A hash table of string numbers, hashed by the string.
    #[serde(skip)]
    numbers: HashTable<u32>,
    #[serde(skip)]
    hashes: RandomState,
}

impl From<TextList> for Interner {
    fn from(texts: TextList) -> Self {
        let mut interner = Self::default();
        for text in texts.iter() {
            interner.number(text);
        }
        interner
    }
}

impl Interner {
    /// Returns a string's number and adds the string if it isn't stored yet.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let Self { texts, numbers, hashes } = self;
        let is_it = |number: &u32| texts.get(*number) == text;
        let hash = |number: &u32| hashes.hash_one(texts.get(*number));
        match numbers.entry(hashes.hash_one(text), is_it, hash) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let next = u32::try_from(texts.len()).expect("string counts fit in 32 bits");
                texts.push(text);
                *place.insert(next).get()
            }
        }
    }

    /// Returns the distinct strings, sorted by number.
    pub(crate) fn texts(&self) -> &TextList {
        &self.texts
    }

    /// Consumes the interner, and returns its strings, sorted by number.
    pub(crate) fn into_texts(self) -> TextList {
        self.texts
    }
}

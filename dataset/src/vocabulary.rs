//! Sorted texts, and the items that each is found in.

use std::collections::BTreeMap;
use std::ops::Range;

use zerocopy::little_endian::U32;

use crate::ReleaseError;
use crate::file::{FileWriter, Rows, SectionFile, Texts};
use crate::places::words;

/// The items of each value, ascending. Items are known by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Postings {
    ends: Rows<U32>,
    items: Rows<U32>,
}

impl Postings {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { ends: file.rows(&ends_of(section))?, items: file.rows(&items_of(section))? })
    }

    /// Writes the items of each value.
    pub(crate) fn write<'a>(file: &mut FileWriter, section: &str, lists: impl IntoIterator<Item = &'a Vec<U32>>) {
        let (mut items, mut ends) = (Vec::new(), Vec::new());
        for list in lists {
            items.extend_from_slice(list);
            ends.push(number(items.len()));
        }
        file.rows(&items_of(section), &items);
        file.rows(&ends_of(section), &ends);
    }

    /// Returns the items of a value.
    pub(crate) fn get(&self, value: usize) -> &[U32] {
        self.of_all(value..value + 1)
    }

    /// Returns the items of neighbouring values, one value after the other.
    pub(crate) fn of_all(&self, values: Range<usize>) -> &[U32] {
        let end_of = |value: usize| value.checked_sub(1).map_or(0, |before| self.ends[before].get() as usize);
        &self.items[end_of(values.start)..end_of(values.end)]
    }

    pub(crate) fn ends(&self) -> &[U32] {
        &self.ends
    }

    pub(crate) fn items(&self) -> &[U32] {
        &self.items
    }

    /// Checks that every value has some of so many items, in order.
    pub(crate) fn check(&self, items: usize) -> Result<(), String> {
        let ascend = self.ends.is_sorted_by_key(|end| end.get());
        let last = self.ends.last().map_or(0, |end| end.get() as usize);
        if !ascend || last != self.items.len() {
            return Err("a value ends outside its section".to_owned());
        }
        let is_right = |value: &usize| {
            let list = self.get(*value);
            let ordered = list.is_sorted_by(|one, other| one.get() < other.get());
            ordered && list.last().is_some_and(|last| (last.get() as usize) < items)
        };
        match (0..self.ends.len()).find(|value| !is_right(value)) {
            Some(value) => Err(format!("the items of value {value} are none, or not in order")),
            None => Ok(()),
        }
    }
}

/// Ascending folded texts and the items that have them.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    pub(crate) texts: Texts,
    pub(crate) postings: Postings,
}

impl Vocabulary {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { texts: file.texts(section)?, postings: Postings::open(file, section)? })
    }

    /// Writes the words of folded texts, of which each is an item.
    pub(crate) fn write_words(file: &mut FileWriter, section: &str, folded: &[String]) {
        let mut vocabulary: BTreeMap<String, Vec<U32>> = BTreeMap::new();
        for (item, text) in folded.iter().enumerate() {
            for word in words(text) {
                let items = vocabulary.entry(word).or_default();
                if items.last() != Some(&number(item)) {
                    items.push(number(item));
                }
            }
        }
        file.texts(section, vocabulary.keys().map(String::as_str));
        Postings::write(file, section, vocabulary.values());
    }

    /// Finds a folded text.
    pub(crate) fn find(&self, folded: &str) -> Option<usize> {
        let at = self.texts.first_where(|text| text >= folded);
        (at < self.texts.len() && self.texts.get(at) == folded).then_some(at)
    }

    /// Finds the folded texts that begin with one.
    pub(crate) fn beginning_with(&self, folded: &str) -> Range<usize> {
        let start = self.texts.first_where(|text| text >= folded);
        start..self.texts.first_where(|text| text >= folded && !text.starts_with(folded))
    }

    /// Returns the items that have a folded text.
    pub(crate) fn of(&self, folded: &str) -> &[U32] {
        self.find(folded).map_or(&[], |at| self.postings.get(at))
    }

    /// Checks that the texts are in order, and each is of some of so many items.
    pub(crate) fn check(&self, items: usize) -> Result<(), String> {
        let texts = &self.texts;
        if !texts.are_sound() || !(1..texts.len()).all(|at| texts.get(at - 1) < texts.get(at)) {
            return Err("the texts are not UTF-8 or not in order".to_owned());
        }
        if texts.len() != self.postings.ends().len() {
            return Err("the texts and their items are not of one number".to_owned());
        }
        self.postings.check(items)
    }
}

fn items_of(section: &str) -> String {
    format!("{section}.items")
}

fn ends_of(section: &str) -> String {
    format!("{section}.items.ends")
}

fn number(of: usize) -> U32 {
    U32::new(u32::try_from(of).expect("fewer than four thousand million items"))
}

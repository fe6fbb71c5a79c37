use std::collections::BTreeMap;

use zerocopy::little_endian::U32;

use super::text::words;
use crate::ReleaseError;
use crate::file::{FileWriter, Rows, SectionFile, Texts};

/// The words of the values of a field, and the values of each.
#[derive(Clone, Debug)]
pub(super) struct Words {
    texts: Texts,
    ends: Rows<U32>,
    values: Rows<U32>,
    all: u32,
}

impl Words {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self {
            texts: file.texts(&format!("{section}.words"))?,
            ends: file.rows(&format!("{section}.words.values.ends"))?,
            values: file.rows(&format!("{section}.words.values"))?,
            all: super::count(file.texts(section)?.len()),
        })
    }

    pub(super) fn write(file: &mut FileWriter, section: &str, keys: &[String]) {
        let mut vocabulary: BTreeMap<String, Vec<U32>> = BTreeMap::new();
        for (value, key) in keys.iter().enumerate() {
            for word in words(key) {
                let values = vocabulary.entry(word).or_default();
                if values.last() != Some(&super::number(value)) {
                    values.push(super::number(value));
                }
            }
        }
        let (mut values, mut ends) = (Vec::new(), Vec::new());
        for list in vocabulary.values() {
            values.extend_from_slice(list);
            ends.push(super::number(values.len()));
        }
        file.texts(&format!("{section}.words"), vocabulary.keys().map(String::as_str));
        file.rows(&format!("{section}.words.values"), &values);
        file.rows(&format!("{section}.words.values.ends"), &ends);
    }

    pub(super) fn exactly(&self, word: &str) -> &[U32] {
        let end = self.first_where(|text| text > word);
        self.of(self.first_where(|text| text >= word), end)
    }

    pub(super) fn beginning_with(&self, prefix: &str) -> &[U32] {
        let end = self.first_where(|text| text > prefix && !text.starts_with(prefix));
        self.of(self.first_where(|text| text >= prefix), end)
    }

    pub(super) fn holding(&self, piece: &str, key_of: &dyn Fn(u32) -> String) -> Vec<u32> {
        (0..self.all).filter(|value| key_of(*value).contains(piece)).collect()
    }

    pub(super) fn check(&self, values: usize) -> Result<(), String> {
        let exist = self.values.iter().all(|value| (value.get() as usize) < values);
        if exist { Ok(()) } else { Err("a word is of a value that is not there".to_owned()) }
    }

    fn of(&self, start: usize, end: usize) -> &[U32] {
        let end_of = |word: usize| word.checked_sub(1).map_or(0, |before| self.ends[before].get() as usize);
        &self.values[end_of(start)..end_of(end)]
    }

    fn first_where(&self, holds: impl Fn(&str) -> bool) -> usize {
        let (mut from, mut to) = (0, self.texts.len());
        while from < to {
            let middle = from.midpoint(to);
            if holds(self.texts.get(middle)) { to = middle } else { from = middle + 1 }
        }
        from
    }
}

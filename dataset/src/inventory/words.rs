//! The words of a field's values, and what is found by them.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::U32;

use super::text::words;
use crate::ReleaseError;
use crate::file::{FileWriter, Rows, SectionFile, Texts};
use crate::places::{APOSTROPHES, Wildcard};

/// The words of the values of a field, and the values of each. Values are known by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Words {
    texts: Texts,
    ends: Rows<U32>,
    values: Rows<U32>,
    /// The values with an apostrophe, which divides no word: what is written may hold less than its words do.
    apostrophes: Rows<U32>,
}

impl Words {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let [texts, values, ends, apostrophes] = sections(section);
        Ok(Self {
            texts: file.texts(&texts)?,
            values: file.rows(&values)?,
            ends: file.rows(&ends)?,
            apostrophes: file.rows(&apostrophes)?,
        })
    }

    /// Writes the words of values that are given by their keys.
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
        let (mut values, mut value_ends) = (Vec::new(), Vec::new());
        for list in vocabulary.values() {
            values.extend_from_slice(list);
            value_ends.push(super::number(values.len()));
        }
        let apostrophes = keys.iter().enumerate().filter(|(_, key)| key.contains(APOSTROPHES));
        let apostrophes: Vec<U32> = apostrophes.map(|(value, _)| super::number(value)).collect();
        let [texts, of_words, ends, with_apostrophe] = sections(section);
        file.texts(&texts, vocabulary.keys().map(String::as_str));
        file.rows(&of_words, &values);
        file.rows(&ends, &value_ends);
        file.rows(&with_apostrophe, &apostrophes);
    }

    /// Returns the values that have a word.
    pub(super) fn exactly(&self, word: &str) -> &[U32] {
        let start = self.texts.first_where(|text| text >= word);
        self.of(start, self.texts.first_where(|text| text > word))
    }

    /// Returns the values that have a word with a beginning; some may come more than once.
    pub(super) fn beginning_with(&self, beginning: &str) -> &[U32] {
        let start = self.texts.first_where(|text| text >= beginning);
        self.of(start, self.texts.first_where(|text| text > beginning && !text.starts_with(beginning)))
    }

    /// Returns the values, of so many, whose key holds a piece, ascending.
    pub(super) fn holding(&self, piece: &str, values: usize, key: &dyn Fn(u32) -> String) -> Vec<u32> {
        let holds = |value: &u32| key(*value).contains(piece);
        // An apostrophe may be a letter, and is in no word.
        let divides = |character: char| !character.is_alphanumeric() || APOSTROPHES.contains(&character);
        let longest = piece.split(divides).max_by_key(|run| run.len());
        let Some(longest) = longest.filter(|run| !run.is_empty()) else {
            return (0..super::count(values)).filter(holds).collect();
        };
        let mut candidates = FixedBitSet::with_capacity(values);
        for word in Wildcard::new(longest).find(&self.texts) {
            let values = self.of(word as usize, word as usize + 1);
            values.iter().for_each(|value| candidates.insert(value.get() as usize));
        }
        let mut found: Vec<u32> = candidates.ones().map(super::count).collect();
        if longest != piece {
            found.retain(holds);
        } else if !self.apostrophes.is_empty() {
            // Whatever lies in one word lies in what is written too, but for what an apostrophe divides.
            let is_divided = |value: &u32| self.apostrophes.binary_search_by_key(value, |one| one.get()).is_ok();
            found.retain(|value| !is_divided(value) || holds(value));
        }
        found
    }

    /// Checks that the words are in order, and all that is of a word is among so many values.
    pub(super) fn check(&self, values: usize) -> Result<(), String> {
        let texts = &self.texts;
        if !texts.are_sound() || !(1..texts.len()).all(|at| texts.get(at - 1) < texts.get(at)) {
            return Err("the words are not in order".to_owned());
        }
        let ascend = self.ends.is_sorted_by_key(|end| end.get());
        let end = self.ends.last().map_or(0, |end| end.get() as usize);
        if !ascend || end != self.values.len() || self.ends.len() != texts.len() {
            return Err("the values of a word end outside".to_owned());
        }
        let exist = |of: &[U32]| of.iter().all(|value| (value.get() as usize) < values);
        let ascend =
            (0..texts.len()).all(|word| self.of(word, word + 1).is_sorted_by(|one, other| one.get() < other.get()));
        let ascend = ascend && self.apostrophes.is_sorted_by(|one, other| one.get() < other.get());
        if !ascend || !exist(&self.values) || !exist(&self.apostrophes) {
            return Err("a word is of a value that is not there, or out of order".to_owned());
        }
        Ok(())
    }

    /// Returns the values of neighbouring words, one word after the other.
    fn of(&self, start: usize, end: usize) -> &[U32] {
        let end_of = |word: usize| word.checked_sub(1).map_or(0, |before| self.ends[before].get() as usize);
        &self.values[end_of(start)..end_of(end)]
    }
}

fn sections(section: &str) -> [String; 4] {
    ["words", "words.values", "words.values.last", "apostrophes"].map(|of| format!("{section}.{of}"))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::text::key;
    use super::*;

    /// The words of values that are given by their keys.
    fn words_of(keys: &[String]) -> Words {
        let mut file = FileWriter::default();
        Words::write(&mut file, "field", keys);
        let words = Words::open(&file.opened(), "field").unwrap();
        words.check(keys.len()).unwrap();
        words
    }

    fn numbers(values: &[U32]) -> Vec<u32> {
        values.iter().map(|value| value.get()).collect()
    }

    fn where_key(keys: &[String], holds: impl Fn(&str) -> bool) -> Vec<u32> {
        (0..).zip(keys).filter(|(_, key)| holds(key)).map(|(value, _)| value).collect()
    }

    fn holding(words: &Words, keys: &[String], piece: &str) -> Vec<u32> {
        words.holding(piece, keys.len(), &|value| keys[value as usize].clone())
    }

    #[test]
    fn a_piece_is_a_piece_of_what_is_written() {
        let keys =
            ["o'hare", "ohare", "o\u{2bc}hare", "main st", "st. main", "& / #", "", "東京 road"].map(str::to_owned);
        let words = words_of(&keys);
        let cases: [(&str, &[u32]); 12] = [
            ("hare", &[0, 1, 2]),
            ("ohare", &[1]),
            ("o'h", &[0]),
            ("o\u{2bc}h", &[2]),
            ("'", &[0]),
            ("main", &[3, 4]),
            ("main s", &[3]),
            ("t. m", &[4]),
            ("/", &[5]),
            ("", &[0, 1, 2, 3, 4, 5, 6, 7]),
            ("京", &[7]),
            ("京 r", &[7]),
        ];
        for (piece, expected) in cases {
            assert_eq!(holding(&words, &keys, piece), expected, "{piece}");
        }
    }

    /// Texts of so few characters that many have something in common.
    const TEXT: &str = "[abé1 .\\-'\u{2bc}\u{2019}]{0,7}";

    proptest! {
        #[test]
        fn finds_the_values_that_a_plain_loop_finds(texts in vec(TEXT, 0..40), piece in TEXT) {
            let mut keys: Vec<String> = texts.iter().map(|text| key(text)).collect();
            keys.sort_unstable();
            keys.dedup();
            let (vocabulary, piece) = (words_of(&keys), key(&piece));
            prop_assert_eq!(holding(&vocabulary, &keys, &piece), where_key(&keys, |key| key.contains(&piece)));
            for word in words(&piece) {
                let has = where_key(&keys, |key| words(key).contains(&word));
                prop_assert_eq!(numbers(vocabulary.exactly(&word)), has, "{}", word);
                let mut beginning = numbers(vocabulary.beginning_with(&word));
                beginning.sort_unstable();
                beginning.dedup();
                let begins = where_key(&keys, |key| words(key).iter().any(|one| one.starts_with(&word)));
                prop_assert_eq!(beginning, begins, "{}", word);
            }
        }
    }
}

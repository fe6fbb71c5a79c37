//! The words of a field's values, and what is found by them.

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::U32;

use crate::ReleaseError;
use crate::file::{FileWriter, Rows, SectionFile};
use crate::places::{APOSTROPHES, Wildcard};
use crate::vocabulary::Vocabulary;

/// The words of the values of a field, and the values of each. Values are known by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Words {
    vocabulary: Vocabulary,
    /// The values with an apostrophe, which divides no word: what is written may hold less than its words do.
    apostrophes: Rows<U32>,
}

impl Words {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let vocabulary = Vocabulary::open(file, &words_of(section))?;
        Ok(Self { vocabulary, apostrophes: file.rows(&apostrophes_of(section))? })
    }

    /// Writes the words of values that are given by their keys.
    pub(super) fn write(file: &mut FileWriter, section: &str, keys: &[String]) {
        Vocabulary::write_words(file, &words_of(section), keys);
        let apostrophes = keys.iter().enumerate().filter(|(_, key)| key.contains(APOSTROPHES));
        let apostrophes: Vec<U32> = apostrophes.map(|(value, _)| super::number(value)).collect();
        file.rows(&apostrophes_of(section), &apostrophes);
    }

    /// Returns the values that have a word.
    pub(super) fn exactly(&self, word: &str) -> &[U32] {
        self.vocabulary.of(word)
    }

    /// Returns the values that have a word with a beginning; some may come more than once.
    pub(super) fn beginning_with(&self, beginning: &str) -> &[U32] {
        self.vocabulary.postings.of_all(self.vocabulary.beginning_with(beginning))
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
        for word in Wildcard::new(longest).find(&self.vocabulary.texts) {
            let values = self.vocabulary.postings.get(word as usize);
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
        self.vocabulary.check(values)?;
        let ascend = self.apostrophes.is_sorted_by(|one, other| one.get() < other.get());
        if !ascend || self.apostrophes.last().is_some_and(|last| last.get() as usize >= values) {
            return Err("the values with apostrophes are not there, or out of order".to_owned());
        }
        Ok(())
    }
}

fn words_of(section: &str) -> String {
    format!("{section}.words")
}

fn apostrophes_of(section: &str) -> String {
    format!("{section}.apostrophes")
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::text::{key, words};
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

//! The words of texts, and the items that each is found in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use zerocopy::little_endian::U32;

use super::damage::Damage;
use super::dictionary::{Dictionary, Folding};
use super::fold::{APOSTROPHES, split_words};
use super::pattern::Pattern;
use super::postings::Postings;
use super::set::Set;
use super::typo::{is_forgiven, within_one_typo};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// The words of folded texts, of which each is an item, and the items of each word.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    dictionary: Dictionary,
    postings: Postings,
    /// The items with an apostrophe, which divides no word: what is written may hold less than its words do.
    apostrophes: Rows<U32>,
    items: usize,
}

impl Words {
    /// Opens the words of so many texts.
    pub(crate) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        let dictionary = Dictionary::open(file, &words_of(section), Folding::AsIs)?;
        let postings = Postings::open(file, &words_of(section), dictionary.len(), items)?;
        Ok(Self { dictionary, postings, apostrophes: file.rows(&apostrophes_of(section))?, items })
    }

    /// Writes the words of folded texts.
    pub(crate) fn write(file: &mut FileWriter, section: &str, folded: &[impl AsRef<str>]) {
        let mut words: BTreeMap<String, Vec<U32>> = BTreeMap::new();
        let mut apostrophes = Vec::new();
        for (item, text) in (0..).map(U32::new).zip(folded) {
            if text.as_ref().contains(APOSTROPHES) {
                apostrophes.push(item);
            }
            for word in split_words(text.as_ref()) {
                let items = words.entry(word).or_default();
                if items.last() != Some(&item) {
                    items.push(item);
                }
            }
        }
        let section_of_words = words_of(section);
        Dictionary::write(file, &section_of_words, words.keys().map(String::as_str));
        Postings::write(file, &section_of_words, folded.len(), words.values().map(Vec::as_slice));
        file.rows(&apostrophes_of(section), &apostrophes);
    }

    /// Returns the items that have a word; none when there is no such word.
    pub(crate) fn exactly(&self, word: &str) -> Set<'_> {
        self.postings.of_any(self.dictionary.find(word))
    }

    /// Returns the items that have a word with a beginning; none when there is no such word.
    pub(crate) fn beginning_with(&self, beginning: &str) -> Set<'_> {
        self.postings.of_range(self.dictionary.beginning_with(beginning))
    }

    /// Returns the items that have a word which differs from another one by a typo.
    pub(crate) fn within_one_typo(&self, word: &str) -> Set<'_> {
        if !is_forgiven(word) {
            return Set::EMPTY;
        }
        let mut rest = word.chars();
        rest.by_ref().take(2).for_each(drop);
        let (rest, ends) = (rest.as_str().as_bytes(), [word.bytes().next(), word.bytes().next_back()]);
        let is_near = |text: &str| {
            // Of a typo in the first letter, what follows the second one does not know: a glance spares most
            // words.
            let bytes = text.as_bytes();
            let begins_alike = bytes.first().copied() == ends[0];
            let ends_alike = || bytes.last().copied() == ends[1] && bytes.ends_with(rest);
            (begins_alike || ends_alike()) && within_one_typo(word, text)
        };
        let near = (0..).zip(self.dictionary.texts().iter()).filter(|(_, text)| is_near(text));
        self.postings.of_any(near.map(|(at, _)| at))
    }

    /// Returns the items whose texts hold a piece; `key` gives the folded text of an item.
    pub(crate) fn holding<'a>(&self, piece: &str, key: impl Fn(u32) -> Cow<'a, str>) -> Set<'_> {
        let holds = |item: &u32| key(*item).contains(piece);
        // An apostrophe may be a letter, and is in no word.
        let divides = |character: char| !character.is_alphanumeric() || APOSTROPHES.contains(&character);
        let longest = piece.split(divides).max_by_key(|run| run.len());
        let Some(longest) = longest.filter(|run| !run.is_empty()) else {
            return Set::of_ascending(Set::all(self.items).iter().filter(holds));
        };
        let words = Pattern::new(longest).find(self.dictionary.texts());
        let candidates = self.postings.of_any(words);
        if longest != piece {
            return Set::of_ascending(candidates.iter().filter(holds));
        }
        // Whatever lies in one word lies in what is written too, but for what an apostrophe divides.
        let members = candidates.members();
        let divided = self.apostrophes.iter().map(|item| item.get());
        let wrong: Vec<u32> = divided.filter(|item| members.contain(*item) && !holds(item)).collect();
        if wrong.is_empty() {
            return candidates;
        }
        Set::of_ascending(candidates.iter().filter(|item| wrong.binary_search(item).is_err()))
    }

    /// Checks that the words are in order, and all that has a word is there.
    pub(crate) fn check(&self) -> Result<(), Damage> {
        self.dictionary.check()?;
        self.postings.check()?;
        let ascend = self.apostrophes.is_sorted_by(|one, other| one.get() < other.get());
        if !ascend || self.apostrophes.last().is_some_and(|last| last.get() as usize >= self.items) {
            return Err(Damage::Apostrophes);
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

    use super::super::fold::fold;
    use super::*;

    /// The words of texts that are given by their keys.
    fn words(keys: &[String]) -> Words {
        let mut file = FileWriter::default();
        Words::write(&mut file, "field", keys);
        let words = Words::open(&file.opened(), "field", keys.len()).unwrap();
        words.check().unwrap();
        words
    }

    fn items(set: &Set<'_>) -> Vec<u32> {
        set.iter().collect()
    }

    fn where_key(keys: &[String], holds: impl Fn(&str) -> bool) -> Vec<u32> {
        (0..).zip(keys).filter(|(_, key)| holds(key)).map(|(item, _)| item).collect()
    }

    fn holding(words: &Words, keys: &[String], piece: &str) -> Vec<u32> {
        items(&words.holding(piece, |item| Cow::Borrowed(keys[item as usize].as_str())))
    }

    #[test]
    fn a_piece_is_a_piece_of_what_is_written() {
        let keys = ["o'hare", "ohare", "o\u{2bc}hare", "main st", "st. main", "& / #", "", "東京 road"]
            .map(str::to_owned);
        let words = words(&keys);
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

    #[test]
    fn a_typo_is_looked_for_in_words_alone() {
        let keys = ["starbucks", "starbuck", "tarbucks coffee", "star bucks", "stabrucks"].map(str::to_owned);
        let words = words(&keys);
        assert_eq!(items(&words.within_one_typo("starbucks")), [0, 1, 2, 4]);
        assert!(words.within_one_typo("sta").is_empty() && words.within_one_typo("coffeeshop").is_empty());
    }

    /// Texts of so few characters that many have something in common.
    const TEXT: &str = "[abé1 .\\-'\u{2bc}\u{2019}]{0,7}";

    proptest! {
        #[test]
        fn finds_the_texts_that_a_plain_loop_finds(texts in vec(TEXT, 0..40), piece in TEXT) {
            let mut keys: Vec<String> = texts.iter().map(|text| fold(text)).collect();
            keys.sort_unstable();
            keys.dedup();
            let (words, piece) = (words(&keys), fold(&piece));
            prop_assert_eq!(holding(&words, &keys, &piece), where_key(&keys, |key| key.contains(&piece)));
            for word in split_words(&piece) {
                let has = where_key(&keys, |key| split_words(key).contains(&word));
                prop_assert_eq!(items(&words.exactly(&word)), has, "{}", word);
                let begins = |key: &str| split_words(key).iter().any(|one| one.starts_with(&word));
                let begins = where_key(&keys, begins);
                prop_assert_eq!(items(&words.beginning_with(&word)), begins, "{}", word);
            }
        }
    }
}

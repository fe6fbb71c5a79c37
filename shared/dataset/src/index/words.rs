//! The word index, which maps each word to the documents that contain it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use zerocopy::little_endian::U32;

use super::dictionary::{Dictionary, Normalization};
use super::documents_by_value::DocumentsByValue;
use super::interner::Interner;
use super::normalize::{without_apostrophes, words_between};
use super::pattern::Pattern;
use super::postings::Postings;
use super::set::Set;
use super::substring::{Run, runs};
use super::text_list::ordinals_of;
use super::typo::{is_forgiven, within_one_typo};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const WORDS: &str = "words";
const APOSTROPHES: &str = "apostrophes";

/// The maximum number of runs of a substring that are looked up. Looking up more runs hardly reduces the
/// number of candidates.
const MAX_RUNS: usize = 4;

/// The words of normalized strings, and the documents that contain each word. Each document has one string.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(super) dictionary: Dictionary,
    pub(super) postings: Postings,
    /// The documents whose string contains an apostrophe. Removing it joins the letters on both sides into
    /// one word, so an indexed word can contain a substring that isn't in the string.
    apostrophes: Rows<U32>,
    documents: usize,
}

/// A search term: a whole word or the beginning of one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word<'a> {
    Whole(&'a str),
    Beginning(&'a str),
}

impl Words {
    /// Opens a word index. `documents` is the number of documents in the index.
    pub(crate) fn open(file: &SectionFile, section: &str, documents: usize) -> Result<Self, ReleaseError> {
        let dictionary = Dictionary::new(file.texts(&subsection(section, WORDS))?, Normalization::AsIs);
        let postings = Postings::open(file, &subsection(section, WORDS), documents)?;
        Ok(Self {
            dictionary,
            postings,
            apostrophes: file.rows(&subsection(section, APOSTROPHES))?,
            documents,
        })
    }

    /// Writes the word index of normalized strings, one per document. Returns the documents that contain each
    /// word.
    pub(crate) fn write<'a>(
        file: &mut FileWriter,
        section: &str,
        normalized: impl Iterator<Item = &'a str>,
    ) -> DocumentsByValue {
        let mut words = Interner::default();
        // Pairs of a word number and a document.
        let mut found: Vec<(u32, u32)> = Vec::new();
        let (mut apostrophes, mut documents) = (Vec::new(), 0);
        for (document, text) in (0..).zip(normalized) {
            documents += 1;
            let joined = without_apostrophes(text);
            if let Cow::Owned(_) = joined {
                apostrophes.push(U32::new(document));
            }
            let first = found.len();
            for word in words_between(&joined) {
                let pair = (words.number(word), document);
                if !found[first..].contains(&pair) {
                    found.push(pair);
                }
            }
        }
        let words = words.into_texts();
        let order = words.sorted(u32::cmp);
        let ordinals = ordinals_of(&order);
        let pairs = found.iter().map(|(number, document)| (ordinals[*number as usize] as usize, *document));
        let by_word = DocumentsByValue::of_pairs(pairs, words.len());
        let section_of_words = subsection(section, WORDS);
        file.texts(&section_of_words, order.iter().map(|word| words.get(*word)));
        Postings::write(file, &section_of_words, documents, by_word.lists());
        file.rows(&subsection(section, APOSTROPHES), &apostrophes);
        by_word
    }

    /// Returns the numbers of the matching words.
    pub(super) fn numbers(&self, word: Word<'_>) -> Range<u32> {
        match word {
            Word::Whole(word) => self.dictionary.find(word),
            Word::Beginning(beginning) => self.dictionary.beginning_with(beginning),
        }
    }

    /// Returns the documents that contain exactly the given word.
    pub(crate) fn exactly(&self, word: &str) -> Set<'_> {
        self.postings.of_any(self.dictionary.find(word))
    }

    /// Returns the documents that contain a word with the given prefix.
    pub(crate) fn beginning_with(&self, beginning: &str) -> Set<'_> {
        self.postings.of_range(self.dictionary.beginning_with(beginning))
    }

    /// Returns the documents that contain `word` or a word that differs from it by one typo. Returns no
    /// documents if `word` is too short for typo tolerance.
    pub(crate) fn within_one_typo(&self, word: &str) -> Set<'_> {
        if !is_forgiven(word) {
            return Set::EMPTY;
        }
        let mut rest = word.chars();
        rest.by_ref().take(2).for_each(drop);
        let (rest, ends) = (rest.as_str().as_bytes(), [word.bytes().next(), word.bytes().next_back()]);
        let is_near = |text: &str| {
            // If the first letters differ, the typo is in the first two letters, so everything after the
            // second letter of `word` must match. This quick check rules out most words.
            let bytes = text.as_bytes();
            let begins_alike = bytes.first().copied() == ends[0];
            let ends_alike = || bytes.last().copied() == ends[1] && bytes.ends_with(rest);
            (begins_alike || ends_alike()) && within_one_typo(word, text)
        };
        let near = (0..).zip(self.dictionary.texts().iter()).filter(|(_, text)| is_near(text));
        self.postings.of_any(near.map(|(at, _)| at))
    }

    /// Returns the documents that contain a substring. `holds` checks whether a document's string contains
    /// it.
    pub(super) fn containing(&self, substring: &str, mut holds: impl FnMut(u32) -> bool) -> Set<'_> {
        if let Some(words) = self.words_containing(substring) {
            let candidates = self.postings.of_any(words);
            let is_wrong = |document: &u32| candidates.contains(*document) && !holds(*document);
            let wrong: Vec<u32> = self.divided().filter(is_wrong).collect();
            if wrong.is_empty() {
                return candidates;
            }
            return Set::of_ascending(
                candidates.iter().filter(|document| wrong.binary_search(document).is_err()),
            );
        }
        let mut runs = runs(substring);
        runs.sort_by_key(|run| Reverse(run.text.len()));
        let words = runs.iter().take(MAX_RUNS).map(|run| self.with_run(run));
        let candidates = Set::intersection(words.collect(), self.documents);
        Set::of_ascending(candidates.iter().filter(|document| holds(*document)))
    }

    /// Returns the numbers of the words that contain a substring, or `None` if the substring isn't a single
    /// run of letters and digits. For documents [with apostrophes](Self::divided), the caller must check the
    /// string itself.
    pub(super) fn words_containing(&self, substring: &str) -> Option<Vec<u32>> {
        let is_run = runs(substring).first().is_some_and(|run| run.text == substring);
        is_run.then(|| Pattern::new(substring).find(self.dictionary.texts()))
    }

    /// Returns the documents whose string contains an apostrophe. The words of such a document can contain
    /// substrings that aren't in the string.
    pub(super) fn divided(&self) -> impl Iterator<Item = u32> {
        self.apostrophes.iter().map(|document| document.get())
    }

    /// Returns the documents with a word that contains the run. If the run must be at the start or end of a
    /// word, only such words match.
    fn with_run(&self, run: &Run<'_>) -> Set<'_> {
        let Run { text, begins, ends } = *run;
        match (begins, ends) {
            (true, true) => self.exactly(text),
            (true, false) => self.beginning_with(text),
            (false, ends) => {
                let words = Pattern::new(text).find(self.dictionary.texts()).into_iter();
                self.postings.of_any(words.filter(|word| !ends || self.dictionary.get(*word).ends_with(text)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::normalize::{normalize, split_words};
    use super::*;

    /// Writes and opens a word index of the given keys.
    fn words(keys: &[String]) -> Words {
        let mut file = FileWriter::default();
        Words::write(&mut file, "field", keys.iter().map(String::as_str));
        Words::open(&file.opened(), "field", keys.len()).unwrap()
    }

    fn documents(set: &Set<'_>) -> Vec<u32> {
        set.iter().collect()
    }

    fn where_key(keys: &[String], holds: impl Fn(&str) -> bool) -> Vec<u32> {
        (0..).zip(keys).filter(|(_, key)| holds(key)).map(|(document, _)| document).collect()
    }

    fn containing(words: &Words, keys: &[String], substring: &str) -> Vec<u32> {
        documents(&words.containing(substring, |document| keys[document as usize].contains(substring)))
    }

    #[test]
    fn substrings_match_the_written_text() {
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
        for (substring, expected) in cases {
            assert_eq!(containing(&words, &keys, substring), expected, "{substring}");
        }
    }

    #[test]
    fn typo_search_only_matches_words() {
        let keys = ["starbucks", "starbuck", "tarbucks coffee", "star bucks", "stabrucks"].map(str::to_owned);
        let words = words(&keys);
        assert_eq!(documents(&words.within_one_typo("starbucks")), [0, 1, 2, 4]);
        assert!(words.within_one_typo("sta").is_empty() && words.within_one_typo("coffeeshop").is_empty());
    }

    /// Generates strings from an alphabet so small that many strings share words.
    const TEXT: &str = "[abé1 .\\-'\u{2bc}\u{2019}]{0,7}";

    proptest! {
        #[test]
        fn matches_a_linear_scan(texts in vec(TEXT, 0..40), substring in TEXT) {
            let mut keys: Vec<String> = texts.iter().map(|text| normalize(text)).collect();
            keys.sort_unstable();
            keys.dedup();
            let (words, substring) = (words(&keys), normalize(&substring));
            prop_assert_eq!(containing(&words, &keys, &substring), where_key(&keys, |key| key.contains(&substring)));
            for word in split_words(&substring) {
                let has = where_key(&keys, |key| split_words(key).contains(&word));
                prop_assert_eq!(documents(&words.exactly(&word)), has, "{}", word);
                let begins = |key: &str| split_words(key).iter().any(|one| one.starts_with(&word));
                let begins = where_key(&keys, begins);
                prop_assert_eq!(documents(&words.beginning_with(&word)), begins, "{}", word);
            }
        }
    }
}

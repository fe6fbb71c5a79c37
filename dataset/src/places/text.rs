//! How texts are compared: without case, accents and superfluous space, and names word by word.

use std::str::Chars;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A typo is forgiven in words of at least so many letters: shorter ones would become other words too easily.
const FORGIVEN_LETTERS: usize = 4;

/// What is written as an apostrophe; it divides no word.
pub(crate) const APOSTROPHES: [char; 6] = ['\'', '`', '\u{b4}', '\u{2bc}', '\u{2018}', '\u{2019}'];

/// Returns a text as it is compared: in lower case, without accents, and with single spaces between its words.
///
/// ```
/// assert_eq!(dataset::fold("  Doña   ANA "), "dona ana");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let before = folded.len();
        if before > 0 {
            folded.push(' ');
        }
        let begin = folded.len();
        if word.is_ascii() {
            folded.extend(word.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
        } else {
            // Letter by letter, so that a letter's case does not depend on its neighbours.
            let lower = word.chars().flat_map(char::to_lowercase);
            folded.extend(lower.nfd().filter(|character| !is_combining_mark(*character)));
        }
        // Of a word that was nothing but accents, not even the space before it stays.
        if folded.len() == begin {
            folded.truncate(before);
        }
    }
    folded
}

/// Returns the words of a folded text: its runs of letters and digits.
pub(crate) fn words(folded: &str) -> Vec<String> {
    let joined = folded.replace(APOSTROPHES, "");
    joined
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(Into::into)
        .collect()
}

/// Tells whether a word is long enough for a typo to be forgiven. Numbers are not words in this: another number is
/// another thing.
pub(super) fn is_forgiven(word: &str) -> bool {
    word.chars().filter(|character| character.is_alphabetic()).count() >= FORGIVEN_LETTERS
}

/// Tells whether two words differ by at most one letter inserted, missing or replaced, or two neighbours swapped.
pub(super) fn within_one_typo(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.chars(), other.chars());
    strip(&mut one, &mut other, Chars::next);
    strip(&mut one, &mut other, Chars::next_back);
    let (mut one, mut other) = (one.fuse(), other.fuse());
    let first = (one.next(), other.next());
    let second = (one.next(), other.next());
    let rest_is_empty = one.next().is_none() && other.next().is_none();
    rest_is_empty && (second == (None, None) || (first.0 == second.1 && first.1 == second.0))
}

/// Takes off what two words have in common at an end.
fn strip<'a>(one: &mut Chars<'a>, other: &mut Chars<'a>, take: fn(&mut Chars<'a>) -> Option<char>) {
    loop {
        let (mut next_one, mut next_other) = (one.clone(), other.clone());
        match (take(&mut next_one), take(&mut next_other)) {
            (Some(a), Some(b)) if a == b => (*one, *other) = (next_one, next_other),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_accents_and_superfluous_space_are_folded_away() {
        let cases = [
            ("", ""),
            (" \t\n ", ""),
            ("Main St", "main st"),
            ("  Main \u{a0}  St  ", "main st"),
            ("DOÑA ANA", "dona ana"),
            ("Cafe\u{301}", "cafe"),
            ("İstanbul", "istanbul"),
            ("ΟΔΟΣ", "οδοσ"),
            ("STRAẞE", "straße"),
            ("\u{212a}mart", "kmart"),
        ];
        for (text, folded) in cases {
            assert_eq!(fold(text), folded, "{text:?}");
        }
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let cases: [(&str, &[&str]); 6] = [
            ("mcdonald's", &["mcdonalds"]),
            ("mcdonald\u{2019}s", &["mcdonalds"]),
            ("7-eleven", &["7", "eleven"]),
            ("at&t (mall)", &["at", "t", "mall"]),
            ("!!! '", &[]),
            ("東京 cafe", &["東京", "cafe"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn one_typo_is_one_letter_more_less_other_or_two_swapped() {
        let within = ["starbucks", "starbuck", "starbuckss", "tarbucks", "strabucks", "starbucsk", "starbuvks"];
        for word in within {
            assert!(within_one_typo("starbucks", word) && within_one_typo(word, "starbucks"), "{word}");
        }
        assert!(within_one_typo("aab", "ab") && within_one_typo("abab", "abba") && within_one_typo("", "a"));
        for (one, other) in [("starbucks", "strabuck"), ("abc", "cba"), ("", "ab"), ("abcd", "badc"), ("abc", "cab")] {
            assert!(!within_one_typo(one, other) && !within_one_typo(other, one), "{one} {other}");
        }
    }

    #[test]
    fn a_typo_is_forgiven_in_words_of_four_letters() {
        assert!(is_forgiven("bell") && is_forgiven("bell1") && is_forgiven("東京都庁"));
        assert!(!is_forgiven("bel") && !is_forgiven("bel1") && !is_forgiven("12345"));
    }

    #[test]
    fn a_word_of_accents_alone_is_no_word() {
        assert_eq!(fold("\u{a1}\u{b}\u{1be6}"), "\u{a1}");
        assert_eq!(fold("\u{301} bell \u{301} \u{301}s"), "bell s");
    }

    proptest! {
        #[test]
        fn what_is_folded_stays_so(text in ".*") {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded);
        }
    }
}

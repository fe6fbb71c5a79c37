//! Normalizes strings for comparison and splits them into words.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The characters that are treated as apostrophes. An apostrophe doesn't separate words.
pub(super) const APOSTROPHES: [char; 6] = ['\'', '`', '\u{b4}', '\u{2bc}', '\u{2018}', '\u{2019}'];

/// Normalizes a string for comparison: converts it to lower case, removes accents, and collapses white space
/// into single spaces.
///
/// ```
/// assert_eq!(dataset::normalize("  Doña   ANA "), "dona ana");
/// ```
pub fn normalize(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    normalize_into(text, ' ', &mut normalized);
    normalized
}

/// Replaces the contents of `normalized` with the normalized form of a string. `space`, an ASCII character,
/// is treated as white space.
pub(crate) fn normalize_into(text: &str, space: char, normalized: &mut String) {
    normalized.clear();
    if is_plain(text.as_bytes(), space as u8) {
        normalized.push_str(text);
        return normalized.make_ascii_lowercase();
    }
    let is_space = |character: char| character.is_whitespace() || character == space;
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        let before = normalized.len();
        if before > 0 {
            normalized.push(' ');
        }
        let begin = normalized.len();
        if word.is_ascii() {
            normalized.extend(word.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
        } else {
            // Convert letters one by one, so that a letter's lower case doesn't depend on its neighbors.
            let lower = word.chars().flat_map(char::to_lowercase);
            normalized.extend(lower.nfd().filter(|character| !is_combining_mark(*character)));
        }
        // If a word consists only of accents, also remove the space before it.
        if normalized.len() == begin {
            normalized.truncate(before);
        }
    }
}

/// Returns whether normalization changes nothing except the case of letters. This is true for printable ASCII
/// without leading, trailing, or repeated spaces, and without the `space` character (unless that's a space
/// itself). Most strings pass this test and must be read to the end, so the loop is branch-free.
fn is_plain(text: &[u8], space: u8) -> bool {
    let (mut is_plain, mut before) = (true, b' ');
    for byte in text.iter().copied() {
        let is_printed = (b' '..=b'~').contains(&byte);
        let is_second_space = byte == b' ' && before == b' ';
        is_plain &= is_printed & !is_second_space & (byte == b' ' || byte != space);
        before = byte;
    }
    is_plain && (before != b' ' || text.is_empty())
}

/// Returns the words in a normalized string. A word is a run of letters and digits. Apostrophes are removed
/// and don't end a word.
pub fn split_words(normalized: &str) -> Vec<String> {
    words_between(&without_apostrophes(normalized)).map(Into::into).collect()
}

/// Removes the apostrophes from a string. Borrows the string if there are none.
pub(super) fn without_apostrophes(normalized: &str) -> Cow<'_, str> {
    if normalized.contains(APOSTROPHES) {
        Cow::Owned(normalized.replace(APOSTROPHES, ""))
    } else {
        Cow::Borrowed(normalized)
    }
}

/// Returns the runs of letters and digits in a string without apostrophes.
pub(super) fn words_between(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn normalization_removes_case_accents_and_extra_spaces() {
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
        for (text, normalized) in cases {
            assert_eq!(normalize(text), normalized, "{text:?}");
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
            assert_eq!(split_words(text), expected, "{text}");
        }
    }

    #[test]
    fn word_of_only_accents_is_removed() {
        assert_eq!(normalize("\u{a1}\u{b}\u{1be6}"), "\u{a1}");
        assert_eq!(normalize("\u{301} bell \u{301} \u{301}s"), "bell s");
    }

    proptest! {
        #[test]
        fn normalization_is_idempotent(text in ".*") {
            let normalized = normalize(&text);
            prop_assert_eq!(normalize(&normalized), normalized);
        }
    }
}

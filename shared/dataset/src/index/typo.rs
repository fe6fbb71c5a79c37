//! Compares words, tolerating one typo.

use std::str::Chars;

/// The minimum number of letters for a word in which a typo is tolerated. A typo in a shorter word is too
/// likely to produce a different word.
const FORGIVEN_LETTERS: usize = 4;

/// Returns whether a word has enough letters for typo tolerance. Digits don't count, because a number with a
/// different digit is a different number.
pub(super) fn is_forgiven(word: &str) -> bool {
    word.chars().filter(|character| character.is_alphabetic()).count() >= FORGIVEN_LETTERS
}

/// Returns whether two words are equal or differ by a single typo. Typos in the first letter or in a short
/// word aren't tolerated.
///
/// ```
/// assert!(dataset::same_word("starbucks", "starbuks"));
/// assert!(!dataset::same_word("target", "carget") && !dataset::same_word("101", "107"));
/// ```
pub fn same_word(one: &str, other: &str) -> bool {
    one == other
        || (one.chars().next() == other.chars().next()
            && is_forgiven(one)
            && is_forgiven(other)
            && within_one_typo(one, other))
}

/// Returns whether two words differ by at most one inserted, missing, or replaced letter, or by a swap of two
/// adjacent letters.
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

/// Removes the longest common prefix or suffix of two words, depending on `take`.
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
    use super::*;

    #[test]
    fn one_typo_is_an_insertion_deletion_replacement_or_swap() {
        let within =
            ["starbucks", "starbuck", "starbuckss", "tarbucks", "strabucks", "starbucsk", "starbuvks"];
        for word in within {
            assert!(within_one_typo("starbucks", word) && within_one_typo(word, "starbucks"), "{word}");
        }
        assert!(within_one_typo("aab", "ab") && within_one_typo("abab", "abba") && within_one_typo("", "a"));
        for (one, other) in
            [("starbucks", "strabuck"), ("abc", "cba"), ("", "ab"), ("abcd", "badc"), ("abc", "cab")]
        {
            assert!(!within_one_typo(one, other) && !within_one_typo(other, one), "{one} {other}");
        }
    }

    #[test]
    fn words_with_four_letters_tolerate_a_typo() {
        assert!(is_forgiven("bell") && is_forgiven("bell1") && is_forgiven("東京都庁"));
        assert!(!is_forgiven("bel") && !is_forgiven("bel1") && !is_forgiven("12345"));
    }
}

//! Splits a substring into runs of letters and digits. Each run must occur in a word of any matching string.

use super::normalize::APOSTROPHES;

/// A run of letters and digits in a substring. Any string that contains the substring also contains a word
/// that contains the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub(super) text: &'a str,
    /// Whether the run must be at the start of a word, because a separator precedes it.
    pub(super) begins: bool,
    /// Whether the run must be at the end of a word, because a separator follows it.
    pub(super) ends: bool,
}

/// Returns the runs of letters and digits in a substring.
pub(super) fn runs(substring: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for text in substring.split(is_between) {
        let end = start + text.len();
        let (before, after) = (substring[..start].chars().next_back(), substring[end..].chars().next());
        if !text.is_empty() {
            runs.push(Run { text, begins: before.is_some_and(divides), ends: after.is_some_and(divides) });
        }
        start = end + after.map_or(0, char::len_utf8);
    }
    runs
}

/// Returns whether a character ends a run. Apostrophes always do, although Unicode classifies some of them as
/// letters.
fn is_between(character: char) -> bool {
    divides(character) || APOSTROPHES.contains(&character)
}

fn divides(character: char) -> bool {
    !character.is_alphanumeric() && !APOSTROPHES.contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_determine_the_word_boundaries_of_a_run() {
        let run = |text, begins, ends| Run { text, begins, ends };
        let cases = [
            ("main", vec![run("main", false, false)]),
            ("main st", vec![run("main", false, true), run("st", true, false)]),
            ("n of e", vec![run("n", false, true), run("of", true, true), run("e", true, false)]),
            ("o'h st.", vec![run("o", false, false), run("h", false, true), run("st", true, true)]),
            ("東\u{2bc} & 1", vec![run("東", false, false), run("1", true, false)]),
            ("& /", vec![]),
            ("", vec![]),
        ];
        for (substring, expected) in cases {
            assert_eq!(runs(substring), expected, "{substring}");
        }
    }
}

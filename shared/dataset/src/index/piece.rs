//! What the words of a text say of its pieces.

use super::fold::APOSTROPHES;

/// A run of letters and digits in a piece of a text: in a text that holds the piece, a word holds the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub(super) text: &'a str,
    /// The word begins with it, since something that divides words is before it.
    pub(super) begins: bool,
    /// The word ends with it.
    pub(super) ends: bool,
}

/// Returns the runs of letters and digits in a piece.
pub(super) fn runs(piece: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for text in piece.split(is_between) {
        let end = start + text.len();
        let (before, after) = (piece[..start].chars().next_back(), piece[end..].chars().next());
        if !text.is_empty() {
            runs.push(Run { text, begins: before.is_some_and(divides), ends: after.is_some_and(divides) });
        }
        start = end + after.map_or(0, char::len_utf8);
    }
    runs
}

/// Tells whether a character may be in no word. An apostrophe may be a letter, and is in no word.
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
    fn a_run_is_a_word_or_the_end_of_one_by_what_divides_it_from_others() {
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
        for (piece, expected) in cases {
            assert_eq!(runs(piece), expected, "{piece}");
        }
    }
}

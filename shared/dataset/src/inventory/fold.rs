//! How texts of the inventory are compared.

use crate::index::{Folding, fold_into};

/// How the texts of all fields are folded.
pub(super) const FOLDING: Folding = Folding::By(fold_hyphens_into);

/// Returns a text as it is compared: folded, with a space for each hyphen.
pub fn fold_hyphens(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_hyphens_into(text, &mut folded);
    folded
}

fn fold_hyphens_into(text: &str, folded: &mut String) {
    fold_into(text, '-', folded);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::split_words;

    #[test]
    fn a_hyphen_is_a_space() {
        let cases = [
            ("Dallas-Ft. Worth", "dallas ft. worth"),
            ("-JUNIOR - Poster-", "junior poster"),
            ("Doña  Ana", "dona ana"),
            (" - ", ""),
            ("I\u{2013}95", "i\u{2013}95"),
        ];
        for (text, expected) in cases {
            assert_eq!(fold_hyphens(text), expected, "{text:?}");
        }
        assert_eq!(split_words(&fold_hyphens("I-95 & O'Hare")), ["i", "95", "ohare"]);
    }
}

//! The normalization of inventory texts for comparison.

use crate::index::{Folding, fold_into};

/// The normalization of all text fields.
pub(super) const FOLDING: Folding = Folding::By(fold_hyphens_into);

/// Normalizes a text and replaces each hyphen with a space.
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
    fn normalization_replaces_hyphens_with_spaces() {
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

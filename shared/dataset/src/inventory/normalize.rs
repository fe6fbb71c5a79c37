//! Normalizes strings in the inventory for comparison.

use crate::index::{Normalization, normalize_into};

/// The normalization that applies to all text fields of a record.
pub(super) const FOLDING: Normalization = Normalization::By(normalize_hyphens_into);

/// Normalizes a string and replaces hyphens with spaces.
pub fn normalize_hyphens(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    normalize_hyphens_into(text, &mut normalized);
    normalized
}

fn normalize_hyphens_into(text: &str, normalized: &mut String) {
    normalize_into(text, '-', normalized);
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
            assert_eq!(normalize_hyphens(text), expected, "{text:?}");
        }
        assert_eq!(split_words(&normalize_hyphens("I-95 & O'Hare")), ["i", "95", "ohare"]);
    }
}

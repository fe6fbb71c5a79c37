//! How texts of the inventory are compared.

use crate::fold;

pub(super) use crate::places::words;

/// Returns a text as it is compared: folded, with a space for each hyphen.
pub(super) fn key(text: &str) -> String {
    fold(&text.replace('-', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(key(text), expected, "{text:?}");
        }
        assert_eq!(words(&key("I-95 & O'Hare")), ["i", "95", "ohare"]);
    }
}

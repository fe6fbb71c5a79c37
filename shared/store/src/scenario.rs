//! What a scenario is found by: its customer's id of it, and its names.

use accounting::HexDigits;

/// The first 16 bytes of the SHA-256 of a `customer_scenario_id`: the id itself may be of any length.
pub type CustomerScenarioDigest = HexDigits<32>;

/// The beginning of a name without regard to case: its first [`FoldedName::MAX_CHARS`] characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedName(String);

impl FoldedName {
    /// Few enough for an index entry of two names to take one write unit, but in scripts of four bytes.
    pub const MAX_CHARS: usize = 100;

    /// Folds a name, and cuts it where it is longer than what is compared.
    pub fn cut(name: &str) -> Self {
        Self(fold(name).take(Self::MAX_CHARS).collect())
    }

    /// Folds the beginning of a name that is searched for; `None` for more than what is compared.
    pub fn whole(beginning: &str) -> Option<Self> {
        let folded: String = fold(beginning).take(Self::MAX_CHARS + 1).collect();
        (folded.chars().count() <= Self::MAX_CHARS).then_some(Self(folded))
    }

    pub fn begins_with(&self, beginning: &Self) -> bool {
        self.0.starts_with(&beginning.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Folds letter by letter, so that the beginning of a name folds into the beginning of the folded name. By
/// way of the upper case, letters meet that have one in common, as ß and ss; the lower case before takes ẞ to
/// ß.
fn fold(name: &str) -> impl Iterator<Item = char> {
    let lower = name.chars().flat_map(char::to_lowercase);
    lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_regard_to_case_and_by_their_beginning() {
        for (name, beginning, begins) in [
            ("Spring launch", "SPRING", true),
            ("Spring launch", "spring l", true),
            ("Spring launch", "", true),
            ("Spring launch", "launch", false),
            ("Spring", "Spring ", false),
            ("Straßenfest", "STRASSE", true),
            ("STRASSE", "straß", true),
            ("STRAẞE", "strasse", true),
            ("ΟΔΟΣΑ", "οδος", true),
            ("Été", "ÉT", true),
            ("Été", "e", false),
            ("İstanbul", "i\u{307}ST", true),
        ] {
            let beginning = FoldedName::whole(beginning).expect("a short text");
            assert_eq!(FoldedName::cut(name).begins_with(&beginning), begins, "{name} {beginning:?}");
        }
    }

    #[test]
    fn what_is_folded_stays_as_it_is_when_it_is_folded_again() {
        for letter in '\0'..=char::MAX {
            let folded = FoldedName::cut(&letter.to_string());
            assert_eq!(FoldedName::cut(folded.as_str()), folded, "{letter:?}");
        }
    }

    #[test]
    fn a_name_is_cut_where_no_beginning_reaches() {
        let longest = "İ".repeat(FoldedName::MAX_CHARS / 2);
        let beginning = FoldedName::whole(&longest).expect("a hundred characters once folded");
        assert!(FoldedName::cut(&format!("{longest}x")).begins_with(&beginning));
        assert_eq!(FoldedName::cut(&format!("{longest}x")).as_str().chars().count(), FoldedName::MAX_CHARS);
        assert_eq!(FoldedName::whole(&format!("{longest}x")), None);
    }
}

//! The fields by which lists find a scenario: the customer's ID and the names.

use accounting::HexDigits;

/// The first 16 bytes of the SHA-256 of a `customer_scenario_id`, which can have any length.
pub type CustomerScenarioDigest = HexDigits<32>;

/// The first [`FoldedName::MAX_CHARS`] characters of a name, in normalized case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedName(String);

impl FoldedName {
    /// With this limit, an index entry with two names takes one write unit, except in scripts with 4-byte
    /// characters.
    pub const MAX_CHARS: usize = 100;

    /// Normalizes a name, and truncates it to the part that is compared.
    pub fn cut(name: &str) -> Self {
        Self(fold(name).take(Self::MAX_CHARS).collect())
    }

    /// Normalizes a prefix to search for. `None` if it's longer than the part of a name that is compared.
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

/// Normalizes case character by character, so that a prefix of a name becomes a prefix of the normalized
/// name. Converting to upper case makes letters equal that share an upper-case form, such as ß and ss.
/// Converting to lower case first also maps ẞ to ß.
fn fold(name: &str) -> impl Iterator<Item = char> {
    let lower = name.chars().flat_map(char::to_lowercase);
    lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_prefixes_match_in_any_case() {
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
            let beginning = FoldedName::whole(beginning).expect("the prefix is short enough");
            assert_eq!(FoldedName::cut(name).begins_with(&beginning), begins, "{name} {beginning:?}");
        }
    }

    #[test]
    fn normalizing_twice_changes_nothing() {
        for letter in '\0'..=char::MAX {
            let folded = FoldedName::cut(&letter.to_string());
            assert_eq!(FoldedName::cut(folded.as_str()), folded, "{letter:?}");
        }
    }

    #[test]
    fn long_names_are_truncated_to_the_longest_allowed_prefix() {
        let longest = "İ".repeat(FoldedName::MAX_CHARS / 2);
        let beginning = FoldedName::whole(&longest).expect("the prefix has 100 normalized characters");
        assert!(FoldedName::cut(&format!("{longest}x")).begins_with(&beginning));
        assert_eq!(FoldedName::cut(&format!("{longest}x")).as_str().chars().count(), FoldedName::MAX_CHARS);
        assert_eq!(FoldedName::whole(&format!("{longest}x")), None);
    }
}

//! The scenario fields that lists can be filtered by: customer IDs and names.

use accounting::HexDigits;

/// The first 16 bytes of the SHA-256 digest of a `customer_scenario_id`, which can have any length.
pub type CustomerScenarioDigest = HexDigits<32>;

/// The first 16 bytes of the SHA-256 digest of a `customer_id`. Campaigns have a number as their
/// `customer_id`, which is hashed as decimal digits.
pub type CustomerDigest = HexDigits<32>;

/// The first [`NormalizedName::MAX_CHARS`] characters of a name, with normalized case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalizedName(String);

impl NormalizedName {
    /// The maximum number of characters that are compared. With this limit, an index entry with two names
    /// costs one write unit, except in scripts with 4-byte characters.
    pub const MAX_CHARS: usize = 100;

    /// Normalizes a name and truncates it to [`Self::MAX_CHARS`] characters.
    pub fn cut(name: &str) -> Self {
        Self(normalize(name).take(Self::MAX_CHARS).collect())
    }

    /// Normalizes a prefix to search for. Returns `None` if it has more than [`Self::MAX_CHARS`] characters
    /// after normalization.
    pub fn whole(beginning: &str) -> Option<Self> {
        let normalized: String = normalize(beginning).take(Self::MAX_CHARS + 1).collect();
        (normalized.chars().count() <= Self::MAX_CHARS).then_some(Self(normalized))
    }

    pub fn begins_with(&self, beginning: &Self) -> bool {
        self.0.starts_with(&beginning.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Normalizes case character by character, so that a prefix of a name becomes a prefix of the normalized
/// name. Converting to uppercase makes letters with the same uppercase form equal, such as ß and ss.
/// Converting to lowercase first also maps ẞ to ß.
fn normalize(name: &str) -> impl Iterator<Item = char> {
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
            let beginning = NormalizedName::whole(beginning).expect("the prefix is short enough");
            assert_eq!(NormalizedName::cut(name).begins_with(&beginning), begins, "{name} {beginning:?}");
        }
    }

    #[test]
    fn normalizing_twice_changes_nothing() {
        for letter in '\0'..=char::MAX {
            let normalized = NormalizedName::cut(&letter.to_string());
            assert_eq!(NormalizedName::cut(normalized.as_str()), normalized, "{letter:?}");
        }
    }

    #[test]
    fn long_names_are_truncated_to_the_longest_allowed_prefix() {
        let longest = "İ".repeat(NormalizedName::MAX_CHARS / 2);
        let beginning = NormalizedName::whole(&longest).expect("the prefix has 100 normalized characters");
        assert!(NormalizedName::cut(&format!("{longest}x")).begins_with(&beginning));
        assert_eq!(
            NormalizedName::cut(&format!("{longest}x")).as_str().chars().count(),
            NormalizedName::MAX_CHARS
        );
        assert_eq!(NormalizedName::whole(&format!("{longest}x")), None);
    }
}

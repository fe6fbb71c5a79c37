//! API key labels and the maximum lifetime of an API key.

use std::str::FromStr;

use accounting::InvalidId;
use derive_more::Display;

/// The maximum lifetime of a key that expires, in days.
pub const MAX_KEY_DAYS: usize = 365;

/// The maximum length of a label, in characters.
const MAX_LABEL: usize = 200;

/// The owner's description of a key: 1 to 200 characters, without surrounding whitespace.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
pub struct KeyLabel(String);

impl FromStr for KeyLabel {
    type Err = InvalidId;

    /// Parses a label and removes surrounding whitespace.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let text = text.trim();
        if (1..=MAX_LABEL).contains(&text.chars().count()) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must have 1 to 200 characters, not counting surrounding spaces"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_trimmed_and_limited_to_200_characters() {
        let longest = "é".repeat(200);
        for (text, label) in [(" ci \n", "ci"), ("a b", "a b"), (longest.as_str(), longest.as_str())] {
            assert_eq!(text.parse::<KeyLabel>().map(|label| label.to_string()), Ok(label.to_owned()));
        }
        for text in ["", " \t\u{a0}", format!("{longest}x").as_str()] {
            assert!(text.parse::<KeyLabel>().is_err(), "{text:?}");
        }
    }
}

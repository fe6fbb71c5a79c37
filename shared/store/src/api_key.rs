//! Labels of API keys, and how long a key can be valid.

use std::str::FromStr;

use derive_more::Display;
use thiserror::Error;

/// The maximum lifetime of a key that expires, in days.
pub const MAX_KEY_DAYS: usize = 365;

/// The maximum number of characters in a label.
const MAX_LABEL: usize = 200;

/// The owner's description of a key: 1 to 200 characters, without surrounding whitespace.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
pub struct KeyLabel(String);

/// The error for an empty or overlong label. Contains the number of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must have 1 to {MAX_LABEL} characters, not counting surrounding spaces, has {0}")]
pub struct InvalidLabel(usize);

impl FromStr for KeyLabel {
    type Err = InvalidLabel;

    /// Parses a label and removes surrounding whitespace.
    fn from_str(text: &str) -> Result<Self, InvalidLabel> {
        let text = text.trim();
        match text.chars().count() {
            1..=MAX_LABEL => Ok(Self(text.to_owned())),
            length => Err(InvalidLabel(length)),
        }
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
        for (text, length) in [("", 0), (" \t\u{a0}", 0), (format!("{longest}x").as_str(), 201)] {
            assert_eq!(text.parse::<KeyLabel>(), Err(InvalidLabel(length)));
        }
    }
}

//! What API keys are called, and how long they may live.

use std::str::FromStr;

use derive_more::Display;
use thiserror::Error;

/// The longest that a key may live which ends at all, in days.
pub const MAX_KEY_DAYS: usize = 365;

/// The most characters of a label.
const MAX_LABEL: usize = 200;

/// What a key is for, in its owner's words: 1 to 200 characters, with no blanks around them.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
pub struct KeyLabel(String);

/// A text that is no label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must have 1 to {MAX_LABEL} characters, not counting surrounding spaces, has {0}")]
pub struct InvalidLabel(usize);

impl FromStr for KeyLabel {
    type Err = InvalidLabel;

    /// Parses a label without the blanks around it.
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
    fn a_label_has_one_to_two_hundred_characters_without_the_blanks_around_it() {
        let longest = "é".repeat(200);
        for (text, label) in [(" ci \n", "ci"), ("a b", "a b"), (longest.as_str(), longest.as_str())] {
            assert_eq!(text.parse::<KeyLabel>().map(|label| label.to_string()), Ok(label.to_owned()));
        }
        for (text, length) in [("", 0), (" \t\u{a0}", 0), (format!("{longest}x").as_str(), 201)] {
            assert_eq!(text.parse::<KeyLabel>(), Err(InvalidLabel(length)));
        }
    }
}

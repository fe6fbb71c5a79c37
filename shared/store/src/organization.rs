//! Names of organizations and people.

use std::str::FromStr;

use accounting::InvalidId;
use derive_more::Display;
use serde_with::SerializeDisplay;

/// The maximum length of a name, in characters.
const MAX_NAME: usize = 100;

/// An organization's name, set by its owner: 1 to 100 characters, without surrounding whitespace, control
/// characters, or directional formatting characters.
#[derive(Clone, Debug, PartialEq, Eq, Display, SerializeDisplay)]
pub struct OrgName(String);

impl FromStr for OrgName {
    type Err = InvalidId;

    /// Parses a name and removes surrounding whitespace.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        checked(text).map(Self)
    }
}

/// A person's name, from their token. It follows the same rules as an organization's name.
#[derive(Clone, Debug, PartialEq, Eq, Display, SerializeDisplay)]
pub struct PersonName(String);

impl FromStr for PersonName {
    type Err = InvalidId;

    /// Parses a name and removes surrounding whitespace.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        checked(text).map(Self)
    }
}

fn checked(text: &str) -> Result<String, InvalidId> {
    let text = text.trim();
    if !(1..=MAX_NAME).contains(&text.chars().count()) {
        return Err(InvalidId("must have 1 to 100 characters, not counting surrounding spaces"));
    }
    if text.chars().any(|character| character.is_control() || turns_direction(character)) {
        return Err(InvalidId("must not contain control characters"));
    }
    Ok(text.to_owned())
}

/// Returns whether a character embeds, overrides, or isolates a text direction. These characters could
/// reorder the text next to a name in a list
/// (<https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters>).
fn turns_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

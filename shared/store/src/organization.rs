//! What an organization is called.

use std::str::FromStr;

use accounting::InvalidId;
use derive_more::Display;
use serde_with::SerializeDisplay;

/// The most characters of an organization's name.
const MAX_ORG_NAME: usize = 100;

/// The name that the owner of an organization gave it: 1 to 100 characters without blanks around them, and no
/// control characters, those of the direction of writing included.
#[derive(Clone, Debug, PartialEq, Eq, Display, SerializeDisplay)]
pub struct OrgName(String);

impl FromStr for OrgName {
    type Err = InvalidId;

    /// Takes a text without the blanks around it.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let text = text.trim();
        if !(1..=MAX_ORG_NAME).contains(&text.chars().count()) {
            return Err(InvalidId("must have 1 to 100 characters, not counting surrounding spaces"));
        }
        if text.chars().any(|character| character.is_control() || turns_direction(character)) {
            return Err(InvalidId("must not contain control characters"));
        }
        Ok(Self(text.to_owned()))
    }
}

/// Tells whether a character embeds, overrides or isolates a direction of writing: with one, a name could
/// turn what a list shows beside it (<https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters>).
fn turns_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

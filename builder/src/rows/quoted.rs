//! Quotes strings from input files in messages.

use std::borrow::Cow;

/// Quotes a string and truncates it if it's too long for a message.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match beginning(text, SHOWN) {
        Some(beginning) => format!("{beginning:?}…"),
        None => format!("{text:?}"),
    }
}

/// Truncates a string that is longer than `characters`, and adds an ellipsis.
pub(crate) fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    beginning(text, characters).map_or(Cow::Borrowed(text), |beginning| Cow::Owned(format!("{beginning}…")))
}

/// Returns the first `characters` characters of a string, or `None` if the string isn't longer than that.
fn beginning(text: &str, characters: usize) -> Option<&str> {
    text.char_indices().nth(characters).map(|(end, _)| &text[..end])
}

//! Quotes input in messages.

use std::borrow::Cow;

/// Quotes a text, and shortens it if it's too long for a message.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match beginning(text, SHOWN) {
        Some(beginning) => format!("{beginning:?}…"),
        None => format!("{text:?}"),
    }
}

/// Shortens a text to a number of characters.
pub(crate) fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    beginning(text, characters).map_or(Cow::Borrowed(text), |beginning| Cow::Owned(format!("{beginning}…")))
}

/// Returns the start of a text that exceeds a number of characters, or `None` if it doesn't.
fn beginning(text: &str, characters: usize) -> Option<&str> {
    text.char_indices().nth(characters).map(|(end, _)| &text[..end])
}

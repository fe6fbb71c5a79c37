//! How messages show what someone wrote.

use std::borrow::Cow;

/// Quotes what someone wrote, no more of it than a message bears.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match beginning(text, SHOWN) {
        Some(beginning) => format!("{beginning:?}…"),
        None => format!("{text:?}"),
    }
}

/// Returns no more of a text than so many characters.
pub(crate) fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    beginning(text, characters).map_or(Cow::Borrowed(text), |beginning| Cow::Owned(format!("{beginning}…")))
}

/// Returns the beginning of a text that is longer.
fn beginning(text: &str, characters: usize) -> Option<&str> {
    text.char_indices().nth(characters).map(|(end, _)| &text[..end])
}

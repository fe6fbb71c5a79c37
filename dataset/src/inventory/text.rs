//! How texts of the inventory are compared.

use crate::fold;

pub(super) use crate::places::words;

/// Returns a text as it is compared: folded, with a space for each hyphen.
pub(super) fn key(text: &str) -> String {
    fold(&text.replace('-', " "))
}

//! What is wrong with a text that should be one of an enum's names.

use strum::IntoEnumIterator;
use thiserror::Error;

/// A text that is none of the names that it should be one of, which the error lists.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("must be {0}")]
pub struct UnknownName(String);

impl UnknownName {
    /// Lists the names of an enum in place of a text that is none of them.
    pub fn among<T: IntoEnumIterator + ToString>(_text: &str) -> Self {
        let names: Vec<_> = T::iter().map(|name| name.to_string()).collect();
        Self::described(&format!("one of {}", names.join(", ")))
    }

    /// Describes the names in words, for an enum that has few.
    pub fn described(names: &str) -> Self {
        Self(names.to_owned())
    }
}

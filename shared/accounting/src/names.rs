//! The error for a string that isn't the name of an enum variant.

use strum::IntoEnumIterator;
use thiserror::Error;

/// The error for an unknown name. Its message lists the valid names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("must be {0}")]
pub struct UnknownName(String);

impl UnknownName {
    /// Returns an error that lists the names of all variants of an enum.
    pub fn among<T: IntoEnumIterator + ToString>(_text: &str) -> Self {
        let names: Vec<_> = T::iter().map(|name| name.to_string()).collect();
        Self::described(&format!("one of {}", names.join(", ")))
    }

    /// Returns an error with the given description of the valid names, such as "`a` or `b`".
    pub fn described(names: &str) -> Self {
        Self(names.to_owned())
    }
}

//! The variables that a process is started with.

use std::collections::BTreeMap;

/// The variables that a process is started with, in which an empty one counts as unset.
#[derive(Clone, Debug)]
pub enum Environment {
    /// The process's own.
    Process,
    /// Those of a test.
    Fixed(BTreeMap<String, String>),
}

impl Environment {
    /// Makes an environment of these variables alone.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let owned = variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self::Fixed(owned.collect())
    }

    /// Returns a variable's text without the space around it; `None` for an unset or an empty one.
    pub fn variable(&self, name: &str) -> Option<String> {
        let text = match self {
            Self::Process => std::env::var(name).ok(),
            Self::Fixed(variables) => variables.get(name).cloned(),
        };
        text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

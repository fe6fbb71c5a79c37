//! The variables that a process is started with.

use std::collections::BTreeMap;
use std::time::Duration;

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

    /// Reads `HANDLER_DEADLINE_SECONDS`: how long after a call's arrival its handler may work, 15 s by default.
    /// That is 6 s less than the function's timeout, so that refunds run.
    pub fn handler_deadline(&self) -> Duration {
        let seconds = self.variable("HANDLER_DEADLINE_SECONDS").and_then(|seconds| seconds.parse().ok());
        Duration::from_secs(seconds.unwrap_or(15))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_variable_counts_as_unset() {
        let environment = Environment::of([("EMPTY", ""), ("SPACE", " "), ("PADDED", " text ")]);
        for (name, text) in [("EMPTY", None), ("SPACE", None), ("UNSET", None), ("PADDED", Some("text"))] {
            assert_eq!(environment.variable(name).as_deref(), text, "{name}");
        }
    }

    #[test]
    fn the_handler_deadline_is_15_seconds_unless_the_environment_says_otherwise() {
        for (text, seconds) in [("", 15), ("20", 20), ("many", 15)] {
            let environment = Environment::of([("HANDLER_DEADLINE_SECONDS", text)]);
            assert_eq!(environment.handler_deadline(), Duration::from_secs(seconds), "{text}");
        }
    }
}

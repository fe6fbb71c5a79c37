//! Environment variables.

use std::collections::BTreeMap;
use std::time::Duration;

/// A process's environment variables. Empty variables count as unset.
#[derive(Clone, Debug)]
pub enum Environment {
    /// The process's own environment.
    Process,
    /// The variables for a test.
    Fixed(BTreeMap<String, String>),
}

impl Environment {
    /// Creates an environment with only these variables.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let owned = variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self::Fixed(owned.collect())
    }

    /// Returns a variable's trimmed value, or `None` if the variable is unset or empty.
    pub fn variable(&self, name: &str) -> Option<String> {
        let text = match self {
            Self::Process => std::env::var(name).ok(),
            Self::Fixed(variables) => variables.get(name).cloned(),
        };
        text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns `HANDLER_DEADLINE_SECONDS`, which is how long a handler can run after a call arrives. The
    /// default of 15 s is 6 s less than the function's timeout, which leaves time for refunds.
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
    fn handler_deadline_defaults_to_15_seconds() {
        for (text, seconds) in [("", 15), ("20", 20), ("many", 15)] {
            let environment = Environment::of([("HANDLER_DEADLINE_SECONDS", text)]);
            assert_eq!(environment.handler_deadline(), Duration::from_secs(seconds), "{text}");
        }
    }
}

//! Warnings about calls that succeeded.

use serde::Serialize;

/// The maximum number of warnings in a response, which matches `maxItems` in openapi.yaml.
const SHOWN: usize = 100;

/// A possible problem with a successful call.
#[derive(Clone, Debug, Serialize)]
pub struct Warning {
    /// A JSON pointer into the request body or, after an edit, into the stored body.
    pub pointer: String,
    /// Describes the problem and how to fix it.
    pub detail: String,
}

/// The warnings in a response's `meta`. Only the first 100 are listed, but all are counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Warnings {
    #[serde(rename = "warnings")]
    shown: Vec<Warning>,
    #[serde(rename = "warnings_total")]
    total: usize,
}

impl Warnings {
    /// Adds a warning. `warning` is called only if the warning will be listed.
    pub fn add(&mut self, warning: impl FnOnce() -> Warning) {
        if self.shown.len() < SHOWN {
            self.shown.push(warning());
        }
        self.total += 1;
    }

    pub fn total(&self) -> usize {
        self.total
    }
}

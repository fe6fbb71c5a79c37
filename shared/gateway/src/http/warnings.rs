//! What a caller should know of a call that was done all the same.

use serde::Serialize;

/// How many warnings an answer shows: `maxItems` of `warnings` in openapi.yaml.
const SHOWN: usize = 100;

/// One thing that a caller should know of what was done.
#[derive(Clone, Debug, Serialize)]
pub struct Warning {
    /// A JSON pointer into the body as it is stored.
    pub pointer: String,
    /// What may be wrong, and the way out.
    pub detail: String,
}

/// The warnings of an answer, for its `meta`: the first 100 are shown, and all are counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Warnings {
    #[serde(rename = "warnings")]
    shown: Vec<Warning>,
    #[serde(rename = "warnings_total")]
    total: usize,
}

impl Warnings {
    /// Adds a warning, which is not made where it is not shown.
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

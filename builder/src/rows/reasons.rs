//! Collects the reasons for rejecting a row.

use std::fmt;

use thiserror::Error;

/// All reasons for rejecting a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Error)]
pub struct Reasons(Vec<String>);

impl Reasons {
    pub(crate) fn add(&mut self, reason: impl Into<String>) {
        self.0.push(reason.into());
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

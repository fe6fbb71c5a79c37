//! The limit on rejected rows.

use std::str::FromStr;

use thiserror::Error;
use toml::Value;

use super::error::SourceListError;
use crate::columns::single;

/// The maximum number or percentage of a source's rows that can be rejected without stopping the build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaxRejects {
    Rows(u64),
    /// A percentage of all rows, from 0 to 100.
    Percent(f64),
}

/// The error for an invalid limit on rejected rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a number of rows, such as 20, or a percentage of all rows, such as \"2.5%\"")]
pub struct ParseMaxRejectsError;

impl MaxRejects {
    pub(super) fn of_toml(value: &Value) -> Result<Self, SourceListError> {
        let text = single(value.clone()).unwrap_or_default();
        text.parse().map_err(|error| SourceListError::MaxRejects { text, error })
    }

    pub(super) fn is_exceeded(self, rejected: u64, rows: u64) -> bool {
        match self {
            Self::Rows(most) => rejected > most,
            // Multiply before dividing. Otherwise, rounding could make a percentage exceed a limit that it
            // equals.
            Self::Percent(most) => rows > 0 && rejected as f64 * 100.0 / rows as f64 > most,
        }
    }
}

impl FromStr for MaxRejects {
    type Err = ParseMaxRejectsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = match text.strip_suffix('%') {
            Some(percent) => {
                percent.parse().ok().filter(|percent| (0.0..=100.0).contains(percent)).map(Self::Percent)
            }
            None => text.parse().ok().map(Self::Rows),
        };
        parsed.ok_or(ParseMaxRejectsError)
    }
}

impl std::fmt::Display for MaxRejects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rows(rows) => write!(f, "{rows}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

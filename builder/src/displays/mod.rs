//! Typical display values for completing records with missing members.
//!
//! Imports complete records if their column map requests it. The synthetic inventory completes all records.
//! Completion never adds a position.

mod complete;
mod formats;
#[cfg(test)]
mod tests;

pub(crate) use complete::{MEASURED, Measurement, complete, fill};
pub(crate) use formats::{FORMATS, Format};

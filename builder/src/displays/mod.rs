//! Completes records that lack members, with values that are typical of the display's format.
//!
//! An import completes records if its column map requests it. The synthetic inventory completes all records.
//! Completion never adds a position.

mod complete;
mod formats;
#[cfg(test)]
mod tests;

pub(crate) use complete::{MEASURED, Measurement, complete, fill};
pub(crate) use formats::{FORMATS, Format};

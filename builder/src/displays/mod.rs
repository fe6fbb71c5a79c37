//! Typical values of displays, and the completion of records with missing members.
//!
//! Imports complete records if their map requests it, and the synthetic inventory does so for all records.
//! Positions come from elsewhere.

mod complete;
mod formats;
#[cfg(test)]
mod tests;

pub(crate) use complete::{MEASURED, Measurement, complete, fill};
pub(crate) use formats::{FORMATS, Format};

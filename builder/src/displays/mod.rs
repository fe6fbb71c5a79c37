//! What displays are mostly like, and how a record that lacks it is completed.
//!
//! For whoever fills records in: an import whose map asks for it, and the synthetic inventory. What stands
//! where is not made up here.

mod complete;
mod formats;
#[cfg(test)]
mod tests;

pub(crate) use complete::{MEASURED, Measurement, complete, fill};
pub(crate) use formats::{FORMATS, Format};

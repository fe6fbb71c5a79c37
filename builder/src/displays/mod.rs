//! Reads displays from a file's rows and completes records with missing members.
//!
//! A row is either a complete record or a flat row, which is converted to a record by a column map. If the
//! map requests it, completion fills in missing members with values that are typical of the display's format.
//! The records of the synthetic inventory are always completed. Completion never adds a position.

mod complete;
mod every_member;
mod facing;
mod figures;
mod flat;
mod formats;
mod full;
mod layout;
mod market;
mod measurements;
mod members;
mod offer;
mod read;
mod targets;
#[cfg(test)]
mod tests;

pub(crate) use complete::{MEASURED, Measurement, complete, fill};
pub(crate) use every_member::with_every_member;
pub use flat::{Flat, is_complete_record, parse as parse_flat};
pub(crate) use flat::{check, number};
pub(crate) use formats::{FORMATS, Format};
pub use full::parse as parse_record;
pub(crate) use read::{DisplayId, ReadDisplay, Setup, numbered, read};
pub use targets::{SCHEMA, TARGETS};

//! Reads displays from the rows of a file, and completes records that lack members.
//!
//! A row is either a complete record or a flat row, which a column map converts to a record. Completion fills
//! in values that are typical of the display's format, if the column map requests it. The synthetic inventory
//! completes all records. Completion never adds a position.

mod complete;
mod facing;
mod figures;
mod flat;
mod formats;
mod full;
mod identity;
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

pub use flat::{Flat, GivenMarkets, is_complete_record, parse as parse_flat};
pub(crate) use formats::{FORMATS, Format};
pub(crate) use identity::Taken;
pub use market::Markets;
pub use read::InventorySummary;
pub(crate) use read::{RowSink, Setup, read};
pub use targets::{SCHEMA, TARGETS};

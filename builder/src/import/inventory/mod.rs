//! Makes spots of rows: of full records as they are, of flat rows by a column map.
//!
//! Decided in `docs/decisions/0016-inventory-import.md`.

mod flat;
mod full;
mod identity;
mod market;
mod measurements;
mod read;

pub use flat::TARGETS;
pub(crate) use identity::Taken;
pub use read::InventorySummary;
pub(crate) use read::{RowSink, Setup, read};

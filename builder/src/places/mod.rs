//! Makes places of rows.

mod identity;
mod read;

pub use identity::Existing;
pub use read::{REQUIRED, SCHEMA, Setup, Summary, TARGETS, read};

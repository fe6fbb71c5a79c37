//! Tests that compare the inventory search with a linear scan over the records.

mod file;
mod fixture;
mod oracle;
mod properties;
mod records;
mod search;

//! Tests of the inventory's file, records, and search.

mod file;
mod fixture;
mod oracle;
mod properties;
mod records;
mod search;

//! Tests of the inventory: its file, its records, and searches.

mod file;
mod fixture;
mod oracle;
mod properties;
mod records;
mod search;

//! The inventory and its search, against a plain loop over its records.

mod file;
mod fixture;
mod oracle;
mod properties;
mod records;
mod search;

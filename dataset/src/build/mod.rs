//! Makes a release from tables.

pub mod places;

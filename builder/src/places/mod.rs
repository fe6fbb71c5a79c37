//! Reads places from a file's rows.

mod identity;
mod read;

pub(crate) use identity::PlaceIdentity;
pub(crate) use read::{PlaceNumber, numbered};
pub use read::{REQUIRED, ReadPlace, SCHEMA, Setup, TARGETS, read};

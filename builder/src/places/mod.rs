//! Reads places from the rows of a file.

mod identity;
mod read;

pub(crate) use identity::PlaceIdentity;
pub(crate) use read::{PlaceNumber, numbered};
pub use read::{REQUIRED, ReadPlace, SCHEMA, Setup, TARGETS, read};

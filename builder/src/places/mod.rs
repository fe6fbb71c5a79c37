//! Reads places from the rows of a file.

mod identity;
mod read;

pub(crate) use identity::PlaceIdentity;
pub(crate) use read::{PlaceNumber, ReadPlace, Setup, numbered, read};
pub use read::{REQUIRED, SCHEMA, TARGETS};

//! JSON as strictly as Marquee reads it, in requests and in imports.
//!
//! Parsers of JSON keep the last of two members of one name, and turn integers that they have no room for
//! into others. Here an object that repeats a member is an error, and every number is kept as it was written.

mod parse;
mod value;

pub use parse::{Limits, parse};
pub use value::{Object, Value};

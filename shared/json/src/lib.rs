//! Strict JSON parsing for requests and imports.
//!
//! An object with a repeated member is an error, because most parsers silently keep one of the two values.
//! Objects keep the order of their members. Signed and unsigned 64-bit integers keep all their digits. Size
//! limits are checked during parsing.

mod parse;
mod value;

pub use parse::{ExceededLimit, Limits, ParseError, parse};
pub use value::{Object, Value};

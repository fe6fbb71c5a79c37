//! Strict JSON parsing for requests and imports.
//!
//! Repeated members in an object are an error, because most parsers silently keep only one of the values.
//! Objects keep the order of their members, and 64-bit integers keep all their digits. Size limits are
//! enforced during parsing.

mod parse;
mod value;

pub use parse::{ExceededLimit, Limits, ParseError, parse};
pub use value::{Object, Value};

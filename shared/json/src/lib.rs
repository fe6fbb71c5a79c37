//! JSON as strictly as Marquee reads it, in requests and in imports.
//!
//! An object that names a member twice is an error: most parsers keep one of the two, and nobody learns
//! which. Objects keep the order of their members, and integers of 64 bits, signed or not, all their digits.
//! What a text may hold is bounded while it is read.

mod parse;
mod value;

pub use parse::{ExceededLimit, Limits, ParseError, parse};
pub use value::{Object, Value};

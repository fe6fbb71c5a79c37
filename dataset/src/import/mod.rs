//! What an operator loads into a release, row by row: each is taken or refused with its reason.

mod json;
mod measures;

pub(crate) use measures::{Known, parse_line};

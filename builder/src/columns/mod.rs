//! Column maps: which column of a file contains which member of a record.

mod error;
mod fields;
mod map;

pub use error::MapError;
pub(crate) use fields::{Fields, five_digits};
pub(crate) use map::single;
pub use map::{ColumnMap, Required};

//! Column maps: which column of a file contains which member of a record.

mod date_form;
mod error;
mod fields;
mod map;
mod map_file;
mod target;
mod unit;

pub use error::MapError;
pub(crate) use fields::{Fields, five_digits};
pub use map::ColumnMap;
pub(crate) use map::Notation;
pub(crate) use target::is_placeholder;
pub use target::{Required, Schema, Target};
pub(crate) use unit::Unit;

//! Column maps, which assign a file's columns to the members of records.

mod candidates;
mod dates;
mod error;
mod fields;
mod map;
mod map_file;
mod matching;
mod names;
mod propose;
mod samples;
mod target;
mod unit;

pub use error::{MapError, MatchError, MatchFault};
pub use fields::Unkept;
pub(crate) use fields::{Fields, five_digits};
pub use map::ColumnMap;
pub(crate) use map::Notation;
pub(crate) use map_file::single;
pub use matching::Matching;
pub(crate) use names::weeks_of;
pub use propose::propose;
pub(crate) use target::is_placeholder;
pub use target::{Required, Schema, Target};
pub(crate) use unit::Unit;

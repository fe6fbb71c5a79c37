//! Reads an operator's files into a release: every row is accepted, or rejected with its line and reasons.
//!
//! [`places`] and [`inventory`] make places and spots of rows, `measures` records of places; the `add_`
//! functions write the release that has them. docs/reference/data-format.md says what each file may hold.

mod about;
mod add;
mod address;
mod coordinates;
mod error;
mod fields;
mod file_row;
pub mod inventory;
mod locator;
mod map;
mod measures;
mod notice;
pub mod places;
mod rejects;

pub use about::About;
pub use add::{Import, add_inventory, add_measures, add_places};
pub(crate) use address::Region;
pub use error::{ImportError, MapError};
pub use locator::{Locator, Near, ZipArea};
pub use map::{ColumnMap, Required};
pub use measures::MeasuresSummary;
pub use notice::Notice;
pub use rejects::{MaxRejects, ParseMaxRejectsError, Rejects, RejectsError};

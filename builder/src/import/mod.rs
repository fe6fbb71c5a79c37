//! Reads an operator's files into a release: every row is accepted, or rejected with its line and reasons.
//!
//! [`places`] and [`inventory`] make places and spots of rows, `measures` records of places; the `add_`
//! functions write the release that has them. docs/data-format.md says what each file may hold.

mod about;
mod add;
mod address;
mod error;
mod fields;
pub mod inventory;
mod locator;
mod map;
mod measures;
pub mod places;
mod rejects;

pub use about::About;
pub use add::{add_inventory, add_measures, add_places};
pub use error::{ImportError, MapError};
pub use locator::{Locator, Near, ZipArea};
pub use map::{ColumnMap, Required};
pub use measures::MeasuresSummary;
pub use rejects::{Rejects, RejectsError};

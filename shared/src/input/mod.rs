//! Requests read into values: the body, the query, pages and cursors.

mod cursor;
mod page;
mod parameters;
pub mod wire;

pub use cursor::{read_cursor, write_cursor};
pub use page::{Page, PageBounds, PagePosition};
pub use parameters::Parameters;

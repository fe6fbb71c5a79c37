//! Reads files one row at a time.
//!
//! A [`RowReader`] returns the rows of a CSV file, a workbook sheet, a JSON lines file, or a GeoJSON feature
//! collection. An unreadable row doesn't affect other rows.

mod csv;
mod error;
mod geojson;
mod input;
mod json;
mod jsonl;
mod limits;
mod marked;
mod marks;
mod quoted;
mod reader;
mod reasons;
mod row;
mod serial;
mod unnamed;
mod workbook;

pub use error::{FileError, FileFault, HeaderFault, RowFault};
pub(crate) use input::Input;
pub use input::Windows1252;
pub use json::JsonError;
pub(crate) use json::{Field, Members, parse as parse_json};
pub use limits::{CELL_BYTES, ROW_BYTES};
pub(crate) use marked::Layout;
pub(crate) use marks::{is_mark, without_marks};
pub(crate) use quoted::{quoted, shortened};
pub(crate) use reader::Unparsed;
pub use reader::{Dialect, RowReader};
pub use reasons::Reasons;
pub use row::{NotSingle, Row, RowProblem, SourceRow};
pub(crate) use unnamed::is_unnamed;

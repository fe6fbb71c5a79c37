//! Other people's files, row by row: what the rows are about is not known here.
//!
//! A [`RowReader`] yields the rows of a CSV file, of JSON lines, or of a GeoJSON feature collection. A row
//! that cannot be read costs itself, and no row behind it.

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
mod row;

pub use error::{FileError, FileFault, HeaderFault, RowFault};
pub(crate) use input::Input;
pub use input::Windows1252;
pub use json::JsonError;
pub(crate) use json::{Field, parse as parse_json};
pub use limits::{CELL_BYTES, ROW_BYTES};
pub(crate) use marked::Layout;
pub(crate) use marks::without_marks;
pub(crate) use quoted::{quoted, shortened};
pub use reader::RowReader;
pub use row::{NotSingle, Row, RowProblem, SourceRow};

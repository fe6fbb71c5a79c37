//! Reads other people's files into a release: every row is accepted, or rejected with its line and reason.
//!
//! A [`RowReader`] yields the rows of a file, whatever they are about; [`places`] makes places of them, [`inventory`] spots.

mod address;
mod csv;
mod extend;
mod fields;
mod geojson;
mod input;
pub mod inventory;
mod json;
mod jsonl;
mod locator;
mod map;
pub mod measures;
pub mod places;
mod rejects;

pub(crate) use extend::extended;
pub use extend::{About, add_inventory, add_measures, add_places};
pub use locator::{Locator, Near, ZipArea};
pub use map::{ColumnMap, Required};
pub use rejects::Rejects;

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Map, Value, json};

use csv::CsvRows;
use dataset::Position;
use dataset::Progress;
use geojson::GeoJsonRows;
use input::Input;
use jsonl::JsonlRows;

/// The longest cell that is read, in bytes.
pub const CELL_BYTES: usize = 10_000;

/// The longest row that is read, in bytes: more is no row but a file of another kind.
const ROW_BYTES: usize = 1 << 20;

/// A file of rows, read one row after the other.
#[derive(Debug)]
pub struct RowReader<'a> {
    input: Input<'a>,
    rows: Rows,
    file: String,
}

#[derive(Debug)]
enum Rows {
    Csv(CsvRows),
    Jsonl(JsonlRows),
    GeoJson(GeoJsonRows),
}

impl<'a> RowReader<'a> {
    /// Opens a file as what its name says: `.csv`, `.jsonl` or `.ndjson`, `.geojson` or `.json`. Progress is told in
    /// bytes.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, its name ends otherwise, or it is a CSV file without a header that can be used.
    pub fn open(path: &Path, progress: Progress<'a>) -> Result<Self, String> {
        let file = path.display().to_string();
        let named = |reason: String| format!("{file}: {reason}");
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let open = || Input::open(path, progress);
        let (input, rows) = match extension.to_ascii_lowercase().as_str() {
            "csv" => {
                let mut input = open().map_err(named)?;
                let rows = CsvRows::begin(&mut input).map_err(named)?;
                (input, Rows::Csv(rows))
            }
            "jsonl" | "ndjson" => (open().map_err(named)?, Rows::Jsonl(JsonlRows::default())),
            "geojson" | "json" => (open().map_err(named)?, Rows::GeoJson(GeoJsonRows::default())),
            _ => return Err(named("the name must end in .csv, .jsonl, .ndjson, .geojson or .json".to_owned())),
        };
        Ok(Self { input, rows, file })
    }

    /// Returns the columns that the file says it has; only a CSV file does.
    pub fn header(&self) -> Option<&[String]> {
        match &self.rows {
            Rows::Csv(rows) => Some(rows.header()),
            Rows::Jsonl(_) | Rows::GeoJson(_) => None,
        }
    }

    /// Tells whether rows are objects, which may have objects and lists in them.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self.rows, Rows::Jsonl(_))
    }

    /// Tells whether rows may have a position of their own, outside their fields.
    pub fn has_positions(&self) -> bool {
        matches!(self.rows, Rows::GeoJson(_))
    }

    /// Returns the next row, or what is wrong with it; `None` after the last one. Blank lines are no rows.
    ///
    /// # Errors
    ///
    /// When the file cannot be read on, or what follows cannot be told apart into rows. No row follows an error.
    pub fn next_row(&mut self) -> Result<Option<Result<SourceRow, RowProblem>>, String> {
        let row = match &mut self.rows {
            Rows::Csv(rows) => rows.next_row(&mut self.input),
            Rows::Jsonl(rows) => rows.next_row(&mut self.input),
            Rows::GeoJson(rows) => rows.next_row(&mut self.input),
        };
        row.map_err(|reason| format!("{}: {reason}", self.file))
    }
}

/// A row as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRow {
    /// Where it begins: its line, in GeoJSON the number of the feature; counted from 1.
    pub line: u64,
    /// Its cells by the names of their columns; what stands in a CSV file is text.
    pub fields: Map<String, Value>,
    /// Its point, in GeoJSON.
    pub position: Option<Position>,
}

impl SourceRow {
    /// Returns a field as text, without space around it; `None` when it is missing, empty or null.
    ///
    /// # Errors
    ///
    /// When the field holds further fields or a list.
    pub fn text(&self, column: &str) -> Result<Option<Cow<'_, str>>, &'static str> {
        let text = match self.fields.get(column) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => Cow::Borrowed(text.trim()),
            Some(Value::Number(number)) => Cow::Owned(number.to_string()),
            Some(Value::Bool(truth)) => Cow::Borrowed(if *truth { "true" } else { "false" }),
            Some(Value::Array(_)) => return Err("is a list, not a text or a number"),
            Some(Value::Object(_)) => return Err("is an object, not a text or a number"),
        };
        Ok((!text.is_empty()).then_some(text))
    }

    /// Returns the row as JSON text, to show it to whoever it came from.
    pub fn original(&self) -> String {
        match self.position {
            None => Value::Object(self.fields.clone()).to_string(),
            Some(Position { latitude, longitude }) => json!({
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
                "properties": self.fields,
            })
            .to_string(),
        }
    }
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// Where it begins, as in [`SourceRow`].
    pub line: u64,
    /// What is wrong.
    pub reason: String,
    /// The row as JSON text; what could not be taken apart is one text.
    pub original: String,
}

impl RowProblem {
    /// Reports bytes that could not be taken apart.
    fn of_bytes(line: u64, reason: impl Into<String>, bytes: &[u8]) -> Self {
        let original = Value::from(String::from_utf8_lossy(bytes)).to_string();
        Self { line, reason: reason.into(), original }
    }
}

/// Says what is wrong with a JSON text, in words that fit behind "invalid JSON".
fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("invalid JSON: {}, at byte {}", text.strip_suffix(&place).unwrap_or(&text), error.column())
}

/// Names the first field that is too long, in JSON.
fn too_long(fields: &Map<String, Value>) -> Option<String> {
    let long = |value: &Value| value.as_str().is_some_and(|text| text.len() > CELL_BYTES);
    let (name, _) = fields.iter().find(|(_, value)| long(value))?;
    Some(format!("{} is longer than {CELL_BYTES} bytes", quoted(name)))
}

/// Quotes what someone wrote, no more of it than a message bears.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

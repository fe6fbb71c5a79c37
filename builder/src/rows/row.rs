//! Rows read from files, and rejected rows.

use std::borrow::Cow;

use dataset::Position;
use serde_json::{Map, Value};
use thiserror::Error;

use super::error::RowFault;
use super::limits::CELL_BYTES;

/// The error for a field that contains a list or an object instead of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotSingle {
    #[error("is an array, not a string or a number")]
    List,
    #[error("is an object, not a string or a number")]
    Object,
}

/// The result of reading a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    Read(SourceRow),
    Unreadable(RowProblem),
}

/// A row that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRow {
    /// The number of the row's first line or, in GeoJSON, the number of the feature. Numbers start at 1.
    pub line: u64,
    /// The row's values, by column or member name. In CSV files and workbooks, all values are strings.
    pub fields: Map<String, Value>,
    /// The position of a GeoJSON feature. It's `None` in other formats, or if the feature has no geometry.
    pub position: Option<Position>,
    /// The row as written in the file, converted to UTF-8, without the last line break.
    pub raw: Vec<u8>,
}

impl SourceRow {
    /// Returns a field's value as a string without surrounding white space, or `None` if the value is
    /// missing, empty, or null.
    ///
    /// # Errors
    ///
    /// Fails if the field contains an object or a list.
    pub fn text(&self, column: &str) -> Result<Option<Cow<'_, str>>, NotSingle> {
        let text = match self.fields.get(column) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => Cow::Borrowed(text.trim()),
            Some(Value::Number(number)) => Cow::Owned(number.to_string()),
            Some(Value::Bool(truth)) => Cow::Borrowed(if *truth { "true" } else { "false" }),
            Some(Value::Array(_)) => return Err(NotSingle::List),
            Some(Value::Object(_)) => return Err(NotSingle::Object),
        };
        Ok((!text.is_empty()).then_some(text))
    }

    /// Converts the row to a rejected row with the given reason.
    pub fn rejected(self, reason: impl Into<String>) -> RowProblem {
        RowProblem { line: self.line, reason: reason.into(), raw: self.raw }
    }
}

/// A row that is unreadable or was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// The number of the row, as in [`SourceRow::line`].
    pub line: u64,
    /// The reason that the row is unreadable or was rejected.
    pub reason: String,
    /// The row, as in [`SourceRow::raw`]. A line that is too long is truncated.
    pub raw: Vec<u8>,
}

impl RowProblem {
    pub(super) fn new(line: u64, fault: &RowFault, raw: Vec<u8>) -> Self {
        Self { line, reason: fault.to_string(), raw }
    }
}

/// Checks that the strings in a JSON row don't exceed the maximum cell length. Ignores nested strings.
pub(super) fn check_lengths(fields: &Map<String, Value>) -> Result<(), RowFault> {
    let is_long = |value: &Value| value.as_str().is_some_and(|text| text.len() > CELL_BYTES);
    match fields.iter().find(|(_, value)| is_long(value)) {
        Some((name, _)) => Err(RowFault::FieldTooLong(name.clone())),
        None => Ok(()),
    }
}

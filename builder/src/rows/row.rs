//! A row of a file.

use std::borrow::Cow;

use dataset::Position;
use serde_json::{Map, Value};
use thiserror::Error;

use super::error::RowFault;
use super::limits::CELL_BYTES;

/// A field that is no single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotSingle {
    #[error("is a list, not a text or a number")]
    List,
    #[error("is an object, not a text or a number")]
    Object,
}

/// What a file has at one place.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    Read(SourceRow),
    Unreadable(RowProblem),
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
    /// The row as its file has it, in UTF-8, without the end of its line.
    pub raw: Vec<u8>,
}

impl SourceRow {
    /// Returns a field as text, without space around it; `None` when it is missing, empty or null.
    ///
    /// # Errors
    ///
    /// When the field holds further fields or a list.
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

    /// Says why the row is not accepted.
    pub fn rejected(self, reason: impl Into<String>) -> RowProblem {
        RowProblem { line: self.line, reason: reason.into(), raw: self.raw }
    }
}

/// A row that cannot be read, or not be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// Where it begins, as in [`SourceRow`].
    pub line: u64,
    /// What is wrong.
    pub reason: String,
    /// The row as its file has it.
    pub raw: Vec<u8>,
}

impl RowProblem {
    pub(super) fn new(line: u64, fault: &RowFault, raw: Vec<u8>) -> Self {
        Self { line, reason: fault.to_string(), raw }
    }
}

/// Refuses fields of which one is too long, in JSON.
pub(super) fn check_lengths(fields: &Map<String, Value>) -> Result<(), RowFault> {
    let is_long = |value: &Value| value.as_str().is_some_and(|text| text.len() > CELL_BYTES);
    match fields.iter().find(|(_, value)| is_long(value)) {
        Some((name, _)) => Err(RowFault::FieldTooLong(name.clone())),
        None => Ok(()),
    }
}

//! Reads rows from a file with one JSON object per line.

use serde_json::{Map, Value};

use super::error::{FileFault, RowFault};
use super::input::{Input, Line};
use super::json;
use super::marks::without_marks;
use super::row::{Row, RowProblem, SourceRow, check_lengths};

/// A reader for the rows in a JSON lines file.
#[derive(Debug, Default)]
pub(super) struct JsonlRows {
    has_rows: bool,
}

impl JsonlRows {
    /// Returns the next line that isn't blank, or `None` at the end of the file. Fails if all lines in the
    /// file are blank.
    pub(super) fn next_line(&mut self, input: &mut Input<'_>) -> Result<Option<Line>, FileFault> {
        let line = input.filled_line()?;
        if line.is_none() && !self.has_rows {
            return Err(FileFault::Empty("one JSON object per line"));
        }
        self.has_rows = true;
        Ok(line)
    }
}

/// Converts a line to a row.
pub(super) fn row(line: Line) -> Row {
    match fields(&line) {
        Ok(fields) => Row::Read(SourceRow { line: line.number, fields, position: None, raw: line.bytes }),
        Err(fault) => Row::Unreadable(RowProblem::new(line.number, &fault, line.bytes)),
    }
}

fn fields(line: &Line) -> Result<Map<String, Value>, RowFault> {
    let mut value = json::parse(line.text()?)?;
    without_marks(&mut value);
    let Value::Object(fields) = value else { return Err(RowFault::NoObject) };
    check_lengths(&fields)?;
    Ok(fields)
}

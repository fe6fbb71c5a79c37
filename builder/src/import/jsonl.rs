//! Rows of a file with a JSON object on each line.

use serde_json::Value;

use super::input::{Input, Line};
use super::{ROW_BYTES, RowProblem, SourceRow, json, too_long};

/// Where a file of JSON lines has been read to.
#[derive(Debug, Default)]
pub(super) struct JsonlRows {
    has_rows: bool,
}

impl JsonlRows {
    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Result<SourceRow, RowProblem>>, String> {
        while let Some(line) = input.line(ROW_BYTES)? {
            if !line.is_blank() {
                self.has_rows = true;
                return Ok(Some(row(&line)));
            }
        }
        if self.has_rows { Ok(None) } else { Err("is empty: a JSON object on each line was expected".to_owned()) }
    }
}

fn row(line: &Line) -> Result<SourceRow, RowProblem> {
    let problem = |reason: String| RowProblem::of_bytes(line.number, reason, &line.bytes);
    if line.is_cut {
        return Err(problem(format!("the line is longer than {ROW_BYTES} bytes")));
    }
    let text = str::from_utf8(&line.bytes).map_err(|_| problem("the line is not UTF-8".to_owned()))?;
    let Value::Object(fields) = json::parse(text).map_err(problem)? else {
        return Err(problem("the line is not a JSON object".to_owned()));
    };
    match too_long(&fields) {
        Some(reason) => Err(problem(reason)),
        None => Ok(SourceRow { line: line.number, fields, position: None }),
    }
}

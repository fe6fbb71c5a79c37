//! Formats rejected rows for a file in which they can be corrected. Each row is copied from the original
//! file and marked with its line number and the reason for its rejection.
//!
//! The new file has the same format as the original file, except that rows from a workbook are written as
//! CSV. Imports accept the new file and ignore the marks.

use std::borrow::Cow;

use serde_json::{Deserializer, Value, json};

use super::csv::CsvLayout;
use super::input::windows_1252;
use super::json;
use super::marks::{MARKS, is_mark, without_marks};
use super::row::RowProblem;

/// The format of a file of rejected rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Csv(CsvLayout),
    JsonLines,
    GeoJson,
}

impl Layout {
    /// Returns the bytes to write before the first row.
    pub(crate) fn opening(&self) -> Vec<u8> {
        match self {
            Self::Csv(layout) => {
                // Remove the names of any other mark columns in the header, so that imports ignore these
                // columns.
                let own = layout.header[leading_marks(layout)..].iter();
                let own = own.map(|name| if is_mark(name) { "" } else { name });
                let names: Vec<String> = MARKS.into_iter().chain(own).map(quoted_cell).collect();
                (names.join(&char::from(layout.delimiter).to_string()) + "\n").into_bytes()
            }
            Self::JsonLines => Vec::new(),
            Self::GeoJson => b"{\"type\":\"FeatureCollection\",\"features\":[\n".to_vec(),
        }
    }

    /// Returns the bytes of a marked row, preceded by a separator if necessary.
    pub(crate) fn row(&self, problem: &RowProblem, is_first: bool) -> Vec<u8> {
        match self {
            Self::Csv(layout) => csv(layout, problem),
            Self::JsonLines => [object(problem), b"\n".to_vec()].concat(),
            Self::GeoJson if is_first => feature(problem),
            Self::GeoJson => [b",\n".to_vec(), feature(problem)].concat(),
        }
    }

    /// Returns the bytes to write after the last row.
    pub(crate) fn closing(&self) -> &'static [u8] {
        match self {
            Self::Csv(_) | Self::JsonLines => b"",
            Self::GeoJson => b"\n]}\n",
        }
    }
}

/// Adds marks before a record, without changing the record itself. The reason is always quoted, so that an
/// unclosed quote in the record still affects only this row.
fn csv(layout: &CsvLayout, RowProblem { line, reason, raw }: &RowProblem) -> Vec<u8> {
    let delimiter = char::from(layout.delimiter);
    let marks = format!("{line}{delimiter}{}{delimiter}", quoted_cell(reason));
    let raw = readable(raw);
    let own = layout.behind(leading_marks(layout), raw.as_bytes());
    [marks.as_bytes(), own, b"\n"].concat()
}

/// Returns the number of marks at the start of each row. It's 0 unless the file is itself a file of rejected
/// rows.
fn leading_marks(layout: &CsvLayout) -> usize {
    layout.header.iter().take_while(|name| is_mark(name)).count()
}

fn quoted_cell(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Adds marks to a feature's properties, because map viewers show properties. Calls [`object`] for other
/// values.
fn feature(problem: &RowProblem) -> Vec<u8> {
    let parsed = str::from_utf8(&problem.raw).ok().and_then(|text| json::parse(text).ok());
    let Some(Value::Object(mut feature)) = parsed else { return object(problem) };
    let properties = feature.entry("properties").or_insert(Value::Null);
    if properties.is_null() {
        *properties = json!({});
    }
    let Value::Object(properties) = properties else { return object(problem) };
    let [line, reason] = MARKS;
    properties.insert(line.to_owned(), problem.line.into());
    properties.insert(reason.to_owned(), problem.reason.clone().into());
    Value::Object(feature).to_string().into_bytes()
}

/// Adds marks before an object's members. Wraps any other value in an object with a `_row` member, which
/// imports reject.
fn object(RowProblem { line: number, reason, raw }: &RowProblem) -> Vec<u8> {
    let raw = readable(raw);
    let text = raw.trim();
    let own = match json::parse(text) {
        Ok(mut value) if MARKS.iter().any(|mark| value.get(mark).is_some()) => {
            without_marks(&mut value);
            value.to_string()
        }
        _ if text.starts_with('{') => without_own_marks(text),
        _ => json!({ "_row": text }).to_string(),
    };
    let [line_mark, reason_mark] = MARKS;
    let reason = Value::from(reason.as_str());
    let members = own.strip_prefix('{').unwrap_or_default();
    let comma = if members.trim_start().starts_with('}') { "" } else { "," };
    format!("{{\"{line_mark}\":{number},\"{reason_mark}\":{reason}{comma}{members}").into_bytes()
}

/// Returns a row as a string. A row that isn't valid UTF-8 is decoded as Windows-1252. If it's corrupt UTF-8,
/// replacement characters are inserted instead.
fn readable(raw: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(raw) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => windows_1252(raw).unwrap_or_else(|| String::from_utf8_lossy(raw)),
    }
}

/// Removes marks that [`object`] added to an object with invalid JSON.
fn without_own_marks(text: &str) -> String {
    let [line, reason] = MARKS;
    let own = || {
        let behind_line = text.strip_prefix(&format!("{{\"{line}\":"))?;
        let number = behind_line.trim_start_matches(|character: char| character.is_ascii_digit());
        let marked = number.strip_prefix(&format!(",\"{reason}\":"))?;
        let mut said = Deserializer::from_str(marked).into_iter::<String>();
        said.next()?.ok()?;
        let own = &marked[said.byte_offset()..];
        Some(format!("{{{}", own.strip_prefix(',').unwrap_or(own)))
    };
    own().unwrap_or_else(|| text.to_owned())
}

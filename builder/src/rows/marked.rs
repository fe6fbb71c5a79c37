//! Rows on their way back to whoever they came from: as their file has them, marked with their line and the
//! reason.
//!
//! What is written here is a file of the same format, which an import reads as it reads the first one: the
//! marks are passed over.

use std::borrow::Cow;

use csv::QuoteStyle;
use serde_json::{Deserializer, Value, json};

use super::csv::CsvLayout;
use super::input::windows_1252;
use super::json;
use super::marks::{MARKS, is_mark, without_marks};
use super::row::RowProblem;

/// How rows of a file are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Csv(CsvLayout),
    JsonLines,
    GeoJson,
}

impl Layout {
    /// Returns what stands before the first row.
    pub(crate) fn opening(&self) -> Vec<u8> {
        match self {
            Self::Csv(layout) => {
                let own = layout.header.iter().filter(|name| !is_mark(name)).map(String::as_bytes);
                // Quotes keep what is in a name from being counted as delimiters when the file is read again.
                line(
                    layout.delimiter,
                    QuoteStyle::Always,
                    MARKS.iter().map(|mark| mark.as_bytes()).chain(own),
                )
            }
            Self::JsonLines => Vec::new(),
            Self::GeoJson => b"{\"type\":\"FeatureCollection\",\"features\":[\n".to_vec(),
        }
    }

    /// Returns a marked row, and what stands between it and the one before.
    pub(crate) fn row(&self, problem: &RowProblem, is_first: bool) -> Vec<u8> {
        match self {
            Self::Csv(layout) => csv(layout, problem),
            Self::JsonLines => [object(problem), b"\n".to_vec()].concat(),
            Self::GeoJson if is_first => feature(problem),
            Self::GeoJson => [b",\n".to_vec(), feature(problem)].concat(),
        }
    }

    /// Returns what stands behind the last row.
    pub(crate) fn closing(&self) -> &'static [u8] {
        match self {
            Self::Csv(_) | Self::JsonLines => b"",
            Self::GeoJson => b"\n]}\n",
        }
    }
}

/// Marks a record. One that cannot be taken apart stays as it is behind its marks, for a person to correct:
/// the reason is always in quotes, so that a quote which is not closed takes no row behind it along.
fn csv(layout: &CsvLayout, RowProblem { line: number, reason, raw }: &RowProblem) -> Vec<u8> {
    let delimiter = char::from(layout.delimiter);
    let reason = reason.replace('"', "\"\"");
    let marks = format!("{number}{delimiter}\"{reason}\"{delimiter}").into_bytes();
    let was_marked = layout.header.iter().any(|name| is_mark(name));
    let is_own = |at: usize| layout.header.get(at).is_none_or(|name| !is_mark(name));
    let raw = readable(raw);
    let raw = raw.as_bytes();
    match layout.cells(raw).filter(|_| was_marked) {
        Some(cells) => {
            let own = cells.iter().enumerate().filter(|(at, _)| is_own(*at)).map(|(_, cell)| cell.as_slice());
            [marks, line(layout.delimiter, QuoteStyle::Necessary, own)].concat()
        }
        None => {
            let begins_marked = layout.header.starts_with(&MARKS.map(str::to_owned));
            let own = if begins_marked { layout.behind(MARKS.len(), raw) } else { raw };
            [&marks, own, b"\n"].concat()
        }
    }
}

fn line<'a>(delimiter: u8, quotes: QuoteStyle, cells: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut writer =
        csv::WriterBuilder::new().delimiter(delimiter).quote_style(quotes).from_writer(Vec::new());
    writer.write_record(cells).expect("it is written into memory");
    writer.into_inner().expect("it is written into memory")
}

/// Marks a feature among its properties, which is what maps show; one that is no feature as any object.
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

/// Marks an object before its own members. What is none becomes the text of a member that no import knows.
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

/// Returns a row as text. What should have been UTF-8 and is not is most likely Windows-1252, unless the rest
/// of it is UTF-8: then what is damaged shows.
fn readable(raw: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(raw) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => windows_1252(raw).unwrap_or_else(|| String::from_utf8_lossy(raw)),
    }
}

/// Takes the marks off an object that cannot be read, where [`object`] put them.
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

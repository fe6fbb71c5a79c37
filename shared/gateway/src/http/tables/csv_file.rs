//! Writes rows as CSV (RFC 4180) and keeps spreadsheets from interpreting text as formulas.

use std::borrow::Cow;

use csv::{Terminator, Writer, WriterBuilder};
use serde_json::value::RawValue;

use super::json::JsonMembers;

/// The leading characters that make a spreadsheet interpret a field as a formula
/// (<https://owasp.org/www-community/attacks/CSV_Injection>).
const OF_FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The characters within a field that a spreadsheet may treat as separators, depending on its settings.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// A column or an object with a column for each member.
struct Column<'a> {
    name: &'a str,
    /// The object's members. Empty for a column.
    members: Vec<Column<'a>>,
}

/// Writes a header row and a line for each row. `constants` contains the names and values of extra columns
/// at the end that have the same value in every row. `bytes` is the buffer's initial capacity.
pub(super) fn write(
    rows: &[&RawValue],
    columns: &[&str],
    constants: &[(&str, String)],
    bytes: usize,
) -> Vec<u8> {
    let objects = Column::by_object(columns.iter().copied());
    let names: Vec<&str> = columns.iter().copied().chain(constants.iter().map(|(name, _)| *name)).collect();
    let values: Vec<String> = constants.iter().map(|(_, value)| without_formulas(value)).collect();
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::with_capacity(bytes));
    let written = write_lines(&mut writer, rows, &names, &objects, &values);
    written.and_then(|()| writer.into_inner().map_err(|error| error.into_error().into())).expect(IN_MEMORY)
}

const IN_MEMORY: &str = "lines with one field per column can be written to memory";

fn write_lines(
    writer: &mut Writer<Vec<u8>>,
    rows: &[&RawValue],
    names: &[&str],
    objects: &[Column<'_>],
    constants: &[String],
) -> csv::Result<()> {
    writer.write_record(names)?;
    for row in rows {
        write_fields(writer, objects, Some(row))?;
        for value in constants {
            writer.write_field(value)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(())
}

fn write_fields(
    writer: &mut Writer<Vec<u8>>,
    columns: &[Column<'_>],
    object: Option<&RawValue>,
) -> csv::Result<()> {
    let values = object.map(JsonMembers::of).unwrap_or_default();
    for Column { name, members } in columns {
        let value = values.get(name);
        if members.is_empty() {
            writer.write_field(field(value).as_bytes())?;
        } else {
            write_fields(writer, members, value)?;
        }
    }
    Ok(())
}

/// Converts a JSON value to a CSV field. A missing value or null becomes an empty field.
fn field(value: Option<&RawValue>) -> Cow<'_, str> {
    let json = value.map_or("null", RawValue::get);
    if json == "null" {
        return Cow::Borrowed("");
    }
    if json.starts_with('"') {
        let text: String = serde_json::from_str(json).expect("the value is a JSON string");
        return Cow::Owned(without_formulas(&text));
    }
    without_formulas_in_json(json)
}

/// Inserts an apostrophe wherever a spreadsheet could start to interpret text as a formula: at the start and
/// after each separator. Quotation marks after a separator are skipped, because a spreadsheet that splits the
/// field there removes them.
fn without_formulas(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    for part in text.split_inclusive(SEPARATORS) {
        let start = if safe.is_empty() { part } else { part.trim_start_matches('"') };
        if start.starts_with(OF_FORMULAS) {
            safe.push('\'');
        }
        safe.push_str(part);
    }
    safe
}

/// Escapes the same characters in the JSON of a list or object without changing its values. Only semicolons
/// matter here, because JSON already escapes the other separators.
fn without_formulas_in_json(json: &str) -> Cow<'_, str> {
    if !json.contains(';') {
        return Cow::Borrowed(json);
    }
    let escaped = [(";=", r";\u003d"), (";+", r";\u002b"), (";-", r";\u002d"), (";@", r";\u0040")];
    Cow::Owned(escaped.into_iter().fold(json.to_owned(), |safe, (from, to)| safe.replace(from, to)))
}

impl<'a> Column<'a> {
    /// Groups adjacent columns of the same object.
    fn by_object(paths: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let mut objects: Vec<(&str, Vec<&str>)> = Vec::new();
        for path in paths {
            let (name, below) =
                path.split_once('.').map_or((path, None), |(name, below)| (name, Some(below)));
            match objects.last_mut().filter(|(last, _)| *last == name) {
                Some((_, members)) => members.extend(below),
                None => objects.push((name, below.into_iter().collect())),
            }
        }
        let column =
            |(name, members): (_, Vec<_>)| Self { name, members: Self::by_object(members.into_iter()) };
        objects.into_iter().map(column).collect()
    }
}

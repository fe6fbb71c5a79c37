//! Parses column maps.

use std::collections::BTreeMap;

use dataset::inventory::FieldSet;
use dataset::normalize;
use serde::Deserialize;
use toml::Value;

use super::dates::DateForm;
use super::error::MapError;
use super::map::{ColumnMap, Mapped, Notation, Source};
use super::target::{Form, Target};
use super::unit::Unit;
use crate::dates::is_date;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    #[serde(default)]
    columns: BTreeMap<String, Value>,
    #[serde(default)]
    constants: BTreeMap<String, Value>,
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, Value>>,
    #[serde(default)]
    dates: BTreeMap<String, Value>,
    modelled: Option<Modelled>,
    #[serde(default)]
    format: Format,
}

/// The `format` table, which describes a file's notation.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    delimiter: Option<String>,
    decimal_comma: Option<bool>,
    size: Option<String>,
    units: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Modelled {
    vintage: Value,
    #[serde(default)]
    blanks: bool,
    #[serde(default)]
    fields: Vec<String>,
}

/// Parses the text of a column map. See [`ColumnMap::parse`].
pub(super) fn parse(text: &str, targets: &'static [Target]) -> Result<ColumnMap, MapError> {
    let file: MapFile = toml::from_str(text)?;
    let mut sources = BTreeMap::new();
    for (name, value) in file.columns {
        let target = known(&name, targets)?;
        let source = Source::Columns(columns(target, value)?);
        sources.insert(target.name, Mapped { source, is_text: target.form.is_text() });
    }
    for (name, value) in file.constants {
        let constant = single(value).ok_or_else(|| MapError::NoConstant(name.clone()))?;
        let target = known(&name, targets)?;
        let mapped = Mapped { source: Source::Constant(constant), is_text: target.form.is_text() };
        if sources.insert(target.name, mapped).is_some() {
            return Err(MapError::ColumnAndConstant(name));
        }
    }
    let mut values = BTreeMap::new();
    for (name, table) in file.values {
        let target = known(&name, targets)?;
        if !is_column(&sources, target) {
            return Err(MapError::ValuesOfNoColumn(name));
        }
        values.insert(target.name, replacements(&name, table)?);
    }
    let mut dates = BTreeMap::new();
    for (name, form) in file.dates {
        let target = known(&name, targets)?;
        if !matches!(target.form, Form::Date) || !is_column(&sources, target) {
            return Err(MapError::DateOfNoColumn(name));
        }
        dates.insert(target.name, date_form(name, form)?);
    }
    let fills_blanks = file.modelled.as_ref().is_some_and(|modelled| modelled.blanks);
    let assumed = fields(file.modelled.iter().flat_map(|modelled| &modelled.fields))?;
    let modelled = file.modelled.map(vintage).transpose()?;
    let (delimiter, notation) = notation(file.format, dates)?;
    Ok(ColumnMap { sources, values, modelled, assumed, fills_blanks, delimiter, notation, is_explicit: true })
}

fn notation(
    format: Format,
    dates: BTreeMap<&'static str, DateForm>,
) -> Result<(Option<u8>, Notation), MapError> {
    let Format { delimiter, decimal_comma, size, units } = format;
    let delimiter = delimiter.map(|text| self::delimiter(&text)).transpose()?;
    let has_decimal_commas = decimal_comma.unwrap_or_default();
    if has_decimal_commas && delimiter == Some(b',') {
        return Err(MapError::CommaTwice);
    }
    let is_width_first = match size.as_deref() {
        None | Some("height first") => false,
        Some("width first") => true,
        Some(other) => return Err(MapError::SizeOrder(other.to_owned())),
    };
    let unit = |text: String| Unit::named(&text).ok_or(MapError::Units(text));
    let units = units.map(unit).transpose()?;
    Ok((delimiter, Notation { has_decimal_commas, is_width_first, units, dates }))
}

fn known<'t>(name: &str, targets: &'static [Target]) -> Result<&'t Target, MapError> {
    let found = targets.iter().find(|target| target.name == name);
    found.ok_or_else(|| {
        let targets = targets.iter().map(|target| target.name).collect();
        MapError::UnknownTarget { target: name.to_owned(), targets }
    })
}

fn is_column(sources: &BTreeMap<&'static str, Mapped>, target: &Target) -> bool {
    matches!(sources.get(target.name), Some(Mapped { source: Source::Columns(_), .. }))
}

/// Parses the names of a target's columns. Only a text target can have several columns.
fn columns(target: &Target, value: Value) -> Result<Vec<String>, MapError> {
    let name = target.name.to_owned();
    let items = match value {
        Value::Array(items) if !target.form.is_text() && items.len() != 1 => {
            return Err(MapError::JoinedValue(name));
        }
        Value::Array(items) if !items.is_empty() => items,
        value => vec![value],
    };
    let mut columns: Vec<String> = Vec::new();
    for item in items {
        let Value::String(column) = item else { return Err(MapError::NoColumnName(name)) };
        let column = column.trim().to_owned();
        if columns.contains(&column) {
            return Err(MapError::ColumnTwice { target: name, column });
        }
        columns.push(column);
    }
    Ok(columns)
}

/// Returns a scalar value as text, or `None` for tables and lists.
pub(crate) fn single(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        Value::Datetime(date) => Some(date.to_string()),
        Value::Array(_) | Value::Table(_) => None,
    }
}

fn replacements(target: &str, table: BTreeMap<String, Value>) -> Result<BTreeMap<String, String>, MapError> {
    let mut replacements = BTreeMap::new();
    for (text, value) in table {
        let target = target.to_owned();
        let Some(other) = single(value) else { return Err(MapError::NoValue { target, text }) };
        if replacements.insert(normalize(&text), other).is_some() {
            return Err(MapError::SameValues { target, text });
        }
    }
    Ok(replacements)
}

fn date_form(target: String, form: Value) -> Result<DateForm, MapError> {
    let text = single(form).unwrap_or_default();
    DateForm::parse(&text).ok_or(MapError::DateForm { target, form: text })
}

fn delimiter(text: &str) -> Result<u8, MapError> {
    match text {
        "," => Ok(b','),
        ";" => Ok(b';'),
        "\t" | "tab" => Ok(b'\t'),
        "|" => Ok(b'|'),
        _ => Err(MapError::Delimiter(text.to_owned())),
    }
}

/// Returns the fields of records at the given paths.
fn fields<'a>(paths: impl Iterator<Item = &'a String>) -> Result<FieldSet, MapError> {
    paths
        .map(|path| FieldSet::at(path).ok_or_else(|| MapError::UnknownField(path.clone())))
        .try_fold(FieldSet::NONE, |all, field| Ok(all.or(field?)))
}

fn vintage(Modelled { vintage, .. }: Modelled) -> Result<String, MapError> {
    let day = single(vintage).filter(|text| is_date(text));
    day.map(|day| day.replace('-', "")).ok_or(MapError::NoVintage)
}

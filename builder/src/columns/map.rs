//! Which column of a file holds what.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use dataset::normalize;
use serde::Deserialize;
use toml::Value;

use super::error::MapError;
use crate::dates::is_date;
use crate::rows::{NotSingle, RowReader, SourceRow};

/// From which column of a file each target comes, or what it is in all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMap {
    sources: BTreeMap<&'static str, Source>,
    /// The replacement values for each target's column, by normalized text.
    values: BTreeMap<&'static str, BTreeMap<String, String>>,
    /// The vintage, `YYYYMMDD`, of what a model fills in.
    modelled: Option<String>,
    /// Whether records get all members that the rows lack, as blanks.
    fills_blanks: bool,
    /// What divides the cells of a CSV file; recognized where it is not said.
    delimiter: Option<u8>,
    /// Whether numbers have a comma where others have a point.
    has_decimal_commas: bool,
    /// Whether somebody wrote it. A file may lack the columns of the other kind, which only have the targets'
    /// own names.
    is_explicit: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Column(String),
    Constant(String),
}

/// A target that every row must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Required {
    /// Its name.
    pub target: &'static str,
    /// Whether the position of a GeoJSON feature stands in for it.
    pub is_coordinate: bool,
}

impl ColumnMap {
    /// Takes the columns that have the targets' own names.
    pub fn own_names(targets: &'static [&'static str]) -> Self {
        let own = |target: &&'static str| (*target, Source::Column((*target).to_owned()));
        let sources = targets.iter().map(own).collect();
        Self {
            sources,
            values: BTreeMap::new(),
            modelled: None,
            fills_blanks: false,
            delimiter: None,
            has_decimal_commas: false,
            is_explicit: false,
        }
    }

    /// Reads a map from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no map of these targets.
    pub fn read(path: &Path, targets: &'static [&'static str]) -> Result<Self, MapError> {
        let text = std::fs::read_to_string(path).map_err(MapError::from);
        let map = text.and_then(|text| Self::parse(&text, targets));
        map.map_err(|source| MapError::InFile { file: path.to_owned(), source: source.into() })
    }

    /// Takes a map from its text: the tables `columns` and `constants`, from targets to texts; `values`, for
    /// each target from the texts of its column to others; `modelled`, with the vintage of what is filled in;
    /// and `format`, with how the file is written.
    ///
    /// # Errors
    ///
    /// When it has other tables, other targets, a target in both tables, values of what is no column, or a
    /// value that is no text.
    pub fn parse(text: &str, targets: &'static [&'static str]) -> Result<Self, MapError> {
        let file: MapFile = toml::from_str(text)?;
        let mut sources = BTreeMap::new();
        for (target, value) in file.columns {
            let Value::String(column) = value else {
                return Err(MapError::NoColumnName(target));
            };
            sources.insert(known(&target, targets)?, Source::Column(column.trim().to_owned()));
        }
        for (target, value) in file.constants {
            let constant = single(value).ok_or_else(|| MapError::NoConstant(target.clone()))?;
            if sources.insert(known(&target, targets)?, Source::Constant(constant)).is_some() {
                return Err(MapError::ColumnAndConstant(target));
            }
        }
        let mut values = BTreeMap::new();
        for (target, table) in file.values {
            let known = known(&target, targets)?;
            if !matches!(sources.get(known), Some(Source::Column(_))) {
                return Err(MapError::ValuesOfNoColumn(target));
            }
            values.insert(known, replacements(&target, table)?);
        }
        let fills_blanks = file.modelled.as_ref().is_some_and(|modelled| modelled.blanks);
        let modelled = file.modelled.map(vintage).transpose()?;
        let Format { delimiter, decimal_comma } = file.format;
        let delimiter = delimiter.map(|text| self::delimiter(&text)).transpose()?;
        let has_decimal_commas = decimal_comma.unwrap_or_default();
        if has_decimal_commas && delimiter == Some(b',') {
            return Err(MapError::CommaTwice);
        }
        Ok(Self { sources, values, modelled, fills_blanks, delimiter, has_decimal_commas, is_explicit: true })
    }

    /// Holds a file to the map before its first row is read.
    ///
    /// # Errors
    ///
    /// When the file's header lacks a column, or nothing leads to a target that is required.
    pub fn check(&self, file: &RowReader<'_>, required: &[Required]) -> Result<(), MapError> {
        if let Some(header) = file.header() {
            self.check_header(header, required)?;
        }
        let maps_coordinates =
            required.iter().any(|required| required.is_coordinate && self.names(required.target));
        let has_coordinates = file.has_positions() && !maps_coordinates;
        let is_missing = |required: &&Required| {
            let is_elsewhere = required.is_coordinate && has_coordinates;
            !is_elsewhere && !self.sources.contains_key(required.target)
        };
        match required.iter().find(is_missing) {
            Some(Required { target, .. }) => Err(MapError::Unmapped((*target).to_owned())),
            None => Ok(()),
        }
    }

    /// Holds a file to the map where one of several targets suffices.
    ///
    /// # Errors
    ///
    /// When nothing leads to any of them.
    pub fn check_any(&self, file: &RowReader<'_>, targets: [&'static str; 2]) -> Result<(), MapError> {
        let leads = |target: &&str| match (self.sources.get(*target), file.header()) {
            (Some(Source::Column(column)), Some(header)) => header.contains(column),
            (source, _) => source.is_some(),
        };
        if targets.iter().any(leads) {
            return Ok(());
        }
        let targets = targets.join(" or ");
        Err(if self.is_explicit { MapError::Unmapped(targets) } else { MapError::NoColumnOf { targets } })
    }

    /// Returns the vintage, `YYYYMMDD`, of what a model fills in where a row lacks it; `None` when nothing is
    /// made up.
    pub fn modelled(&self) -> Option<&str> {
        self.modelled.as_deref()
    }

    /// Returns whether records get all members that the rows lack, as empty strings and lists.
    pub fn fills_blanks(&self) -> bool {
        self.fills_blanks
    }

    /// Returns what divides the cells of a CSV file; `None` when the file's header is to show it.
    pub fn delimiter(&self) -> Option<u8> {
        self.delimiter
    }

    /// Returns a number as programs read it, with a decimal point.
    pub(crate) fn number(&self, text: String) -> String {
        if self.has_decimal_commas { text.replace(',', ".") } else { text }
    }

    /// Tells whether a target is the same in all rows.
    pub fn is_constant(&self, target: &str) -> bool {
        matches!(self.sources.get(target), Some(Source::Constant(_)))
    }

    /// Tells whether somebody mapped the target; columns of its own name do not count.
    pub fn names(&self, target: &str) -> bool {
        self.is_explicit && self.sources.contains_key(target)
    }

    /// Returns a target of a row, without space around it; `None` when it is missing or empty.
    ///
    /// # Errors
    ///
    /// When the row's field is no single value.
    pub fn value<'a>(&'a self, row: &'a SourceRow, target: &str) -> Result<Option<Cow<'a, str>>, NotSingle> {
        match self.sources.get(target) {
            Some(Source::Column(column)) => {
                Ok(row.text(column)?.and_then(|text| self.replaced(target, text)))
            }
            Some(Source::Constant(text)) => Ok((!text.is_empty()).then_some(Cow::Borrowed(text))),
            None => Ok(None),
        }
    }

    /// Returns what stands for a text of a column: mostly itself.
    fn replaced<'a>(&'a self, target: &str, text: Cow<'a, str>) -> Option<Cow<'a, str>> {
        match self.values.get(target).and_then(|table| table.get(&normalize(&text))) {
            Some(other) => (!other.is_empty()).then_some(Cow::Borrowed(other)),
            None => Some(text),
        }
    }

    fn check_header(&self, header: &[String], required: &[Required]) -> Result<(), MapError> {
        for (target, source) in &self.sources {
            let Source::Column(column) = source else { continue };
            let is_needed = self.is_explicit || required.iter().any(|required| required.target == *target);
            if is_needed && !header.contains(column) {
                return Err(MapError::NoColumn {
                    column: column.clone(),
                    target,
                    columns: header.to_vec(),
                    is_explicit: self.is_explicit,
                });
            }
        }
        Ok(())
    }
}

/// The text of a map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    #[serde(default)]
    columns: BTreeMap<String, Value>,
    #[serde(default)]
    constants: BTreeMap<String, Value>,
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, Value>>,
    modelled: Option<Modelled>,
    #[serde(default)]
    format: Format,
}

/// How a file is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    delimiter: Option<String>,
    decimal_comma: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Modelled {
    vintage: Value,
    #[serde(default)]
    blanks: bool,
}

fn known(target: &str, targets: &'static [&'static str]) -> Result<&'static str, MapError> {
    let found = targets.iter().find(|known| **known == target);
    found.copied().ok_or_else(|| MapError::UnknownTarget { target: target.to_owned(), targets })
}

/// Returns the text of a single value.
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

fn delimiter(text: &str) -> Result<u8, MapError> {
    match text {
        "," => Ok(b','),
        ";" => Ok(b';'),
        "\t" | "tab" => Ok(b'\t'),
        "|" => Ok(b'|'),
        _ => Err(MapError::Delimiter(text.to_owned())),
    }
}

fn vintage(Modelled { vintage, .. }: Modelled) -> Result<String, MapError> {
    let day = single(vintage).filter(|text| is_date(text));
    day.map(|day| day.replace('-', "")).ok_or(MapError::NoVintage)
}

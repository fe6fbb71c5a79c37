//! Reads the sample release's source tables from CSV files.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use csv::StringRecord;
use dataset::{GeographyId, GeographyType, Position};
use flate2::read::GzDecoder;

use super::error::SourceError;

/// A source table in memory.
#[derive(Debug)]
pub struct Table {
    name: String,
    columns: StringRecord,
    rows: Vec<StringRecord>,
}

impl Table {
    /// Reads a table from a file and decompresses it if its name ends in `.gz`.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self, SourceError> {
        let read = || -> Result<_, csv::Error> {
            let file = File::open(folder.join(name))?;
            let content: Box<dyn Read> =
                if name.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
            let mut reader = csv::Reader::from_reader(content);
            let columns = reader.headers()?.clone();
            Ok(Self { name: name.to_owned(), columns, rows: reader.records().collect::<Result<_, _>>()? })
        };
        read().map_err(|source| SourceError::Unreadable { table: name.to_owned(), source })
    }

    /// Returns the rows in file order.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line { table: self, row })
    }

    /// Creates an error that names the table.
    pub(super) fn refuse(&self, reason: impl Into<String>) -> SourceError {
        SourceError::Table { table: self.name.clone(), reason: reason.into() }
    }
}

/// A row in a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    table: &'a Table,
    row: &'a StringRecord,
}

impl<'a> Line<'a> {
    /// Returns the string in a column. Fails if the table doesn't have this column.
    pub(super) fn text(&self, column: &str) -> Result<&'a str, SourceError> {
        let position = self.table.columns.iter().position(|name| name == column);
        let text = position.and_then(|position| self.row.get(position));
        text.ok_or_else(|| self.table.refuse(format!("has no column {column}")))
    }

    /// Returns the string in a column. Fails if the string is empty or blank.
    pub(super) fn filled(&self, column: &str) -> Result<&'a str, SourceError> {
        let text = self.text(column)?;
        if text.trim().is_empty() { Err(self.refuse(format!("{column} is empty"))) } else { Ok(text) }
    }

    /// Parses the string in a column. `expected` states the problem in the error message, such as "not 5
    /// digits".
    pub(super) fn parsed<T>(
        &self,
        column: &str,
        expected: impl Display,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, SourceError> {
        let text = self.text(column)?;
        parse(text).ok_or_else(|| self.refuse(format!("{column} {text:?} is {expected}")))
    }

    pub(super) fn count(&self, column: &str) -> Result<u32, SourceError> {
        let expected = format_args!("not a number from 0 to {}", u32::MAX);
        // `parse` accepts a leading plus sign, but source tables can't contain one.
        self.parsed(column, expected, |text| text.parse().ok().filter(|_| !text.starts_with('+')))
    }

    /// Returns the count in a column, or `None` if the column is empty.
    pub(super) fn optional_count(&self, column: &str) -> Result<Option<u32>, SourceError> {
        if self.text(column)?.is_empty() { Ok(None) } else { self.count(column).map(Some) }
    }

    /// Returns the percentage in a column, in thousandths of a percent.
    pub(super) fn percent(&self, column: &str) -> Result<u32, SourceError> {
        self.parsed(column, "not a percentage from 0 to 100 with at most 3 decimals", |text| {
            let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
            let digits = format!("{whole}{decimals:0<3}");
            let formed = !whole.is_empty() && (1..=3).contains(&decimals.len());
            let formed = formed && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|percent| formed && *percent <= 100_000)
        })
    }

    /// Returns the ID of the geography whose code is in a column. `geography_type` is the geography's type.
    pub(super) fn id(&self, column: &str, geography_type: GeographyType) -> Result<GeographyId, SourceError> {
        let expected = format_args!("not {} digits", geography_type.digits());
        self.parsed(column, expected, |text| GeographyId::from_national_id(geography_type, text))
    }

    /// Returns the position in the `latitude` and `longitude` columns.
    pub(super) fn position(&self) -> Result<Position, SourceError> {
        let degrees = |column: &str, most: f64| {
            let expected = format_args!("not a number from -{most} to {most}");
            self.parsed(column, expected, |text| {
                text.parse().ok().filter(|degrees: &f64| degrees.abs() <= most)
            })
        };
        Ok(Position { latitude: degrees("latitude", 90.0)?, longitude: degrees("longitude", 180.0)? })
    }

    /// Adds a value for this row to a map. If an earlier row has the same key, fails with an error that names
    /// the column.
    pub(super) fn insert<K: Ord, T>(
        &self,
        column: &str,
        rows: &mut BTreeMap<K, T>,
        key: K,
        row: T,
    ) -> Result<(), SourceError> {
        match rows.insert(key, row) {
            None => Ok(()),
            Some(_) => Err(self.refuse(format!("{column} {} occurs twice", self.text(column)?))),
        }
    }

    /// Returns the row's line number in the file.
    pub(super) fn number(&self) -> u64 {
        self.row.position().map_or(0, csv::Position::line)
    }

    /// Creates an error that names the table and the line.
    pub(super) fn refuse(&self, reason: impl Into<String>) -> SourceError {
        SourceError::Line { table: self.table.name.clone(), line: self.number(), reason: reason.into() }
    }
}

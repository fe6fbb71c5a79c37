//! The source tables, as CSV files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use csv::StringRecord;
use dataset::{GeographyId, GeographyType, Position};
use flate2::read::GzDecoder;

use super::error::{LineProblem, SourceError, TableProblem};

/// A source table in memory. Whatever is wrong with it is said with the table's name and the line.
#[derive(Debug)]
pub(super) struct Table {
    name: String,
    columns: StringRecord,
    rows: Vec<StringRecord>,
}

impl Table {
    /// Reads a table; one whose name ends in `.gz` is compressed.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self, SourceError> {
        let table = || name.to_owned();
        let no_csv = |source| SourceError::NoCsv { table: table(), source };
        let file = File::open(folder.join(name))
            .map_err(|source| SourceError::Unreadable { table: table(), source })?;
        let content: Box<dyn Read> =
            if name.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
        let mut reader = csv::Reader::from_reader(content);
        let columns = reader.headers().map_err(no_csv)?.clone();
        let rows = reader.records().collect::<Result<_, _>>().map_err(no_csv)?;
        Ok(Self { name: name.to_owned(), columns, rows })
    }

    /// Returns the rows in the order of the file.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line { table: self, row })
    }

    /// Says what is wrong with the table as a whole.
    pub(super) fn refuse(&self, problem: TableProblem) -> SourceError {
        SourceError::Table { table: self.name.clone(), problem }
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    table: &'a Table,
    row: &'a StringRecord,
}

impl<'a> Line<'a> {
    /// Returns a column.
    pub(super) fn text(&self, column: &str) -> Result<&'a str, SourceError> {
        let position = self.table.columns.iter().position(|name| name == column);
        let text = position.and_then(|position| self.row.get(position));
        text.ok_or_else(|| self.table.refuse(TableProblem::NoColumn(column.to_owned())))
    }

    /// Returns a column that may not be empty.
    pub(super) fn filled(&self, column: &str) -> Result<&'a str, SourceError> {
        let text = self.text(column)?;
        if text.is_empty() { Err(self.refuse(LineProblem::Empty(column.to_owned()))) } else { Ok(text) }
    }

    pub(super) fn count(&self, column: &str) -> Result<u32, SourceError> {
        let text = self.text(column)?;
        // `parse` alone would also take a leading plus sign.
        let digits = text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text);
        let count = digits.and_then(|digits| digits.parse().ok());
        let refuse =
            || self.refuse(LineProblem::NoCount { column: column.to_owned(), text: text.to_owned() });
        count.ok_or_else(refuse)
    }

    /// Returns a count that may be absent.
    pub(super) fn optional_count(&self, column: &str) -> Result<Option<u32>, SourceError> {
        if self.text(column)?.is_empty() { Ok(None) } else { self.count(column).map(Some) }
    }

    /// Returns a percentage in thousandths.
    pub(super) fn percent(&self, column: &str) -> Result<u32, SourceError> {
        let text = self.text(column)?;
        let thousandths = || {
            let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
            let digits = format!("{whole}{decimals:0<3}");
            let formed = !whole.is_empty() && (1..=3).contains(&decimals.len());
            let formed = formed && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|percent| formed && *percent <= 100_000)
        };
        let refuse =
            || self.refuse(LineProblem::NoPercentage { column: column.to_owned(), text: text.to_owned() });
        thousandths().ok_or_else(refuse)
    }

    /// Returns the id that a column holds the code of.
    pub(super) fn id(&self, column: &str, geography_type: GeographyType) -> Result<GeographyId, SourceError> {
        let text = self.text(column)?;
        let code = geography_type.parse_national_id(text);
        let (column, owned) = (column.to_owned(), text.to_owned());
        let refuse = || self.refuse(LineProblem::NoCode { column, text: owned, geography_type });
        code.map(|code| GeographyId::new(geography_type, code)).ok_or_else(refuse)
    }

    /// Returns the point that the row lies at.
    pub(super) fn position(&self) -> Result<Position, SourceError> {
        let degrees = |column: &str, most: f64| {
            let text = self.text(column)?;
            let degrees = text.parse().ok().filter(|degrees: &f64| degrees.abs() <= most);
            let (column, text) = (column.to_owned(), text.to_owned());
            degrees.ok_or_else(|| self.refuse(LineProblem::NoDegrees { column, text, most }))
        };
        Ok(Position { latitude: degrees("latitude", 90.0)?, longitude: degrees("longitude", 180.0)? })
    }

    /// Says what is wrong with the row.
    pub(super) fn refuse(&self, problem: LineProblem) -> SourceError {
        let line = self.row.position().map_or(0, csv::Position::line);
        SourceError::Line { table: self.table.name.clone(), line, problem }
    }
}

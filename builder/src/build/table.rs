use std::fs::File;
use std::io::Read;
use std::path::Path;

use csv::StringRecord;
use flate2::read::GzDecoder;

use dataset::{GeographyId, GeographyType, Position};

/// A source table in memory. Whatever is wrong with it is said with the table's name and the line.
#[derive(Debug)]
pub(super) struct Table {
    name: String,
    columns: StringRecord,
    rows: Vec<StringRecord>,
}

impl Table {
    /// Reads a table; one whose name ends in `.gz` is compressed.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self, String> {
        let file = File::open(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let content: Box<dyn Read> =
            if name.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
        let mut reader = csv::Reader::from_reader(content);
        let columns = reader.headers().map_err(|error| format!("{name}: {error}"))?.clone();
        let rows = reader.records().collect::<Result<_, _>>().map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { name: name.to_owned(), columns, rows })
    }

    /// Returns the rows in the order of the file.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line { table: self, row })
    }

    /// Says what is wrong with the table as a whole.
    pub(super) fn refuse(&self, reason: &str) -> String {
        format!("{}: {reason}", self.name)
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
    pub(super) fn text(&self, column: &str) -> Result<&'a str, String> {
        let position = self.table.columns.iter().position(|name| name == column);
        let text = position.and_then(|position| self.row.get(position));
        text.ok_or_else(|| self.table.refuse(&format!("has no column {column}")))
    }

    /// Returns a column that may not be empty.
    pub(super) fn filled(&self, column: &str) -> Result<&'a str, String> {
        let text = self.text(column)?;
        if text.is_empty() { Err(self.refuse(&format!("{column} is empty"))) } else { Ok(text) }
    }

    /// Returns a count.
    pub(super) fn count(&self, column: &str) -> Result<u32, String> {
        let text = self.text(column)?;
        // `parse` alone would also take a leading plus sign.
        let digits = text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text);
        let count = digits.and_then(|digits| digits.parse().ok());
        count.ok_or_else(|| self.refuse(&format!("{column} {text:?} is no number from 0 to {}", u32::MAX)))
    }

    /// Returns a count that may be absent.
    pub(super) fn optional_count(&self, column: &str) -> Result<Option<u32>, String> {
        if self.text(column)?.is_empty() { Ok(None) } else { self.count(column).map(Some) }
    }

    /// Returns a percentage in thousandths.
    pub(super) fn percent(&self, column: &str) -> Result<u32, String> {
        let text = self.text(column)?;
        let thousandths = || {
            let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
            let digits = format!("{whole}{decimals:0<3}");
            let formed = !whole.is_empty() && (1..=3).contains(&decimals.len());
            let formed = formed && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|percent| formed && *percent <= 100_000)
        };
        let refuse = || self.refuse(&format!("{column} {text:?} is no percentage from 0 to 100 of at most 3 decimals"));
        thousandths().ok_or_else(refuse)
    }

    /// Returns the id that a column holds the code of.
    pub(super) fn id(&self, column: &str, geography_type: GeographyType) -> Result<GeographyId, String> {
        let text = self.text(column)?;
        let code = geography_type.parse_national_id(text);
        let refuse = || self.refuse(&format!("{column} {text:?} is not {} digits", geography_type.digits()));
        code.map(|code| GeographyId::new(geography_type, code)).ok_or_else(refuse)
    }

    /// Returns the point that the row lies at.
    pub(super) fn position(&self) -> Result<Position, String> {
        let degrees = |column: &str, most: f64| {
            let text = self.text(column)?;
            let degrees = text.parse().ok().filter(|degrees: &f64| degrees.abs() <= most);
            degrees.ok_or_else(|| self.refuse(&format!("{column} {text:?} is no number from -{most} to {most}")))
        };
        Ok(Position { latitude: degrees("latitude", 90.0)?, longitude: degrees("longitude", 180.0)? })
    }

    /// Says what is wrong with the row.
    pub(super) fn refuse(&self, reason: &str) -> String {
        let line = self.row.position().map_or(0, csv::Position::line);
        format!("{} line {line}: {reason}", self.table.name)
    }
}

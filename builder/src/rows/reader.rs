//! Reads a file of any supported format.

use std::path::Path;

use dataset::Progress;

use super::csv::CsvRows;
use super::error::{FileError, FileFault};
use super::geojson::GeoJsonRows;
use super::input::{Input, Line, Windows1252};
use super::jsonl::{self, JsonlRows};
use super::marked::Layout;
use super::row::Row;

/// A reader for the rows of a file.
pub struct RowReader<'a> {
    input: Input<'a>,
    rows: Rows,
    file: String,
}

/// A row that has been separated from the other rows of its file.
pub(crate) enum Unparsed {
    /// A line of JSON.
    Line(Line),
    Row(Row),
}

enum Rows {
    Csv(Box<CsvRows>),
    Jsonl(JsonlRows),
    GeoJson(GeoJsonRows),
}

impl<'a> RowReader<'a> {
    /// Opens a file. The extension determines the format: `.csv`, `.tsv`, `.tab`, or `.txt` for CSV, `.jsonl`
    /// or `.ndjson` for JSON lines, and `.geojson` or `.json` for GeoJSON. If `delimiter` is `None`, the
    /// delimiter of a CSV file is detected from its header. Progress is reported in bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read, has a different extension, or is a CSV file without a valid header.
    pub fn open(path: &Path, delimiter: Option<u8>, progress: Progress<'a>) -> Result<Self, FileError> {
        let file = path.display().to_string();
        match open(path, delimiter, progress) {
            Ok((input, rows)) => Ok(Self { input, rows, file }),
            Err(fault) => Err(FileError { file, fault }),
        }
    }

    /// Returns the column names of a CSV file. Returns `None` for other formats, which don't declare columns.
    pub fn header(&self) -> Option<&[String]> {
        match &self.rows {
            Rows::Csv(rows) => Some(&rows.layout().header),
            Rows::Jsonl(_) | Rows::GeoJson(_) => None,
        }
    }

    /// Returns the format of this file, for writing its rejected rows.
    pub(crate) fn layout(&self) -> Layout {
        match &self.rows {
            Rows::Csv(rows) => Layout::Csv(rows.layout().clone()),
            Rows::Jsonl(_) => Layout::JsonLines,
            Rows::GeoJson(_) => Layout::GeoJson,
        }
    }

    /// Returns the lines that have been decoded as Windows-1252 so far, if any.
    pub fn windows_1252(&self) -> Option<Windows1252> {
        self.input.windows_1252()
    }

    /// Returns whether rows are JSON objects, which can contain nested objects and lists.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self.rows, Rows::Jsonl(_))
    }

    /// Returns whether rows can have a position in addition to their fields, as in GeoJSON.
    pub fn has_positions(&self) -> bool {
        matches!(self.rows, Rows::GeoJson(_))
    }

    /// Returns the next row, or `None` after the last one. Skips blank lines.
    ///
    /// # Errors
    ///
    /// Fails if the rest of the file can't be read or split into rows. Reading can't continue after an error.
    pub fn next_row(&mut self) -> Result<Option<Row>, FileError> {
        Ok(self.next_unparsed()?.map(Unparsed::parse))
    }

    /// Returns up to `count` rows, or none after the last one. The rows can be parsed on several threads.
    pub(crate) fn next_batch(&mut self, count: usize) -> Result<Vec<Unparsed>, FileError> {
        let mut batch = Vec::new();
        while batch.len() < count {
            let Some(row) = self.next_unparsed()? else { break };
            batch.push(row);
        }
        Ok(batch)
    }

    fn next_unparsed(&mut self) -> Result<Option<Unparsed>, FileError> {
        let row = match &mut self.rows {
            Rows::Csv(rows) => rows.next_row(&mut self.input).map(|row| row.map(Unparsed::Row)),
            Rows::Jsonl(rows) => rows.next_line(&mut self.input).map(|line| line.map(Unparsed::Line)),
            Rows::GeoJson(rows) => Ok(rows.next_row(&mut self.input).map(Unparsed::Row)),
        };
        row.map_err(|fault| FileError { file: self.file.clone(), fault })
    }
}

impl Unparsed {
    pub(crate) fn parse(self) -> Row {
        match self {
            Self::Line(line) => jsonl::row(line),
            Self::Row(row) => row,
        }
    }
}

fn open<'a>(
    path: &Path,
    delimiter: Option<u8>,
    progress: Progress<'a>,
) -> Result<(Input<'a>, Rows), FileFault> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "csv" | "tsv" | "tab" | "txt" => {
            let mut input = Input::open(path, progress)?;
            let rows = CsvRows::begin(&mut input, delimiter)?;
            Ok((input, Rows::Csv(Box::new(rows))))
        }
        "jsonl" | "ndjson" => Ok((Input::open(path, progress)?, Rows::Jsonl(JsonlRows::default()))),
        "geojson" | "json" => {
            let mut input = Input::open(path, progress)?;
            let rows = GeoJsonRows::begin(&mut input)?;
            Ok((input, Rows::GeoJson(rows)))
        }
        _ => Err(FileFault::Name),
    }
}

//! Reads files in any supported format.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroU64;
use std::path::Path;

use dataset::Progress;

use super::csv::{CsvRows, cells_of};
use super::error::{FileError, FileFault};
use super::geojson::GeoJsonRows;
use super::input::{Input, Line, Windows1252};
use super::jsonl::{self, JsonlRows};
use super::marked::Layout;
use super::marks::is_mark;
use super::row::{Row, SourceRow};
use super::unnamed::is_unnamed;
use super::workbook::WorkbookRows;

/// Format settings that a file's extension doesn't determine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// The delimiter of a CSV file. If `None`, the delimiter is a tab in `.tsv` and `.tab` files, and is
    /// detected from the header in other files.
    pub delimiter: Option<u8>,
    /// The name of the sheet to read from a workbook. If `None`, the workbook must have only one sheet with
    /// cells.
    pub sheet: Option<String>,
    /// The 1-based number of the header row in a CSV file or a workbook. If `None`, the header is the first
    /// row with values.
    pub header_row: Option<NonZeroU64>,
}

/// A reader for the rows in a file.
pub struct RowReader<'a> {
    rows: Rows<'a>,
    file: String,
    dialect: Dialect,
    /// Rows that were read ahead and will be returned next.
    ahead: VecDeque<Row>,
    /// In a file without a header, the names of all members in the rows so far. In a file with a header, only
    /// the unnamed columns that contain a value.
    members: BTreeSet<String>,
}

/// A row that may not have been parsed yet.
pub(crate) enum Unparsed {
    /// An unparsed line in a JSON lines file.
    Line(Line),
    Row(Row),
}

enum Rows<'a> {
    Csv(Input<'a>, Box<CsvRows>),
    Workbook(WorkbookRows),
    Jsonl(Input<'a>, JsonlRows),
    GeoJson(Input<'a>, GeoJsonRows),
}

impl<'a> RowReader<'a> {
    /// Opens a file. The extension determines the format: `.csv`, `.tsv`, `.tab`, or `.txt` for CSV, `.xlsx`
    /// for a workbook, `.jsonl` or `.ndjson` for JSON lines, and `.geojson` or `.json` for GeoJSON. Progress
    /// is reported in bytes or, for workbooks, in rows.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read, if its extension isn't supported, if a CSV file or sheet doesn't have
    /// a valid header, or if a workbook has several sheets and `dialect` doesn't name one.
    pub fn open(path: &Path, dialect: &Dialect, progress: Progress<'a>) -> Result<Self, FileError> {
        let file = path.display().to_string();
        match open(path, dialect, progress) {
            Ok(rows) => Ok(Self {
                rows,
                file,
                dialect: dialect.clone(),
                ahead: VecDeque::new(),
                members: BTreeSet::new(),
            }),
            Err(fault) => Err(FileError { file, fault }),
        }
    }

    /// Returns the file's path.
    pub(crate) fn name(&self) -> &str {
        &self.file
    }

    pub(crate) fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Returns the column names in the header, or `None` for formats without a header.
    pub fn header(&self) -> Option<&[String]> {
        match &self.rows {
            Rows::Csv(_, rows) => Some(&rows.layout().header),
            Rows::Workbook(rows) => Some(&rows.layout().header),
            Rows::Jsonl(..) | Rows::GeoJson(..) => None,
        }
    }

    /// Returns the names of the columns, including unnamed columns that contain a value in the rows so far.
    /// For formats without a header, returns the names of all members in the rows so far.
    pub fn columns(&self) -> Vec<String> {
        match self.header() {
            Some(header) => {
                let is_column =
                    |name: &&String| !is_mark(name) && (!is_unnamed(name) || self.members.contains(*name));
                header.iter().filter(is_column).cloned().collect()
            }
            None => self.members.iter().cloned().collect(),
        }
    }

    /// Returns the format for the file's rejected rows.
    pub(crate) fn layout(&self) -> Layout {
        match &self.rows {
            Rows::Csv(_, rows) => Layout::Csv(rows.layout().clone()),
            Rows::Workbook(rows) => Layout::Csv(rows.layout().clone()),
            Rows::Jsonl(..) => Layout::JsonLines,
            Rows::GeoJson(..) => Layout::GeoJson,
        }
    }

    /// Returns the lines that have been decoded as Windows-1252 so far, if any.
    pub fn windows_1252(&self) -> Option<Windows1252> {
        match &self.rows {
            Rows::Csv(input, _) | Rows::Jsonl(input, _) | Rows::GeoJson(input, _) => input.windows_1252(),
            Rows::Workbook(_) => None,
        }
    }

    /// Returns whether the file is a JSON lines file, whose rows can be complete records.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self.rows, Rows::Jsonl(..))
    }

    /// Returns whether rows can have a position in addition to their fields, as in GeoJSON.
    pub fn has_positions(&self) -> bool {
        matches!(self.rows, Rows::GeoJson(..))
    }

    /// Reads up to `count` rows ahead and returns the readable ones. [`Self::next_row`] returns them again.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read or split into rows.
    pub fn read_ahead(&mut self, count: usize) -> Result<impl Iterator<Item = &SourceRow>, FileError> {
        while self.ahead.len() < count {
            let Some(row) = self.read()? else { break };
            self.ahead.push_back(row);
        }
        Ok(self.ahead.iter().take(count).filter_map(|row| match row {
            Row::Read(row) => Some(row),
            Row::Unreadable(_) => None,
        }))
    }

    /// Looks for a row of column names among the first rows below the header. `score` rates a row's cells
    /// and is higher for column names. Returns the line number of the row with the highest score, or `None`
    /// unless this score is at least `least` and exceeds the header's score. Also returns `None` for formats
    /// without a header.
    pub(crate) fn likely_header(
        &mut self,
        score: impl Fn(&[String]) -> usize,
        least: usize,
    ) -> Result<Option<u64>, FileError> {
        const LOOKED_AT: usize = 20;
        let Some(header) = self.header().map(&score) else { return Ok(None) };
        self.read_ahead(LOOKED_AT)?.for_each(drop);
        let rows = self.ahead.iter().take(LOOKED_AT).map(|row| match row {
            Row::Read(row) => (row.line, &row.raw),
            Row::Unreadable(problem) => (problem.line, &problem.raw),
        });
        let scores = rows.map(|(line, raw)| (score(&cells_of(raw)), Reverse(line)));
        let best = scores.filter(|(score, _)| *score >= least.max(header + 1)).max();
        Ok(best.map(|(_, Reverse(line))| line))
    }

    /// Returns the next row, or `None` after the last one. Skips blank lines.
    ///
    /// # Errors
    ///
    /// Fails if the rest of the file can't be read or split into rows. After an error, no more rows can be
    /// read.
    pub fn next_row(&mut self) -> Result<Option<Row>, FileError> {
        match self.ahead.pop_front() {
            Some(row) => Ok(Some(row)),
            None => self.read(),
        }
    }

    /// Returns the next rows, up to `count`, or an empty list after the last row. If `has_records` is true,
    /// doesn't parse the rows of a JSON lines file, so that the caller can parse them in parallel.
    pub(crate) fn next_batch(&mut self, count: usize, has_records: bool) -> Result<Vec<Unparsed>, FileError> {
        let mut batch = Vec::new();
        while batch.len() < count {
            let row = match &mut self.rows {
                Rows::Jsonl(input, rows) if has_records && self.ahead.is_empty() => {
                    let line = rows.next_line(input);
                    let line = line.map_err(|fault| FileError { file: self.file.clone(), fault })?;
                    line.map(Unparsed::Line)
                }
                _ => self.next_row()?.map(Unparsed::Row),
            };
            let Some(row) = row else { break };
            batch.push(row);
        }
        Ok(batch)
    }

    fn read(&mut self) -> Result<Option<Row>, FileError> {
        let row = match &mut self.rows {
            Rows::Csv(input, rows) => rows.next_row(input),
            Rows::Workbook(rows) => Ok(rows.next_row()),
            Rows::Jsonl(input, rows) => rows.next_line(input).map(|line| line.map(jsonl::row)),
            Rows::GeoJson(input, rows) => Ok(rows.next_row(input)),
        };
        let row = row.map_err(|fault| FileError { file: self.file.clone(), fault })?;
        if let Some(Row::Read(row)) = &row {
            let has_header = self.header().is_some();
            let is_new = |name: &&String| (!has_header || is_unnamed(name)) && !self.members.contains(*name);
            let new: Vec<String> = row.fields.keys().filter(is_new).cloned().collect();
            self.members.extend(new);
        }
        Ok(row)
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

fn open<'a>(path: &Path, dialect: &Dialect, progress: Progress<'a>) -> Result<Rows<'a>, FileFault> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    let Dialect { delimiter, sheet, header_row } = dialect;
    if let (Some(sheet), false) = (sheet, extension == "xlsx") {
        return Err(FileFault::SheetWithoutWorkbook(sheet.clone()));
    }
    let is_json = matches!(extension.as_str(), "jsonl" | "ndjson" | "geojson" | "json");
    if let Some(row) = header_row.filter(|_| is_json) {
        return Err(FileFault::HeaderRowWithoutHeader(row));
    }
    let csv = |delimiter| {
        let mut input = Input::open(path, progress)?;
        let rows = CsvRows::begin(&mut input, delimiter, *header_row)?;
        Ok(Rows::Csv(input, Box::new(rows)))
    };
    match extension.as_str() {
        "csv" | "txt" => csv(*delimiter),
        "tsv" | "tab" => csv(delimiter.or(Some(b'\t'))),
        "xlsx" => Ok(Rows::Workbook(WorkbookRows::open(path, sheet.as_deref(), *header_row, progress)?)),
        "xls" | "xlsb" | "xlsm" | "ods" => Err(FileFault::OtherSpreadsheet),
        "jsonl" | "ndjson" => Ok(Rows::Jsonl(Input::open(path, progress)?, JsonlRows::default())),
        "geojson" | "json" => {
            let mut input = Input::open(path, progress)?;
            let rows = GeoJsonRows::begin(&mut input)?;
            Ok(Rows::GeoJson(input, rows))
        }
        _ => Err(FileFault::Name),
    }
}

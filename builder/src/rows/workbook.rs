//! Reads rows from one sheet of an `.xlsx` workbook.
//!
//! The sheet is converted to CSV in one pass, so its rows and rejected rows have the same form as in CSV
//! files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::num::NonZeroU64;
use std::path::Path;

use calamine::{Data, DataRef, Dimensions, Reader, SheetType, Xlsx, XlsxError, open_workbook};
use dataset::Progress;

use super::csv::{CsvLayout, header_of, texts_of};
use super::error::{FileFault, HeaderFault, RowFault};
use super::row::{Row, RowProblem, SourceRow};
use super::serial::{date, number};
use super::unnamed::unnamed;

type Workbook = Xlsx<BufReader<File>>;

/// A reader for the rows in a sheet.
#[derive(Debug)]
pub(super) struct WorkbookRows {
    layout: CsvLayout,
    /// All rows as CSV records, each followed by a line break.
    text: Vec<u8>,
    rows: std::vec::IntoIter<StoredRow>,
}

/// A row, as a range of bytes in the sheet's text.
#[derive(Debug)]
struct StoredRow {
    line: u64,
    start: usize,
    end: usize,
    /// The number of cells in the row, which can be less than the number of columns.
    cells: usize,
    fault: Option<Box<RowFault>>,
}

impl WorkbookRows {
    /// Reads the sheet with the given name or, by default, the only sheet with cells.
    pub(super) fn open(
        path: &Path,
        sheet: Option<&str>,
        header_row: Option<NonZeroU64>,
        progress: Progress<'_>,
    ) -> Result<Self, FileFault> {
        let mut workbook: Workbook = open_workbook(path).map_err(fault)?;
        let sheet = chosen(&mut workbook, sheet)?;
        let merged = workbook.merge_cells_by_sheet_name(&sheet).map_err(fault)?;
        let task = format!("reading {}", path.file_name().unwrap_or_default().to_string_lossy());
        let mut reading = Reading { merged: by_row(&merged), header_row, ..Reading::default() };
        let mut cells = workbook.worksheet_cells_reader(&sheet).map_err(fault)?;
        let total = u64::from(cells.dimensions().end.0) + 1;
        while let Some(record) = cells.next_cell_with_formula_metadata().map_err(fault)? {
            let is_new_row = reading.add(record.pos, &record.value, record.formula.is_some())?;
            if is_new_row && record.pos.0 % 1_000 == 0 {
                progress(&task, u64::from(record.pos.0), total.max(u64::from(record.pos.0)));
            }
        }
        progress(&task, total, total);
        reading.finish()
    }

    pub(super) fn layout(&self) -> &CsvLayout {
        &self.layout
    }

    /// Returns the next row, or `None` at the end of the sheet. Rows without values are skipped.
    pub(super) fn next_row(&mut self) -> Option<Row> {
        let StoredRow { line, start, end, cells, fault } = self.rows.next()?;
        let mut raw = self.text[start..end].to_vec();
        raw.resize(raw.len() + self.layout.header.len() - cells, b',');
        let fields = fault.map_or_else(|| texts_of(&raw, &self.layout), |fault| Err(*fault));
        Some(match fields {
            Ok(fields) => Row::Read(SourceRow { line, fields, position: None, raw }),
            Err(fault) => Row::Unreadable(RowProblem::new(line, &fault, raw)),
        })
    }
}

/// The part of a sheet that has been read so far.
#[derive(Default)]
struct Reading {
    /// For each row with merged cells, one range of merged cells in that row.
    merged: BTreeMap<u32, Dimensions>,
    header_row: Option<NonZeroU64>,
    layout: Option<CsvLayout>,
    text: Vec<u8>,
    rows: Vec<StoredRow>,
    /// The row that is being read: its index, its cells, and the reason that it's unreadable, if any.
    row: u32,
    cells: Vec<String>,
    fault: Option<Box<RowFault>>,
}

impl Reading {
    /// Adds a cell. Returns whether it starts a new row, not counting the sheet's first row.
    fn add(&mut self, at: (u32, u32), value: &DataRef<'_>, is_formula: bool) -> Result<bool, FileFault> {
        let (row, column) = at;
        let is_new_row = row != self.row;
        if row < self.row {
            let (row, last) = (row + 1, self.row + 1);
            return Err(FileFault::Workbook(format!(
                "its rows are out of order (row {row} follows row {last})"
            )));
        }
        if is_new_row {
            self.close_row()?;
            self.row = row;
        }
        let text = match value {
            DataRef::Empty if is_formula => Err(RowFault::EmptyFormula(cell_name(at))),
            value => text(value, at),
        };
        let (text, fault) = match text {
            Ok(text) => (text, None),
            Err(fault) => (shown(value), Some(fault)),
        };
        self.fault = self.fault.take().or(fault.map(Box::new));
        if !text.is_empty() {
            let column = column as usize;
            self.cells.resize(self.cells.len().max(column + 1), String::new());
            self.cells[column] = text;
        }
        Ok(is_new_row)
    }

    fn close_row(&mut self) -> Result<(), FileFault> {
        let mut cells = std::mem::take(&mut self.cells);
        let fault = self.fault.take();
        let line = u64::from(self.row) + 1;
        let is_above = self.header_row.is_some_and(|row| line < row.get());
        if is_above || fault.is_none() && cells.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        let Some(layout) = &mut self.layout else {
            let header = self.header(cells, fault);
            self.layout = Some(header.map_err(|fault| FileFault::Header { line, fault })?);
            return Ok(());
        };
        let filled = cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
        let width = layout.header.len();
        layout.header.extend((width + 1..=filled).map(unnamed));
        cells.resize(layout.header.len(), String::new());
        let merged = self.merged.get(&self.row).map(|range| RowFault::Merged(range_name(*range)));
        let fault = fault.or(merged.map(Box::new));
        let start = self.text.len();
        let mut writer = csv::Writer::from_writer(&mut self.text);
        writer.write_record(&cells).and_then(|()| Ok(writer.flush()?)).map_err(std::io::Error::from)?;
        drop(writer);
        let end = self.text.len() - 1;
        self.rows.push(StoredRow { line, start, end, cells: cells.len(), fault });
        Ok(())
    }

    fn header(&self, cells: Vec<String>, fault: Option<Box<RowFault>>) -> Result<CsvLayout, HeaderFault> {
        if let Some(fault) = fault {
            return Err((*fault).into());
        }
        // A row with a single value in merged cells is a title, not a header.
        let is_title = cells.iter().filter(|cell| !cell.trim().is_empty()).count() == 1;
        if let Some(range) = self.merged.get(&self.row).filter(|_| !is_title) {
            return Err(HeaderFault::Merged(range_name(*range)));
        }
        let header = header_of(cells.into_iter().map(String::into_bytes).collect())?;
        Ok(CsvLayout { delimiter: b',', header })
    }

    fn finish(mut self) -> Result<WorkbookRows, FileFault> {
        self.close_row()?;
        let layout =
            self.layout.ok_or(self.header_row.map_or(FileFault::Empty(EXPECTED), FileFault::NoHeaderRow))?;
        Ok(WorkbookRows { layout, text: self.text, rows: self.rows.into_iter() })
    }
}

const EXPECTED: &str = "a row with column names";

/// Returns the name of the sheet to read: `sheet` or, by default, the only sheet with cells.
fn chosen(workbook: &mut Workbook, sheet: Option<&str>) -> Result<String, FileFault> {
    let sheets = workbook.sheets_metadata().iter();
    let sheets = sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet).map(|sheet| sheet.name.clone());
    let sheets: Vec<String> = sheets.collect();
    if let Some(sheet) = sheet {
        let found = sheets.iter().find(|name| name.trim() == sheet.trim()).cloned();
        return found.ok_or_else(|| FileFault::NoSheet { sheet: sheet.to_owned(), sheets });
    }
    let mut filled = Vec::new();
    for name in sheets {
        if has_cells(workbook, &name)? {
            filled.push(name);
        }
    }
    match filled.len() {
        0 => Err(FileFault::Empty(EXPECTED)),
        1 => Ok(filled.remove(0)),
        _ => Err(FileFault::SeveralSheets(filled)),
    }
}

fn has_cells(workbook: &mut Workbook, sheet: &str) -> Result<bool, FileFault> {
    let mut cells = workbook.worksheet_cells_reader(sheet).map_err(fault)?;
    while let Some(record) = cells.next_cell_with_formula_metadata().map_err(fault)? {
        if record.formula.is_some() || !shown(&record.value).trim().is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn by_row(merged: &[Dimensions]) -> BTreeMap<u32, Dimensions> {
    merged.iter().flat_map(|range| (range.start.0..=range.end.0).map(|row| (row, *range))).collect()
}

/// Returns the text that a cell would have in a CSV file.
fn text(value: &DataRef<'_>, at: (u32, u32)) -> Result<String, RowFault> {
    match value {
        DataRef::Empty => Ok(String::new()),
        DataRef::Int(number) => Ok(number.to_string()),
        DataRef::Float(value) => Ok(number(*value)),
        DataRef::String(text) => Ok(text.clone()),
        DataRef::SharedString(text) => Ok((*text).to_owned()),
        DataRef::Bool(truth) => Ok(truth.to_string()),
        DataRef::DateTime(moment) => date(moment).ok_or_else(|| RowFault::DateCell(cell_name(at))),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            let text = text.replace('T', " ");
            Ok(text.strip_suffix(" 00:00:00").unwrap_or(&text).to_owned())
        }
        DataRef::Error(error) => Err(RowFault::ErrorCell { cell: cell_name(at), error: error.to_string() }),
    }
}

/// Returns a cell's content for a rejected row, even if the cell is unreadable.
fn shown(value: &DataRef<'_>) -> String {
    Data::from(value.clone()).to_string()
}

fn range_name(Dimensions { start, end }: Dimensions) -> String {
    format!("{}:{}", cell_name(start), cell_name(end))
}

/// Returns the name of a cell, such as `C7`.
fn cell_name((row, column): (u32, u32)) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().map(char::from).collect();
    format!("{letters}{}", row + 1)
}

fn fault(error: XlsxError) -> FileFault {
    match error {
        XlsxError::Io(error) => FileFault::Unreadable(error),
        XlsxError::Password => FileFault::Password,
        other => FileFault::Workbook(other.to_string()),
    }
}

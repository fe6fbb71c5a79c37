//! Reads rows from a CSV file.
//!
//! The `csv_core` parser is given one line at a time. An unclosed quote rejects only the line that contains
//! it. The following lines are reparsed as rows.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU64;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use serde_json::{Map, Value};

use super::error::{FileFault, HeaderFault, RowFault, Unclosed};
use super::input::{Input, Line};
use super::limits::{CELL_BYTES, ROW_BYTES};
use super::marks::{MARKS, is_mark};
use super::row::{Row, RowProblem, SourceRow};
use super::unnamed::{is_unnamed, unnamed};

/// A reader for the rows in a CSV file.
#[derive(Debug)]
pub(super) struct CsvRows {
    layout: CsvLayout,
    parser: Reader,
    /// Lines after an unclosed quote, which must be reparsed as rows.
    returned: VecDeque<Line>,
}

/// The delimiter and columns of a CSV file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CsvLayout {
    pub(super) delimiter: u8,
    /// The column names.
    pub(super) header: Vec<String>,
}

impl CsvRows {
    /// Reads the header. If `delimiter` is `None`, uses the supported delimiter that occurs most often in the
    /// header. In a file of rejected rows, ignores `header_row` and uses the first line that isn't blank as
    /// the header.
    pub(super) fn begin(
        input: &mut Input<'_>,
        delimiter: Option<u8>,
        header_row: Option<NonZeroU64>,
    ) -> Result<Self, FileFault> {
        let Some(mut first) = input.filled_line()? else {
            return Err(FileFault::Empty("a header line with column names"));
        };
        let is_marked = first.bytes.starts_with(format!("\"{}\"", MARKS[0]).as_bytes());
        if let Some(row) = header_row.filter(|_| !is_marked) {
            while first.number < row.get() {
                first = input.filled_line()?.ok_or(FileFault::NoHeaderRow(row))?;
            }
        }
        let number = first.number;
        let delimiter = delimiter.unwrap_or_else(|| recognized(&first.bytes));
        let layout = CsvLayout { delimiter, header: Vec::new() };
        let mut rows = Self { parser: layout.parser(), layout, returned: VecDeque::new() };
        let record = rows.record_from(first, usize::MAX, input)?;
        let header = record.cells.map_err(HeaderFault::from).and_then(header_of);
        rows.layout.header = header.map_err(|fault| FileFault::Header { line: number, fault })?;
        Ok(rows)
    }

    pub(super) fn layout(&self) -> &CsvLayout {
        &self.layout
    }

    /// Returns the next row, or `None` at the end of the file. Skips rows that contain only empty cells.
    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Row>, FileFault> {
        while let Some(line) = self.next_line(input)? {
            let record = self.record_from(line, self.layout.header.len(), input)?;
            if !record.is_blank() {
                return Ok(Some(self.row(record)));
            }
        }
        Ok(None)
    }

    fn next_line(&mut self, input: &mut Input<'_>) -> Result<Option<Line>, FileFault> {
        while let Some(line) = self.returned.pop_front() {
            if !line.is_blank() {
                return Ok(Some(line));
            }
        }
        input.filled_line()
    }

    /// Reads the record that starts on a line. A record with line breaks in quoted cells extends over several
    /// lines. If these lines don't form a valid record, the record consists of only the first line.
    fn record_from(
        &mut self,
        Line { number, bytes: mut raw, is_cut }: Line,
        columns: usize,
        input: &mut Input<'_>,
    ) -> Result<Record, FileFault> {
        self.parser.reset();
        let mut cells = Cells::default();
        let mut further = Vec::new();
        let mut length = raw.len();
        let mut is_open = cells.read(&raw, &mut self.parser);
        let mut fault = is_cut.then_some(RowFault::LineTooLong);
        while is_open && fault.is_none() && cells.misquoted.is_none() {
            let next = match self.returned.pop_front() {
                None => input.line()?,
                returned => returned,
            };
            let Some(next) = next else {
                fault = Some(RowFault::Unclosed(Unclosed::File));
                break;
            };
            is_open = cells.read(&next.bytes, &mut self.parser);
            length += next.bytes.len() + 1;
            fault = if next.is_cut || length > ROW_BYTES || is_open && cells.open.len() > CELL_BYTES {
                Some(RowFault::Unclosed(Unclosed::Cell))
            } else if cells.whole.len() + usize::from(is_open) > columns {
                Some(RowFault::Unclosed(Unclosed::Row(columns)))
            } else {
                None
            };
            further.push(next);
        }
        let fault = fault.or(cells.misquoted.map(RowFault::Misquoted));
        if fault.is_some() {
            further.into_iter().rev().for_each(|line| self.returned.push_front(line));
        } else {
            further.iter().for_each(|line| raw.extend([b"\n", line.bytes.as_slice()].concat()));
        }
        Ok(Record { line: number, raw, cells: fault.map_or(Ok(cells.whole), Err) })
    }

    fn row(&self, Record { line, raw, cells }: Record) -> Row {
        let header = &self.layout.header;
        match cells.and_then(|cells| texts(cells, header)) {
            Ok(texts) => Row::Read(SourceRow { line, fields: named(header, texts), position: None, raw }),
            Err(fault) => Row::Unreadable(RowProblem::new(line, &fault, raw)),
        }
    }
}

impl CsvLayout {
    fn parser(&self) -> Reader {
        ReaderBuilder::new().delimiter(self.delimiter).build()
    }

    /// Returns the part of a record after the first `cells` cells, or the entire record if it doesn't have
    /// more cells. The record can be malformed.
    pub(super) fn behind<'a>(&self, cells: usize, raw: &'a [u8]) -> &'a [u8] {
        let (mut parser, mut unused, mut rest) = (self.parser(), vec![0; raw.len()], raw);
        for _ in 0..cells {
            match parser.read_field(rest, &mut unused) {
                (ReadFieldResult::Field { record_end: false }, taken, _) => rest = &rest[taken..],
                _ => return raw,
            }
        }
        rest
    }
}

/// A record, with the number of its first line, its bytes, and either its cells or the reason that it's
/// malformed.
struct Record {
    line: u64,
    raw: Vec<u8>,
    cells: Result<Vec<Vec<u8>>, RowFault>,
}

impl Record {
    /// Returns whether all cells are empty, as in an empty row exported from a spreadsheet.
    fn is_blank(&self) -> bool {
        self.cells.as_ref().is_ok_and(|cells| cells.iter().all(|cell| cell.trim_ascii().is_empty()))
    }
}

/// The cells of a record that have been read so far.
#[derive(Default)]
struct Cells {
    whole: Vec<Vec<u8>>,
    /// The beginning of an incomplete cell: decoded (`open`) and as written in the file (`open_raw`).
    open: Vec<u8>,
    open_raw: Vec<u8>,
    /// The 1-based number of the first cell with text after the closing quote.
    misquoted: Option<usize>,
}

impl Cells {
    /// Reads a line and returns whether it ends inside a quoted cell.
    fn read(&mut self, line: &[u8], parser: &mut Reader) -> bool {
        let line = [line, b"\n"].concat();
        let (mut rest, mut cell) = (line.as_slice(), vec![0; line.len()]);
        loop {
            let (result, taken, written) = parser.read_field(rest, &mut cell);
            self.open.extend_from_slice(&cell[..written]);
            self.open_raw.extend_from_slice(&rest[..taken]);
            rest = &rest[taken..];
            let ReadFieldResult::Field { record_end } = result else {
                // The line isn't blank, so the cell is incomplete only if a quote is open.
                return true;
            };
            self.close();
            if record_end {
                return false;
            }
        }
    }

    /// Completes the open cell. Its raw text ends with the delimiter or the line break.
    fn close(&mut self) {
        let (cell, raw) = (std::mem::take(&mut self.open), std::mem::take(&mut self.open_raw));
        let raw = &raw[..raw.len() - 1];
        if raw.starts_with(b"\"") {
            let quotes = cell.iter().filter(|byte| **byte == b'"').count();
            if raw.len() != cell.len() + quotes + 2 || !raw.ends_with(b"\"") {
                self.misquoted.get_or_insert(self.whole.len() + 1);
            }
        }
        self.whole.push(cell);
    }
}

/// Returns the fields of a record that was written by this program and is therefore well formed.
pub(super) fn texts_of(raw: &[u8], layout: &CsvLayout) -> Result<Map<String, Value>, RowFault> {
    let mut cells = Cells::default();
    cells.read(raw, &mut layout.parser());
    Ok(named(&layout.header, texts(cells.whole, &layout.header)?))
}

/// Returns a row's fields. Omits marks and empty cells in unnamed columns.
fn named(header: &[String], texts: Vec<Value>) -> Map<String, Value> {
    let named = header.iter().zip(texts).filter(|(name, text)| {
        let is_blank = || text.as_str().is_some_and(|text| text.trim().is_empty());
        !(is_mark(name) || is_unnamed(name) && is_blank())
    });
    named.map(|(name, text)| (name.clone(), text)).collect()
}

/// Returns the column names. Names must be unique, but columns can be unnamed, because extra commas at the
/// end of lines are common.
pub(super) fn header_of(cells: Vec<Vec<u8>>) -> Result<Vec<String>, HeaderFault> {
    let mut columns = BTreeMap::new();
    let mut header = Vec::with_capacity(cells.len());
    for (cell, column) in cells.into_iter().zip(1..) {
        let name = String::from_utf8(cell).map_err(|_| HeaderFault::NotUtf8)?.trim().to_owned();
        let name = if name.is_empty() { unnamed(column) } else { name };
        if let Some(twin) = columns.insert(name.clone(), column) {
            return Err(HeaderFault::DuplicateColumns { one: twin, other: column, name });
        }
        header.push(name);
    }
    Ok(header)
}

/// Returns a row's cells as strings. Fails if the row doesn't have one cell per column, or if a cell is
/// invalid.
fn texts(cells: Vec<Vec<u8>>, header: &[String]) -> Result<Vec<Value>, RowFault> {
    if cells.len() != header.len() {
        return Err(RowFault::Cells { found: cells.len(), expected: header.len() });
    }
    let text = |(cell, name): (Vec<u8>, &String)| match String::from_utf8(cell) {
        Ok(text) if text.len() <= CELL_BYTES => Ok(text.into()),
        Ok(_) => Err(RowFault::FieldTooLong(name.clone())),
        Err(_) => Err(RowFault::FieldNotUtf8(name.clone())),
    };
    cells.into_iter().zip(header).map(text).collect()
}

/// Parses a row as if it were the header, and returns its cells.
pub(super) fn cells_of(raw: &[u8]) -> Vec<String> {
    let mut cells = Cells::default();
    cells.read(raw, &mut CsvLayout { delimiter: recognized(raw), header: Vec::new() }.parser());
    let text = |cell: Vec<u8>| String::from_utf8_lossy(&cell).trim().to_owned();
    cells.whole.into_iter().map(text).collect()
}

/// The delimiters that can be detected. If several occur equally often, the first one in this list takes
/// precedence.
const DELIMITERS: [u8; 4] = *b",;\t|";

/// Returns the delimiter that occurs most often in a header, not counting quoted text.
fn recognized(header: &[u8]) -> u8 {
    let mut counts = [0_usize; DELIMITERS.len()];
    let mut is_quoted = false;
    for &byte in header {
        is_quoted ^= byte == b'"';
        if let Some(at) = DELIMITERS.iter().position(|delimiter| *delimiter == byte && !is_quoted) {
            counts[at] += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or_default();
    DELIMITERS[counts.iter().position(|count| *count == most).unwrap_or_default()]
}

//! Rows of a CSV file.
//!
//! The cells are taken apart here, and not by a library, for the sake of a quote that is never closed: it
//! would take all later rows into its cell. Here it costs the one line on which it stands.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::error::{FileFault, HeaderFault, RowFault, Unclosed};
use super::input::{Input, Line};
use super::limits::{CELL_BYTES, ROW_BYTES};
use super::marks::is_mark;
use super::row::{Row, RowProblem, SourceRow};

/// Where a CSV file has been read to.
#[derive(Debug)]
pub(super) struct CsvRows {
    layout: CsvLayout,
    lines: Lines,
}

/// How a CSV file is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CsvLayout {
    pub(super) delimiter: u8,
    /// The names of the columns; empty where a column has none.
    pub(super) header: Vec<String>,
}

impl CsvRows {
    /// Reads the header. A delimiter that is not given is the one that the header has most of.
    pub(super) fn begin(input: &mut Input<'_>, delimiter: Option<u8>) -> Result<Self, FileFault> {
        let mut lines = Lines::default();
        let Some(first) = lines.next_filled(input)? else {
            return Err(FileFault::Empty("a header line with the names of the columns"));
        };
        let number = first.number;
        let delimiter = delimiter.unwrap_or_else(|| recognized(&first.bytes));
        let record = lines.record_from(first, input, delimiter, usize::MAX)?;
        let header = record.cells.map_err(HeaderFault::from).and_then(header);
        match header {
            Ok(header) => Ok(Self { layout: CsvLayout { delimiter, header }, lines }),
            Err(fault) => Err(FileFault::Header { line: number, fault }),
        }
    }

    pub(super) fn layout(&self) -> &CsvLayout {
        &self.layout
    }

    /// Returns the next row. Lines of empty cells are none.
    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Row>, FileFault> {
        let CsvLayout { delimiter, ref header } = self.layout;
        while let Some(line) = self.lines.next_filled(input)? {
            let record = self.lines.record_from(line, input, delimiter, header.len())?;
            if !record.is_blank() {
                return Ok(Some(self.row(record)));
            }
        }
        Ok(None)
    }

    fn row(&self, Record { line, raw, cells }: Record) -> Row {
        let cells = match cells.and_then(|cells| self.check(&cells).map(|()| cells)) {
            Ok(cells) => cells,
            Err(fault) => return Row::Unreadable(RowProblem::new(line, &fault, raw)),
        };
        let texts = cells.iter().map(|cell| Value::from(String::from_utf8_lossy(cell)));
        let named = self.header().iter().cloned().zip(texts);
        let fields = named.filter(|(name, _)| !name.is_empty() && !is_mark(name)).collect();
        Row::Read(SourceRow { line, fields, position: None, raw })
    }

    fn header(&self) -> &[String] {
        &self.layout.header
    }

    fn check(&self, cells: &[Vec<u8>]) -> Result<(), RowFault> {
        let header = self.header();
        if cells.len() != header.len() {
            return Err(RowFault::Cells { found: cells.len(), expected: header.len() });
        }
        for (name, cell) in header.iter().zip(cells) {
            if cell.len() > CELL_BYTES {
                return Err(RowFault::FieldTooLong(name.clone()));
            }
            if str::from_utf8(cell).is_err() {
                return Err(RowFault::FieldNotUtf8(name.clone()));
            }
        }
        Ok(())
    }
}

/// Reads the names of the columns.
fn header(cells: Vec<Vec<u8>>) -> Result<Vec<String>, HeaderFault> {
    let mut columns = BTreeMap::new();
    let mut header = Vec::with_capacity(cells.len());
    for (cell, column) in cells.into_iter().zip(1..) {
        let name = String::from_utf8(cell).map_err(|_| HeaderFault::NotUtf8)?.trim().to_owned();
        // Columns without a name are often superfluous commas.
        let twin = if name.is_empty() { None } else { columns.insert(name.clone(), column) };
        if let Some(twin) = twin {
            return Err(HeaderFault::Twins { one: twin, other: column, name });
        }
        header.push(name);
    }
    Ok(header)
}

/// The delimiters that are told from each other; of equally many, the first.
const DELIMITERS: [u8; 3] = *b",;\t";

/// Recognizes the delimiter of a header: the one that it has most of outside quotes.
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

/// A row: the line on which it begins, its text and, if they can be told apart, its cells.
struct Record {
    line: u64,
    raw: Vec<u8>,
    cells: Result<Vec<Vec<u8>>, RowFault>,
}

impl Record {
    /// Whether it is a line of a spreadsheet in which nothing was written.
    fn is_blank(&self) -> bool {
        self.cells.as_ref().is_ok_and(|cells| cells.iter().all(|cell| cell.trim_ascii().is_empty()))
    }
}

/// The lines that are still to be read.
#[derive(Debug, Default)]
struct Lines {
    /// Lines that seemed to belong to a quoted cell and turned out not to.
    returned: VecDeque<Line>,
}

impl Lines {
    fn next(&mut self, input: &mut Input<'_>) -> Result<Option<Line>, FileFault> {
        match self.returned.pop_front() {
            Some(line) => Ok(Some(line)),
            None => input.line(ROW_BYTES),
        }
    }

    /// Takes the next line that is not blank.
    fn next_filled(&mut self, input: &mut Input<'_>) -> Result<Option<Line>, FileFault> {
        loop {
            match self.next(input)? {
                Some(line) if line.is_blank() => {}
                other => return Ok(other),
            }
        }
    }

    /// Takes the record of so many columns that begins with a line: that line, or several when quoted cells
    /// have line ends in them. When these cannot be right, only the first line is taken, so that no row
    /// behind it is lost.
    fn record_from(
        &mut self,
        line: Line,
        input: &mut Input<'_>,
        delimiter: u8,
        columns: usize,
    ) -> Result<Record, FileFault> {
        let mut splitter = Splitter::new(delimiter);
        let mut further: Vec<Line> = Vec::new();
        let mut bytes = line.bytes.len();
        let mut failure = line.is_cut.then_some(RowFault::LineTooLong);
        splitter.read(&line.bytes);
        while failure.is_none() && splitter.is_open() && splitter.misquoted.is_none() {
            let Some(next) = self.next(input)? else {
                failure = Some(RowFault::Unclosed(Unclosed::File));
                break;
            };
            splitter.cell.push(b'\n');
            splitter.read(&next.bytes);
            bytes += next.bytes.len() + 1;
            if next.is_cut || bytes > ROW_BYTES || splitter.is_open() && splitter.cell.len() > CELL_BYTES {
                failure = Some(RowFault::Unclosed(Unclosed::Cell));
            } else if splitter.cells.len() >= columns {
                failure = Some(RowFault::Unclosed(Unclosed::Row(columns)));
            }
            further.push(next);
        }
        let cells = match failure {
            Some(fault) => Err(fault),
            None => splitter.finish(),
        };
        let Line { number, bytes: mut raw, .. } = line;
        if cells.is_ok() {
            for line in &further {
                raw.push(b'\n');
                raw.extend_from_slice(&line.bytes);
            }
        } else {
            for line in further.into_iter().rev() {
                self.returned.push_front(line);
            }
        }
        Ok(Record { line: number, raw, cells })
    }
}

impl CsvLayout {
    /// Returns the cells of a record; `None` when it cannot be taken apart.
    pub(super) fn cells(&self, raw: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut splitter = Splitter::new(self.delimiter);
        for (at, line) in raw.split(|byte| *byte == b'\n').enumerate() {
            if at > 0 {
                splitter.cell.push(b'\n');
            }
            splitter.read(line);
        }
        let is_open = splitter.is_open();
        splitter.finish().ok().filter(|_| !is_open)
    }

    /// Returns what follows so many cells of a record, which need not be whole.
    pub(super) fn behind<'a>(&self, cells: usize, raw: &'a [u8]) -> &'a [u8] {
        let mut splitter = Splitter::new(self.delimiter);
        let mut bytes = 0..raw.len();
        let end = bytes.find(|at| {
            splitter.read_byte(raw[*at]);
            splitter.cells.len() == cells
        });
        end.map_or(raw, |end| &raw[end + 1..])
    }
}

/// Takes lines apart into cells.
#[derive(Debug)]
struct Splitter {
    delimiter: u8,
    cells: Vec<Vec<u8>>,
    cell: Vec<u8>,
    state: State,
    /// The cell in which something follows the closing quote, counted from 1.
    misquoted: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    CellStart,
    Plain,
    Quoted,
    /// Behind a quote in a quoted cell: it closes the cell, or another one follows.
    QuoteInQuoted,
}

impl Splitter {
    fn new(delimiter: u8) -> Self {
        Self { delimiter, cells: Vec::new(), cell: Vec::new(), state: State::CellStart, misquoted: None }
    }

    fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// Reads a line to its end.
    fn read(&mut self, line: &[u8]) {
        line.iter().for_each(|byte| self.read_byte(*byte));
        if self.state == State::QuoteInQuoted {
            self.state = State::CellStart;
        }
    }

    fn read_byte(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::CellStart, b'"') => State::Quoted,
            (State::CellStart | State::Plain | State::QuoteInQuoted, byte) if byte == self.delimiter => {
                self.cells.push(std::mem::take(&mut self.cell));
                State::CellStart
            }
            (State::Quoted, b'"') => State::QuoteInQuoted,
            (State::QuoteInQuoted, other) if other != b'"' => {
                self.misquoted.get_or_insert(self.cells.len() + 1);
                self.cell.push(other);
                State::Plain
            }
            (state, other) => {
                self.cell.push(other);
                if matches!(state, State::Quoted | State::QuoteInQuoted) {
                    State::Quoted
                } else {
                    State::Plain
                }
            }
        };
    }

    fn finish(mut self) -> Result<Vec<Vec<u8>>, RowFault> {
        self.cells.push(self.cell);
        match self.misquoted {
            Some(column) => Err(RowFault::Misquoted(column)),
            None => Ok(self.cells),
        }
    }
}

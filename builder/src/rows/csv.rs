//! Rows of a CSV file.
//!
//! The cells are taken apart here, and not by a library, for the sake of a quote that is never closed: it
//! would take all later rows into its cell. Here it costs the one line on which it stands.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::error::{FileFault, HeaderFault, RowFault, Unclosed};
use super::input::{Input, Line};
use super::limits::{CELL_BYTES, ROW_BYTES};
use super::row::{Row, RowProblem, SourceRow};

/// Where a CSV file has been read to.
#[derive(Debug)]
pub(super) struct CsvRows {
    header: Vec<String>,
    lines: Lines,
}

impl CsvRows {
    /// Reads the header.
    pub(super) fn begin(input: &mut Input<'_>) -> Result<Self, FileFault> {
        let mut lines = Lines::default();
        let Some(record) = lines.record(input, usize::MAX)? else {
            return Err(FileFault::Empty("a header line with the names of the columns"));
        };
        let line = record.line.number;
        let header = record.cells.map_err(HeaderFault::from).and_then(header);
        match header {
            Ok(header) => Ok(Self { header, lines }),
            Err(fault) => Err(FileFault::Header { line, fault }),
        }
    }

    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Row>, FileFault> {
        Ok(self.lines.record(input, self.header.len())?.map(|record| self.row(record)))
    }

    fn row(&self, Record { line, cells }: Record) -> Row {
        let cells = match cells {
            Ok(cells) => cells,
            Err(fault) => return Row::Unreadable(RowProblem::of_bytes(line.number, &fault, &line.bytes)),
        };
        let texts = cells.iter().map(|cell| Value::from(String::from_utf8_lossy(cell)));
        if let Err(fault) = self.check(&cells) {
            let original = Value::from_iter(texts).to_string();
            return Row::Unreadable(RowProblem { line: line.number, reason: fault.to_string(), original });
        }
        let named = self.header.iter().cloned().zip(texts).filter(|(name, _)| !name.is_empty());
        Row::Read(SourceRow { line: line.number, fields: named.collect(), position: None })
    }

    fn check(&self, cells: &[Vec<u8>]) -> Result<(), RowFault> {
        if cells.len() != self.header.len() {
            return Err(RowFault::Cells { found: cells.len(), expected: self.header.len() });
        }
        for (name, cell) in self.header.iter().zip(cells) {
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

/// A row: the line on which it begins and, if they can be told apart, its cells.
struct Record {
    line: Line,
    cells: Result<Vec<Vec<u8>>, RowFault>,
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

    /// Takes the next record of so many columns: one line, or several when quoted cells have line ends in
    /// them. When these cannot be right, only the first line is taken, so that no row behind it is lost.
    fn record(&mut self, input: &mut Input<'_>, columns: usize) -> Result<Option<Record>, FileFault> {
        let line = loop {
            match self.next(input)? {
                Some(line) if line.is_blank() => {}
                Some(line) => break line,
                None => return Ok(None),
            }
        };
        let mut splitter = Splitter::default();
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
        if cells.is_err() {
            for line in further.into_iter().rev() {
                self.returned.push_front(line);
            }
        }
        Ok(Some(Record { line, cells }))
    }
}

/// Takes lines apart into cells.
#[derive(Debug, Default)]
struct Splitter {
    cells: Vec<Vec<u8>>,
    cell: Vec<u8>,
    state: State,
    /// The cell in which something follows the closing quote, counted from 1.
    misquoted: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    CellStart,
    Plain,
    Quoted,
    /// Behind a quote in a quoted cell: it closes the cell, or another one follows.
    QuoteInQuoted,
}

impl Splitter {
    fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    fn read(&mut self, line: &[u8]) {
        for &byte in line {
            self.state = match (self.state, byte) {
                (State::CellStart, b'"') => State::Quoted,
                (State::CellStart | State::Plain | State::QuoteInQuoted, b',') => {
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
        if self.state == State::QuoteInQuoted {
            self.state = State::CellStart;
        }
    }

    fn finish(mut self) -> Result<Vec<Vec<u8>>, RowFault> {
        self.cells.push(self.cell);
        match self.misquoted {
            Some(column) => Err(RowFault::Misquoted(column)),
            None => Ok(self.cells),
        }
    }
}

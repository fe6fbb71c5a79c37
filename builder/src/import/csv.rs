//! Rows of a CSV file.
//!
//! The cells are taken apart here, and not by a library, for the sake of a quote that is never closed: it would take
//! all later rows into its cell. Here it costs the one line on which it stands.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::input::{Input, Line};
use super::{CELL_BYTES, ROW_BYTES, RowProblem, SourceRow, quoted};

/// Where a CSV file has been read to.
#[derive(Debug)]
pub(super) struct CsvRows {
    header: Vec<String>,
    lines: Lines,
}

impl CsvRows {
    /// Reads the header.
    pub(super) fn begin(input: &mut Input<'_>) -> Result<Self, String> {
        let mut lines = Lines::default();
        let Some(record) = lines.record(input, usize::MAX)? else {
            return Err("is empty: a header line with the names of the columns was expected".to_owned());
        };
        let in_header = |reason: String| format!("line {}: the header cannot be read: {reason}", record.line.number);
        let cells = record.cells.map_err(in_header)?;
        let mut columns = BTreeMap::new();
        let mut header = Vec::with_capacity(cells.len());
        for (cell, column) in cells.into_iter().zip(1..) {
            let name = String::from_utf8(cell).map_err(|_| in_header("it is not UTF-8".to_owned()))?.trim().to_owned();
            // Columns without a name are often superfluous commas.
            let twin = if name.is_empty() { None } else { columns.insert(name.clone(), column) };
            if let Some(twin) = twin {
                return Err(in_header(format!("columns {twin} and {column} are both named {}", quoted(&name))));
            }
            header.push(name);
        }
        Ok(Self { header, lines })
    }

    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Result<SourceRow, RowProblem>>, String> {
        Ok(self.lines.record(input, self.header.len())?.map(|record| self.row(record)))
    }

    fn row(&self, Record { line, cells }: Record) -> Result<SourceRow, RowProblem> {
        let cells = cells.map_err(|reason| RowProblem::of_bytes(line.number, reason, &line.bytes))?;
        let reason = if cells.len() == self.header.len() {
            self.problem_of(&cells)
        } else {
            Some(format!("the row has {} cells, the header has {}", cells.len(), self.header.len()))
        };
        let texts = cells.iter().map(|cell| Value::from(String::from_utf8_lossy(cell)));
        if let Some(reason) = reason {
            let original = Value::from_iter(texts).to_string();
            return Err(RowProblem { line: line.number, reason, original });
        }
        let named = self.header.iter().cloned().zip(texts).filter(|(name, _)| !name.is_empty());
        Ok(SourceRow { line: line.number, fields: named.collect(), position: None })
    }

    fn problem_of(&self, cells: &[Vec<u8>]) -> Option<String> {
        let of_cell = |(name, cell): (&String, &Vec<u8>)| {
            if cell.len() > CELL_BYTES {
                return Some(format!("{} is longer than {CELL_BYTES} bytes", quoted(name)));
            }
            str::from_utf8(cell).is_err().then(|| format!("{} is not UTF-8", quoted(name)))
        };
        self.header.iter().zip(cells).find_map(of_cell)
    }
}

/// A row: the line on which it begins and, if they can be told apart, its cells.
struct Record {
    line: Line,
    cells: Result<Vec<Vec<u8>>, String>,
}

/// The lines that are still to be read.
#[derive(Debug, Default)]
struct Lines {
    /// Lines that seemed to belong to a quoted cell and turned out not to.
    returned: VecDeque<Line>,
}

impl Lines {
    fn next(&mut self, input: &mut Input<'_>) -> Result<Option<Line>, String> {
        match self.returned.pop_front() {
            Some(line) => Ok(Some(line)),
            None => input.line(ROW_BYTES),
        }
    }

    /// Takes the next record of so many columns: one line, or several when quoted cells have line ends in them. When
    /// these cannot be right, only the first line is taken, so that no row behind it is lost.
    fn record(&mut self, input: &mut Input<'_>, columns: usize) -> Result<Option<Record>, String> {
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
        let mut failure = line.is_cut.then(|| format!("the line is longer than {ROW_BYTES} bytes"));
        splitter.read(&line.bytes);
        while failure.is_none() && splitter.is_open() && splitter.misquoted.is_none() {
            let Some(next) = self.next(input)? else {
                failure = Some(unclosed("the file ends"));
                break;
            };
            splitter.cell.push(b'\n');
            splitter.read(&next.bytes);
            bytes += next.bytes.len() + 1;
            if next.is_cut || bytes > ROW_BYTES || splitter.is_open() && splitter.cell.len() > CELL_BYTES {
                failure = Some(unclosed(&format!("the cell grows longer than {CELL_BYTES} bytes")));
            } else if splitter.cells.len() >= columns {
                failure = Some(unclosed(&format!("the row has more than {columns} cells")));
            }
            further.push(next);
        }
        let cells = match failure {
            Some(reason) => Err(reason),
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

fn unclosed(end: &str) -> String {
    format!("a quote that is opened on this line is not closed before {end}; write a quote inside a cell twice")
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
                    if matches!(state, State::Quoted | State::QuoteInQuoted) { State::Quoted } else { State::Plain }
                }
            };
        }
        if self.state == State::QuoteInQuoted {
            self.state = State::CellStart;
        }
    }

    fn finish(mut self) -> Result<Vec<Vec<u8>>, String> {
        self.cells.push(self.cell);
        match self.misquoted {
            Some(column) => Err(format!(
                "in column {column} something follows the closing quote; write a quote inside a cell twice"
            )),
            None => Ok(self.cells),
        }
    }
}

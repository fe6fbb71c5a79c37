//! Why the sample cannot be built.

use std::io;
use std::path::PathBuf;

use dataset::places::PlacesWriteError;
use dataset::{GeographyId, GeographyType, ReleaseError, WriteError};
use thiserror::Error;

use crate::import::{ImportError, MapError};
use crate::model::ModelError;
use crate::packing::PackError;

/// Why the sample cannot be built: what is wrong with which row of the source data, or with the folder.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{}: {source}", table.display())]
    PlacesTable { table: PathBuf, source: csv::Error },
    #[error("{}: line {line}: {source}", table.display())]
    Place { table: PathBuf, line: u64, source: PlaceRowError },
    #[error(transparent)]
    Map(#[from] MapError),
    /// A row of an inventory table that would not be accepted.
    #[error("{table}: line {line}: {reason}")]
    Spot { table: &'static str, line: u64, reason: String },
    #[error(transparent)]
    Inventory(#[from] ImportError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Places(#[from] PlacesWriteError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    File(#[from] WriteError),
    #[error(transparent)]
    Unsummed(io::Error),
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// What is wrong with a source table: which line of it, or the table as a whole.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error("{table}: {source}")]
    Unreadable { table: String, source: io::Error },
    #[error("{table}: {source}")]
    NoCsv { table: String, source: csv::Error },
    #[error("{table}: {problem}")]
    Table { table: String, problem: TableProblem },
    #[error("{table} line {line}: {problem}")]
    Line { table: String, line: u64, problem: LineProblem },
}

/// What is wrong with a source table as a whole.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum TableProblem {
    #[error("has no column {0}")]
    NoColumn(String),
    #[error("{column} sums to {sum}; at most {} can be held", u32::MAX)]
    TooMany { column: &'static str, sum: u64 },
    #[error("has no row of county {0}")]
    NoRow(String),
    #[error("has no county {0}")]
    NoCounty(GeographyId),
}

/// What is wrong with a line of a source table.
#[derive(Debug, PartialEq, Error)]
pub enum LineProblem {
    #[error("{0} is empty")]
    Empty(String),
    #[error("{column} {text:?} is no number from 0 to {}", u32::MAX)]
    NoCount { column: String, text: String },
    #[error("{column} {text:?} is no percentage from 0 to 100 of at most 3 decimals")]
    NoPercentage { column: String, text: String },
    #[error("{column} {text:?} is not {} digits", geography_type.digits())]
    NoCode { column: String, text: String, geography_type: GeographyType },
    #[error("{column} {text:?} is no number from -{most} to {most}")]
    NoDegrees { column: String, text: String, most: f64 },
    #[error("kind {0:?} is neither metropolitan nor micropolitan")]
    NoKind(String),
    #[error("state {0:?} is not in states.csv")]
    NoState(String),
    #[error("{column} {text} is not in {table}")]
    Unknown { column: String, text: String, table: &'static str },
    #[error("{column} {text} occurs twice")]
    Twice { column: String, text: String },
    #[error("total is 0, so that there are no shares")]
    NoTotal,
    #[error("the ages of both sexes sum to {sum}; total is {total}")]
    Ages { sum: u64, total: u32 },
    #[error("{column} {count} is more than the total, {total}")]
    Group { column: &'static str, count: u32, total: u32 },
    #[error("the brackets of income sum to {0} percent, not to 99 to 101")]
    Incomes(f64),
}

/// What is wrong with a row of the table of places.
#[derive(Debug, Error)]
pub enum PlaceRowError {
    /// A cell is none of its column: the column, and why.
    #[error("{column}: {reason}")]
    Cell { column: String, reason: String },
    #[error(transparent)]
    Row(csv::Error),
    #[error("{0}: is empty")]
    Empty(&'static str),
    #[error("state {0:?}: expected two capital letters")]
    State(String),
    #[error("zip_code {0:?}: expected five digits")]
    ZipCode(String),
    #[error("{column} {degrees}: expected -{bound} to {bound}")]
    Degrees { column: &'static str, degrees: f64, bound: f64 },
    #[error("place_name, street_address and zip_code are those of line {0}")]
    SameAs(u64),
}

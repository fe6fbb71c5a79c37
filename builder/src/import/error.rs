//! Why a file as a whole is not imported.

use std::fmt;
use std::path::PathBuf;

use dataset::measures::MeasuresWriteError;
use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use super::rejects::{MaxRejects, RejectsError};
use crate::packing::PackError;
use crate::rows::{FileError, quoted};

/// Why a file as a whole is not imported.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error("{}: {source}", file.display())]
    MapOfFile { file: PathBuf, source: MapError },
    #[error("modelled is for the import of inventory: nothing of a place is made up")]
    ModelledPlaces,
    #[error("{}: no row was accepted, so no release was written", shown(.0))]
    NothingAccepted(Vec<PathBuf>),
    #[error(
        "{rejected} of {rows} rows were rejected, more than {most} as --max-rejects allows, so no release \
         was written"
    )]
    TooManyRejects { rejected: u64, rows: u64, most: MaxRejects },
    #[error(transparent)]
    Rejects(#[from] RejectsError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error("a record is gone while it is copied")]
    RecordGone,
    #[error(transparent)]
    Places(#[from] PlacesWriteError),
    #[error(transparent)]
    Measures(#[from] MeasuresWriteError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// What is wrong with a column map, or with a file that it does not fit.
#[derive(Debug, Error)]
pub enum MapError {
    #[error("{}: {source}", file.display())]
    InFile { file: PathBuf, source: Box<Self> },
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("{}", .0.to_string().trim_end())]
    Form(#[from] toml::de::Error),
    #[error("columns.{0} must be the name of a column, in quotes")]
    NoColumnName(String),
    #[error("constants.{0} must be a single value")]
    NoConstant(String),
    #[error("{0} is both in columns and in constants; leave one of them out")]
    ColumnAndConstant(String),
    #[error("values.{0} changes the texts of a column, but columns.{0} is not there")]
    ValuesOfNoColumn(String),
    #[error("there is no target {}; there are {}", quoted(target), targets.join(", "))]
    UnknownTarget { target: String, targets: &'static [&'static str] },
    #[error("values.{target}.{} must be a single value", quoted(text))]
    NoValue { target: String, text: String },
    #[error("values.{target}.{} is there twice: case, accents and space make no difference", quoted(text))]
    SameValues { target: String, text: String },
    #[error("format.delimiter {} is none of \",\", \";\", \"tab\" and \"|\"", quoted(.0))]
    Delimiter(String),
    #[error("format: a comma cannot be both the delimiter and the decimal comma")]
    CommaTwice,
    #[error("modelled.vintage must be a date YYYY-MM-DD")]
    NoVintage,
    #[error("the column map must say where {0} comes from")]
    Unmapped(String),
    #[error("there is no column {targets}; a column map can name one")]
    NoColumnOf { targets: String },
    #[error(
        "there is no column {} for {target}; the columns are {}{}",
        quoted(column),
        quoted_all(columns),
        if *is_explicit { "" } else { "; a column map can name one" }
    )]
    NoColumn { column: String, target: &'static str, columns: Vec<String>, is_explicit: bool },
}

/// Everything that is wrong with a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Error)]
pub(crate) struct Reasons(Vec<String>);

impl Reasons {
    pub(crate) fn add(&mut self, reason: impl Into<String>) {
        self.0.push(reason.into());
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

fn shown(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<String>>().join(", ")
}

fn quoted_all(columns: &[String]) -> String {
    let named = columns.iter().filter(|name| !name.is_empty());
    named.map(|name| quoted(name)).collect::<Vec<String>>().join(", ")
}

//! Why the sample cannot be built.

use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::import::{ImportError, MapError};
use crate::model::ModelError;
use crate::packing::PackError;

/// Why the sample cannot be built: what is wrong with which row of the source data, or with the folder.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error(transparent)]
    Source(#[from] SourceError),
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
    Pack(#[from] PackError),
}

/// What is wrong with a source table: which line of it, or the table as a whole.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error("{table}: {source}")]
    Unreadable { table: String, source: csv::Error },
    #[error("{table}: {reason}")]
    Table { table: String, reason: String },
    #[error("{table} line {line}: {reason}")]
    Line { table: String, line: u64, reason: String },
}

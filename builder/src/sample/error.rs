//! Errors while building the sample.

use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::import::{ImportError, MapError};
use crate::model::ModelError;
use crate::packing::PackError;

/// The reasons why the sample can't be built, such as an invalid row in the source data.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Map(#[from] MapError),
    /// An import would reject a row of an inventory table.
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

/// The reasons why a source table is invalid. Errors in a row contain the line number.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error("{table}: {source}")]
    Unreadable { table: String, source: csv::Error },
    #[error("{table}: {reason}")]
    Table { table: String, reason: String },
    #[error("{table} line {line}: {reason}")]
    Line { table: String, line: u64, reason: String },
}

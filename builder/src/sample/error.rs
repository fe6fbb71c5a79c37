//! Errors that occur when building the sample release.

use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::build::ImportError;
use crate::columns::MapError;
use crate::model::ModelError;
use crate::packing::PackError;

/// The reason why the sample release can't be built, such as an invalid row in the source data.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Map(#[from] MapError),
    /// An inventory table contains a row that an import would reject.
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

/// The reason why a source table is invalid.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error("{table}: {source}")]
    Unreadable { table: String, source: csv::Error },
    #[error("{table}: {reason}")]
    Table { table: String, reason: String },
    #[error("{table} line {line}: {reason}")]
    Line { table: String, line: u64, reason: String },
}

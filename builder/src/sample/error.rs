//! Errors that occur when building the sample release.

use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::model::ModelError;

/// The error for a sample release that can't be built, for example because of an invalid row in the source
/// data.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Places(#[from] PlacesWriteError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    File(#[from] WriteError),
}

/// The error for a source table that can't be read or is invalid.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error("{table}: {source}")]
    Unreadable { table: String, source: csv::Error },
    #[error("{table}: {reason}")]
    Table { table: String, reason: String },
    #[error("{table} line {line}: {reason}")]
    Line { table: String, line: u64, reason: String },
}

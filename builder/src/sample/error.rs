//! Errors when the sample is built.

use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::import::{ImportError, MapError};
use crate::model::ModelError;
use crate::packing::PackError;

/// Why the sample can't be built: an invalid row of the source data, or an unusable folder.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Map(#[from] MapError),
    /// A row of an inventory table would be rejected by an import.
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

/// Why a source table is invalid, with the line unless the whole table is invalid.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error("{table}: {source}")]
    Unreadable { table: String, source: csv::Error },
    #[error("{table}: {reason}")]
    Table { table: String, reason: String },
    #[error("{table} line {line}: {reason}")]
    Line { table: String, line: u64, reason: String },
}

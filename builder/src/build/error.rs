//! Why a file as a whole is not imported.

use std::path::PathBuf;

use dataset::measures::MeasuresWriteError;
use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use super::rejects::{MaxRejects, RejectsError};
use crate::columns::MapError;
use crate::packing::PackError;
use crate::rows::FileError;

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

fn shown(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<String>>().join(", ")
}

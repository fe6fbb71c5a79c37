//! Errors that occur when generating a synthetic inventory.

use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::packing::PackError;

/// The error for a synthetic inventory that can't be generated.
#[derive(Debug, Error)]
pub enum SynthesizeError {
    #[error("spots: must be from 1 to {most}, got {spots}")]
    Spots { spots: usize, most: usize },
    #[error("the release has no ZIP code with residents, so spots cannot be placed")]
    NoResidents,
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    File(#[from] WriteError),
    #[error(transparent)]
    Pack(#[from] PackError),
}

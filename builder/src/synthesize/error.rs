//! Why no inventory is made up.

use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use crate::packing::PackError;

/// Why no inventory is made up.
#[derive(Debug, Error)]
pub enum SynthesizeError {
    #[error("spots: {spots} is not from 1 to {most}")]
    Spots { spots: usize, most: usize },
    #[error("the release has no ZIP code in which somebody lives, so that no spot can lie anywhere")]
    NobodyAnywhere,
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    File(#[from] WriteError),
    #[error(transparent)]
    Pack(#[from] PackError),
}

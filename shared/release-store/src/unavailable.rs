//! Why a release cannot be opened.

use std::path::PathBuf;

use dataset::ReleaseError;
use thiserror::Error;

use crate::bucket::BucketError;
use crate::config::NoLocation;
use crate::location::ReleaseLocation;
use crate::packed::PackedError;
use crate::room::Shortage;

/// Why a release cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReleaseUnavailable {
    /// Nobody knows where it is.
    #[error(transparent)]
    NoLocation(#[from] NoLocation),
    /// It cannot be fetched.
    #[error("the release cannot be fetched: {0}")]
    Bucket(#[from] BucketError),
    /// It cannot be kept in a folder of ours.
    #[error("the release cannot be kept at {}: {why}", path.display())]
    Cache {
        /// The file or folder that is in the way.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The function has no room for it.
    #[error(transparent)]
    TooLarge(#[from] Shortage),
    /// It is not what its manifest describes.
    #[error("the release at {location} cannot be used: {error}")]
    Unusable {
        /// Where it is.
        location: ReleaseLocation,
        /// What is wrong with it.
        error: ReleaseError,
    },
    /// What it is packed in is not what was published.
    #[error("the release at {location} cannot be used: {error}")]
    Packed {
        /// Where it is.
        location: ReleaseLocation,
        /// What is wrong with it.
        error: PackedError,
    },
}

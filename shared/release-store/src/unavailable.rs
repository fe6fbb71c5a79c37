//! The errors for releases that can't be opened.

use std::path::PathBuf;

use dataset::ReleaseError;
use thiserror::Error;

use crate::bucket::BucketError;
use crate::config::NoLocation;
use crate::location::ReleaseLocation;
use crate::packed::PackedError;
use crate::room::Shortage;

/// The reason that a release can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReleaseUnavailable {
    /// The release's location is unknown.
    #[error(transparent)]
    NoLocation(#[from] NoLocation),
    /// The release can't be fetched.
    #[error("the release cannot be fetched: {0}")]
    Bucket(#[from] BucketError),
    /// The release can't be written to the cache.
    #[error("the release cannot be cached at {}: {why}", path.display())]
    Cache {
        /// The file or folder that can't be written.
        path: PathBuf,
        /// The operating system's message.
        why: String,
    },
    /// The release doesn't fit in the Lambda function's memory or on its disk.
    #[error(transparent)]
    TooLarge(#[from] Shortage),
    /// The manifest is invalid, or a file can't be read or doesn't match the manifest.
    #[error("the release at {location} cannot be used: {error}")]
    Unusable {
        /// The release's location.
        location: ReleaseLocation,
        /// The faulty file and the reason.
        error: ReleaseError,
    },
    /// The packed release's description is invalid, or an object doesn't match it.
    #[error("the release at {location} cannot be used: {error}")]
    Packed {
        /// The release's location.
        location: ReleaseLocation,
        /// The faulty file and the reason.
        error: PackedError,
    },
}

//! Errors that occur when opening a release.

use std::path::PathBuf;

use dataset::ReleaseError;
use thiserror::Error;

use crate::bucket::BucketError;
use crate::config::NoLocation;
use crate::location::ReleaseLocation;
use crate::packed::PackedError;
use crate::room::Shortage;

/// Why a release can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReleaseUnavailable {
    /// The location of the release is unknown.
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
        /// The message of the operating system.
        why: String,
    },
    /// The release doesn't fit into the memory or on the disk of the Lambda function.
    #[error(transparent)]
    TooLarge(#[from] Shortage),
    /// A file of the release can't be read or doesn't match the manifest, or the manifest is invalid.
    #[error("the release at {location} cannot be used: {error}")]
    Unusable {
        /// The location of the release.
        location: ReleaseLocation,
        /// The faulty file and the reason.
        error: ReleaseError,
    },
    /// The packed release doesn't match its description, or the description is invalid.
    #[error("the release at {location} cannot be used: {error}")]
    Packed {
        /// The location of the release.
        location: ReleaseLocation,
        /// The faulty file and the reason.
        error: PackedError,
    },
}

//! Errors of opening a release.

use std::path::PathBuf;

use dataset::ReleaseError;
use thiserror::Error;

use crate::bucket::BucketError;
use crate::config::NoLocation;
use crate::location::ReleaseLocation;
use crate::packed::PackedError;
use crate::room::Shortage;

/// The reason why a release can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReleaseUnavailable {
    /// The release's location is unknown.
    #[error(transparent)]
    NoLocation(#[from] NoLocation),
    /// The release can't be fetched.
    #[error("the release cannot be fetched: {0}")]
    Bucket(#[from] BucketError),
    /// The release can't be cached in a folder.
    #[error("the release cannot be cached at {}: {why}", path.display())]
    Cache {
        /// The affected file or folder.
        path: PathBuf,
        /// The operating system's message.
        why: String,
    },
    /// The release is too large for the function.
    #[error(transparent)]
    TooLarge(#[from] Shortage),
    /// The release doesn't match its manifest.
    #[error("the release at {location} cannot be used: {error}")]
    Unusable {
        /// The release's location.
        location: ReleaseLocation,
        /// The problem.
        error: ReleaseError,
    },
    /// The packed release differs from the published one.
    #[error("the release at {location} cannot be used: {error}")]
    Packed {
        /// The release's location.
        location: ReleaseLocation,
        /// The problem.
        error: PackedError,
    },
}

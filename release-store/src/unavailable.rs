use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use dataset::ReleaseError;

use crate::bucket::BucketError;
use crate::{ReleaseLocation, Shortage};

/// Why a release cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseUnavailable {
    /// None is configured.
    Unset,
    /// What is configured is no location: why.
    Unreadable(String),
    /// It cannot be fetched.
    Bucket(BucketError),
    /// It cannot be kept in a folder of ours: why.
    Cache(PathBuf, String),
    /// The function has no room for it.
    TooLarge(Shortage),
    /// It is not what its manifest describes.
    Unusable(ReleaseLocation, ReleaseError),
}

impl fmt::Display for ReleaseUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unset => f.write_str("RELEASE is not set; set it to a release's folder, or to `s3://bucket/name`"),
            Self::Unreadable(why) => f.write_str(why),
            Self::Bucket(error) => write!(f, "the release cannot be fetched: {error}"),
            Self::Cache(path, why) => write!(f, "the release cannot be kept at {}: {why}", path.display()),
            Self::TooLarge(shortage) => write!(f, "{shortage}"),
            Self::Unusable(location, error) => write!(f, "the release at {location} cannot be used: {error}"),
        }
    }
}

impl Error for ReleaseUnavailable {}

impl From<BucketError> for ReleaseUnavailable {
    fn from(error: BucketError) -> Self {
        Self::Bucket(error)
    }
}

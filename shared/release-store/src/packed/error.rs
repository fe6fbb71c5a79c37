//! The errors for packed releases that can't be read.

use thiserror::Error;

/// The error returned when a packed release can't be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{object}: {fault}")]
pub struct PackedError {
    /// The faulty object's name within the release.
    pub object: String,
    pub fault: PackedFault,
}

/// The reason that a packed release's object can't be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedFault {
    /// The description isn't valid JSON or lacks members. The string contains the position and the reason.
    #[error("is not a valid description of a packed release: {0}")]
    InvalidDescription(String),
    #[error("has format {found}, but this program reads format {expected}; publish the release again")]
    Format { found: u32, expected: u32 },
    /// The description contradicts itself or the manifest, or exceeds a limit. The string explains how.
    #[error("{0}")]
    Contradictory(String),
    /// A frame's SHA-256 digest differs from the one in the description.
    #[error("frame {frame} does not match packed.json: its SHA-256 differs")]
    Digest { frame: usize },
    /// A frame has the correct digest, but doesn't unpack to the expected length.
    #[error("frame {frame} does not unpack to {expected} bytes, the length in packed.json: {why}")]
    Unpacking { frame: usize, expected: u64, why: String },
}

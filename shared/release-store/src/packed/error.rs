//! Errors of packed releases.

use thiserror::Error;

/// A packed release that can't be used: the affected object and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{object}: {fault}")]
pub struct PackedError {
    /// The object's name within the release.
    pub object: String,
    pub fault: PackedFault,
}

/// A problem with an object of a packed release.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedFault {
    /// The description isn't valid JSON of the right form. Contains the location and the reason.
    #[error("is not a valid description of a packed release: {0}")]
    NotADescription(String),
    #[error("has format {found}, but this program reads format {expected}; publish the release again")]
    Format { found: u32, expected: u32 },
    /// The description contradicts itself or the manifest, or exceeds a limit. Contains the location and the
    /// reason.
    #[error("{0}")]
    Contradictory(String),
    /// A frame still doesn't match the published one after all fetch attempts.
    #[error("frame {frame} does not match packed.json: its SHA-256 differs")]
    Digest { frame: usize },
    /// A frame has the published digest but can't be unpacked. Contains zstd's message.
    #[error("frame {frame} does not unpack to the {expected} bytes in packed.json: {why}")]
    Unpacking { frame: usize, expected: u64, why: String },
}

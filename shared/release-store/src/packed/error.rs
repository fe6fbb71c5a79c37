//! What is wrong with a packed release.

use thiserror::Error;

/// A packed release that cannot be used: which object of it, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{object}: {fault}")]
pub struct PackedError {
    /// The object's name, below that of the release.
    pub object: String,
    pub fault: PackedFault,
}

/// What is wrong with an object of a packed release.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedFault {
    /// The description is no JSON of the right form: where and why.
    #[error("is no description of a packed release: {0}")]
    NotADescription(String),
    #[error("is of format {found}; this program reads format {expected}: publish the release again")]
    Format { found: u32, expected: u32 },
    /// It contradicts itself or the manifest, or passes a bound: where and how.
    #[error("{0}")]
    Contradictory(String),
    /// A frame is not what was published, however often it was fetched.
    #[error("frame {frame} is not what packed.json describes: its SHA-256 differs")]
    Digest { frame: usize },
    /// A frame is as it was published, and yet wrong: what zstd says.
    #[error("frame {frame} does not unpack to the {expected} bytes that packed.json says: {why}")]
    Unpacking { frame: usize, expected: u64, why: String },
}

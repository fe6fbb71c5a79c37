//! What is wrong with a packed release.

use thiserror::Error;

use super::bounds::{MAX_PACKED_BYTES, MAX_UNPACKED_BYTES};

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
    #[error("is of format {found}; this program reads format {expected}: publish the release anew")]
    Format { found: u32, expected: u32 },
    #[error("does not describe {0}, which the manifest has")]
    Absent(&'static str),
    #[error("says that {part} is packed in {object:?}; it is `{part}.`, 12 hexadecimal digits and `.zst`")]
    ObjectName { part: &'static str, object: String },
    #[error(
        "says that frame {frame} of {part} has {packed} bytes, which unpack to {unpacked}; a frame has between 1 \
         and {MAX_PACKED_BYTES}, which unpack to between 1 and {MAX_UNPACKED_BYTES}"
    )]
    FrameLength {
        part: &'static str,
        /// The frame's place among the part's, from 0 on.
        frame: usize,
        packed: u64,
        unpacked: u64,
    },
    #[error("describes frames of {part} with {frames} bytes in an object with {object}")]
    ObjectLength { part: &'static str, frames: u64, object: u64 },
    #[error("describes frames of {part} that unpack to {frames} bytes; the manifest says {manifest}")]
    PartLength { part: &'static str, frames: u64, manifest: u64 },
    /// A frame is not what was published, however often it was fetched.
    #[error("frame {frame} is not what packed.json describes: its SHA-256 differs")]
    Digest { frame: usize },
    /// A frame is as it was published, and yet wrong: what zstd says.
    #[error("frame {frame} does not unpack to the {expected} bytes that packed.json says: {why}")]
    Unpacking { frame: usize, expected: u64, why: String },
}

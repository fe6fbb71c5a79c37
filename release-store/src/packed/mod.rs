//! The form in which the parts of a release travel: frames of zstd, each with its own digest.
//!
//! A part's frames lie one behind the other in an object of the bucket, which is named by its own digest, and
//! `packed.json` beside the manifest describes them. The frames' digests find damage where it is; what vouches
//! for a part is its sum in the manifest.

mod description;
mod error;
mod pack;
mod unpack;

pub(crate) use description::{MAX_UNPACKED_BYTES, PACKED, PackedPart, PackedRelease};
pub use error::{PackedError, PackedFault};
pub(crate) use pack::pack;
pub(crate) use unpack::unpack;

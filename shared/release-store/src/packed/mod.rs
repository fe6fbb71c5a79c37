//! The form in which the parts of a release travel: frames of zstd, each with its own digest.
//!
//! A part's frames lie one behind the other in an object of the bucket, which is named by its own digest, and
//! `packed.json` beside the manifest describes them. The frames' digests find damage where it is; what vouches
//! for a part is its sum in the manifest.
//!
//! Decided in `docs/decisions/0047-published-releases.md`.

mod bounds;
mod description;
mod error;
mod pack;
mod unpack;

pub(crate) use description::PACKED;
pub use description::{Frame, PackedPart, PackedRelease};
pub use error::{PackedError, PackedFault};
pub(crate) use pack::pack;
pub use unpack::unpack;

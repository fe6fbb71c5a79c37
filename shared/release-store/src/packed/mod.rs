//! The transport format of a release's parts: zstd frames, each with its own digest.
//!
//! A part's frames are concatenated in an object of the bucket, which is named after its digest.
//! `packed.json`, next to the manifest, describes the frames. The frames' digests locate damage, and the
//! manifest's checksum verifies the whole part.
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

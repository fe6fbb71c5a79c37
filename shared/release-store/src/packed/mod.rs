//! The transport format of the parts of a release: zstd frames, each with its own digest.
//!
//! The frames of a part are concatenated in one object of the bucket. The object is named after its digest.
//! The object `packed.json`, next to the manifest, describes the frames. The digests of the frames locate
//! damaged data, and the checksum in the manifest verifies the whole part.
//!
//! See `docs/decisions/0047-published-releases.md`.

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

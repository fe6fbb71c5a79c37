//! The format in which parts are published: zstd frames, each with its own digest.
//!
//! An object in the bucket contains a part's frames and is named after its own digest. The `packed.json`
//! object, next to the manifest, describes the frames. The frames' digests locate damaged data, and the
//! manifest's checksum verifies the whole part.
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

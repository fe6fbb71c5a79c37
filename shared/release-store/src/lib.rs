//! Transport of data releases: from a bucket or folder into a process, and from a folder into a bucket.
//!
//! This crate has no knowledge of a release's contents. It verifies files against the manifest's checksums,
//! and the code that opens a file reads it.

mod bucket;
mod cache;
mod config;
mod fetch;
mod location;
mod open;
mod packed;
mod publish;
mod room;
mod unavailable;
mod verify;

pub use bucket::{Bucket, BucketConnection, BucketError, BucketFailure};
pub use config::{NoLocation, ReleaseConfig};
pub use fetch::FRAMES_IN_FLIGHT;
pub use location::{InvalidLocation, ReleaseLocation};
pub use open::{open, open_as};
pub use packed::{Frame, PackedError, PackedFault, PackedPart, PackedRelease, unpack};
pub use publish::{Published, Unpublished, publish};
pub use room::Shortage;
pub use unavailable::ReleaseUnavailable;

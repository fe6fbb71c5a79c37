//! Transfers data releases. Opens them from a bucket or a folder, and publishes them from a folder to a
//! bucket.
//!
//! This crate doesn't interpret a release's contents. It only verifies the files against the manifest's
//! checksums.

mod bucket;
mod cache;
mod config;
mod fetch;
mod later;
mod list;
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
pub use later::LaterParts;
pub use list::{ListedRelease, list};
pub use location::{InvalidLocation, ReleaseLocation};
pub use open::{open, opener};
pub use packed::{Frame, PackedError, PackedFault, PackedPart, PackedRelease, unpack};
pub use publish::{Published, Unpublished, publish};
pub use room::Shortage;
pub use unavailable::ReleaseUnavailable;

//! A bucket of large immutable objects, read by Lambda functions and written by the administrator.
//!
//! This module has no knowledge of releases.
//!
//! Decided in `docs/decisions/0054-builds.md`.

mod address;
mod client;
mod error;
mod range;
mod signer;

pub(crate) use client::MAX_READ_BYTES;
pub use client::{Bucket, BucketConnection};
pub use error::{BucketError, BucketFailure};
pub(crate) use range::ObjectRange;

//! A client for a bucket with large immutable objects, which Lambda functions read and administrators upload.
//!
//! This module doesn't depend on the contents of a release.
//!
//! See `docs/decisions/0054-builds.md`.

mod address;
mod client;
mod error;
mod list;
mod range;

pub(crate) use client::MAX_READ_BYTES;
pub use client::{Bucket, BucketConnection};
pub use error::{BucketError, BucketFailure};
pub(crate) use list::ListedObject;
pub(crate) use range::ObjectRange;

//! A bucket of large objects that never change, read by Lambda functions and written by the operator.
//!
//! Nothing here knows what a release is.
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

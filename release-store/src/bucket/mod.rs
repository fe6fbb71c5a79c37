//! A bucket of large objects that never change, read by Lambda functions and written by the operator.
//!
//! Nothing here knows what a release is.

mod address;
mod client;
mod download;
mod error;
mod signer;
mod tries;

pub use client::{Bucket, BucketConnection};
pub(crate) use download::Wanted;
pub use download::{RANGE_BYTES, RANGES_IN_FLIGHT};
pub use error::{BucketError, BucketFailure};

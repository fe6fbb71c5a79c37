//! Errors that occur when reading and writing objects in a bucket.

use std::path::PathBuf;

use aws::SigningError;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use http_body_util::{BodyExt, Limited};
use thiserror::Error;

/// The maximum number of bytes to read from an error response. S3's error responses are a few hundred bytes
/// long.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// The error returned when an object can't be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("s3://{bucket}/{key}: {failure}")]
pub struct BucketError {
    pub bucket: String,
    pub key: String,
    pub failure: BucketFailure,
}

/// The reason that an object can't be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BucketFailure {
    /// The object doesn't exist.
    #[error("does not exist")]
    Missing,
    /// The bucket doesn't exist.
    #[error("the bucket does not exist")]
    NoBucket,
    /// The caller lacks a permission. If the caller can't list objects, S3 also returns this error for a
    /// missing object. The string is the response's error code.
    #[error(
        "access is denied ({0}): the role lacks a permission, or the object does not exist and the role \
         lacks `s3:ListBucket`"
    )]
    Forbidden(String),
    #[error("already exists")]
    AlreadyThere,
    /// The object ends before the requested range.
    #[error("is shorter than expected")]
    TooShort,
    /// The object doesn't have the expected length. The number is this length in bytes.
    #[error("does not have the expected length of {0} bytes")]
    OtherLength(u64),
    /// The object is too large to read into memory. The number is the limit in bytes.
    #[error("exceeds the limit of {0} bytes")]
    TooLarge(usize),
    /// The bucket doesn't respond or has a temporary problem. The string is a reason or the response's error
    /// code.
    #[error("the bucket is unavailable: {0}")]
    Unavailable(String),
    /// The bucket rejected the request, and a retry won't help. The string is a reason or the response's
    /// error code.
    #[error("the bucket rejected the request: {0}")]
    Refused(String),
    /// The bucket's list of objects can't be parsed. The string is the parser's message.
    #[error("the bucket's list of objects cannot be parsed: {0}")]
    InvalidList(String),
    /// A local file can't be read.
    #[error("{} cannot be read: {why}", path.display())]
    UnreadableFile {
        path: PathBuf,
        /// The operating system's message.
        why: String,
    },
}

impl BucketFailure {
    /// Converts an error response. Keeps only the error code, because it can't contain credentials or
    /// signatures.
    pub(super) async fn of_answer(answer: HttpResponse) -> Self {
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), MAX_ERROR_BYTES).collect().await;
        let body = body.map(|body| body.to_bytes()).unwrap_or_default();
        by_answer(status, code(&String::from_utf8_lossy(&body)))
    }
}

impl From<SigningError> for BucketFailure {
    fn from(error: SigningError) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<ConnectorError> for BucketFailure {
    fn from(error: ConnectorError) -> Self {
        if error.is_user() {
            Self::Refused("the connection is misconfigured".to_owned())
        } else {
            Self::Unavailable("the connection failed".to_owned())
        }
    }
}

/// Returns the error code from an S3 error response, which is a short XML document.
fn code(document: &str) -> Option<&str> {
    let (_, rest) = document.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    code.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(code)
}

fn by_answer(status: u16, code: Option<&str>) -> BucketFailure {
    // A response to a HEAD request has no body, and therefore no error code.
    let said = code.map_or_else(|| format!("status {status}"), str::to_owned);
    match (status, code) {
        (_, Some("NoSuchBucket")) => BucketFailure::NoBucket,
        (404, _) => BucketFailure::Missing,
        (403, _) => BucketFailure::Forbidden(said),
        (412, _) => BucketFailure::AlreadyThere,
        (416, _) => BucketFailure::TooShort,
        (301 | 307, _) | (_, Some("AuthorizationHeaderMalformed")) => {
            BucketFailure::Refused(format!("{said}; the bucket is in a different region than AWS_REGION"))
        }
        (409 | 429 | 500.., _) | (_, Some("RequestTimeout")) => BucketFailure::Unavailable(said),
        _ => BucketFailure::Refused(said),
    }
}

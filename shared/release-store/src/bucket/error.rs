//! Why an object of a bucket could not be read or written.

use std::path::PathBuf;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use http_body_util::{BodyExt, Limited};
use thiserror::Error;

/// What is read of an answer that says why not, in bytes; S3 says it in a few hundred.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// An object that could not be read or written: which, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("s3://{bucket}/{key}: {failure}")]
pub struct BucketError {
    pub bucket: String,
    pub key: String,
    pub failure: BucketFailure,
}

/// Why an object could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BucketFailure {
    /// It is not there.
    #[error("is not there")]
    Missing,
    /// There is no such bucket.
    #[error("there is no such bucket")]
    NoBucket,
    /// The caller may not, or it is not there and the caller may not know; with the answer's code.
    #[error(
        "access is denied ({0}): the role lacks a permission, or, without `s3:ListBucket`, it is not there"
    )]
    Forbidden(String),
    #[error("is there already")]
    AlreadyThere,
    /// It ends before the range that was asked for.
    #[error("is shorter than it should be")]
    TooShort,
    /// It does not have so many bytes.
    #[error("does not have the {0} bytes that it should")]
    OtherLength(u64),
    /// It has more bytes than are read into memory.
    #[error("has more than {0} bytes, which is too much for what it should be")]
    TooLarge(usize),
    /// The bucket does not answer, or says that it cannot now: a reason or the answer's code.
    #[error("the bucket is unavailable: {0}")]
    Unavailable(String),
    /// The bucket refuses, and trying again does not help: a reason or the answer's code.
    #[error("the bucket refused the call: {0}")]
    Refused(String),
    /// A file of ours cannot be read.
    #[error("{} cannot be read: {why}", path.display())]
    UnreadableFile {
        path: PathBuf,
        /// What the system says.
        why: String,
    },
}

impl BucketFailure {
    /// Keeps an answer's code and nothing else of it: neither credentials nor a signature can be in that.
    pub(super) async fn of_answer(answer: HttpResponse) -> Self {
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), MAX_ERROR_BYTES).collect().await;
        let body = body.map(|body| body.to_bytes()).unwrap_or_default();
        by_answer(status, code(&String::from_utf8_lossy(&body)))
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

/// Finds the code in an error of S3's, a short XML document.
fn code(document: &str) -> Option<&str> {
    let (_, rest) = document.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    code.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(code)
}

fn by_answer(status: u16, code: Option<&str>) -> BucketFailure {
    // An answer to HEAD has no body, and so no code.
    let said = code.map_or_else(|| format!("status {status}"), str::to_owned);
    match (status, code) {
        (_, Some("NoSuchBucket")) => BucketFailure::NoBucket,
        (404, _) => BucketFailure::Missing,
        (403, _) => BucketFailure::Forbidden(said),
        (412, _) => BucketFailure::AlreadyThere,
        (416, _) => BucketFailure::TooShort,
        (301 | 307, _) | (_, Some("AuthorizationHeaderMalformed")) => {
            BucketFailure::Refused(format!("{said}; the bucket is in another region than AWS_REGION"))
        }
        (409 | 429 | 500.., _) | (_, Some("RequestTimeout")) => BucketFailure::Unavailable(said),
        _ => BucketFailure::Refused(said),
    }
}

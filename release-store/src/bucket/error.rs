use std::error::Error;
use std::fmt;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

/// An object that could not be read or written: which, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketError {
    /// The bucket.
    pub bucket: String,
    /// The object's key.
    pub key: String,
    /// Why.
    pub failure: BucketFailure,
}

/// Why an object could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BucketFailure {
    /// It is not there.
    Missing,
    /// There is no such bucket.
    NoBucket,
    /// The caller may not, or it is not there and the caller may not know.
    Forbidden(String),
    /// It is there already.
    AlreadyThere,
    /// It ends before the range that was asked for.
    TooShort,
    /// It does not have so many bytes.
    OtherLength(u64),
    /// It has more bytes than are read into memory.
    TooLarge(usize),
    /// The bucket does not answer, or says that it cannot now.
    Unavailable(String),
    /// The bucket refuses, and trying again does not help.
    Refused(String),
    /// A file of ours cannot be read or written.
    File(String),
}

impl fmt::Display for BucketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bucket, key, failure } = self;
        write!(f, "s3://{bucket}/{key}: {failure}")
    }
}

impl Error for BucketError {}

impl fmt::Display for BucketFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("is not there"),
            Self::NoBucket => f.write_str("there is no such bucket"),
            Self::Forbidden(said) => write!(
                f,
                "access is denied ({said}): the role lacks a permission, or, without `s3:ListBucket`, it is not there"
            ),
            Self::AlreadyThere => f.write_str("is there already"),
            Self::TooShort => f.write_str("is shorter than it should be"),
            Self::OtherLength(bytes) => write!(f, "does not have the {bytes} bytes that it should"),
            Self::TooLarge(bytes) => write!(f, "has more than {bytes} bytes, which is too much for what it should be"),
            Self::Unavailable(why) => write!(f, "the bucket is unavailable: {why}"),
            Self::Refused(why) => write!(f, "the bucket refused the call: {why}"),
            Self::File(why) => f.write_str(why),
        }
    }
}

impl<E: ProvideErrorMetadata> From<SdkError<E, HttpResponse>> for BucketFailure {
    /// Keeps an answer's code and nothing else of it: neither credentials nor a signature can be in that.
    fn from(error: SdkError<E, HttpResponse>) -> Self {
        match &error {
            SdkError::ConstructionFailure(_) => Self::Refused("the request could not be built".to_owned()),
            SdkError::TimeoutError(_) => Self::Unavailable("no answer in time".to_owned()),
            SdkError::DispatchFailure(failure) if failure.as_connector_error().is_some_and(|error| error.is_user()) => {
                Self::Refused("the connection is misconfigured".to_owned())
            }
            SdkError::DispatchFailure(_) => Self::Unavailable("the connection failed".to_owned()),
            SdkError::ResponseError(_) => Self::Unavailable("the answer is not readable".to_owned()),
            SdkError::ServiceError(answer) => by_answer(answer.raw().status().as_u16(), answer.err().code()),
            _ => Self::Unavailable("an unknown failure".to_owned()),
        }
    }
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
        (301 | 307, _) => BucketFailure::Refused(format!("{said}; the bucket is in another region than AWS_REGION")),
        (409 | 429 | 500.., _) | (_, Some("RequestTimeout")) => BucketFailure::Unavailable(said),
        _ => BucketFailure::Refused(said),
    }
}

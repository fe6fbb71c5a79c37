//! Why storage could not do what was asked, judged from what the SDK says of a failed call.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use thiserror::Error;

/// Why storage could not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It did not answer, or answered that it cannot now. Whether a write happened is unknown.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// It turned the call away, for there are too many: nothing was read or written, and another try is one
    /// call more.
    #[error("the database is unavailable: {0}")]
    Throttled(String),
    /// Others have the item: nothing was written, and trying again helps.
    #[error("the database is unavailable: {0}")]
    Contended(&'static str),
    /// It refused the call: a permission, a missing table.
    #[error("the database refused the call: {0}")]
    Refused(String),
    /// An item is not what this version of the code writes: the attribute that is not.
    #[error("the stored attribute `{0}` cannot be read")]
    Corrupt(&'static str),
    /// An item that another one stands for is not there: which one.
    #[error("no {0} is stored")]
    Missing(&'static str),
}

impl StoreError {
    /// Tells whether another try may succeed.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Throttled(_) | Self::Contended(_))
    }
}

impl<E: ProvideErrorMetadata> From<SdkError<E, HttpResponse>> for StoreError {
    fn from(error: SdkError<E, HttpResponse>) -> Self {
        match &error {
            SdkError::ConstructionFailure(_) => Self::Refused("the request could not be built".to_owned()),
            SdkError::TimeoutError(_) => Self::Unavailable("no response in time".to_owned()),
            SdkError::DispatchFailure(failure)
                if failure.as_connector_error().is_some_and(|error| error.is_user()) =>
            {
                Self::Refused("the connection is misconfigured".to_owned())
            }
            SdkError::DispatchFailure(_) => Self::Unavailable("the connection failed".to_owned()),
            SdkError::ResponseError(_) => Self::Unavailable("the response cannot be read".to_owned()),
            SdkError::ServiceError(answer) => {
                let code = answer.err().code().unwrap_or("no code").to_owned();
                match code.as_str() {
                    "ProvisionedThroughputExceededException"
                    | "ThrottlingException"
                    | "RequestLimitExceeded" => Self::Throttled(code),
                    "TransactionConflictException" | "TransactionInProgressException" => {
                        Self::Contended("other requests are writing the same items")
                    }
                    // Its message is the database's own fault, and holds nothing of the request.
                    _ if answer.raw().status().is_server_error() => {
                        Self::Unavailable(match answer.err().message() {
                            Some(message) => format!("{code}: {message}"),
                            None => code,
                        })
                    }
                    _ => Self::Refused(code),
                }
            }
            _ => Self::Unavailable("unknown error".to_owned()),
        }
    }
}

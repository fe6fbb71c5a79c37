//! Storage errors, derived from the SDK's errors.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use thiserror::Error;

/// Why a storage operation failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database didn't respond or reported a temporary problem. A write may have succeeded.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database throttled the call. Nothing was read or written. A retry adds to the load.
    #[error("the database throttled the request: {0}")]
    Throttled(String),
    /// The call conflicted with other requests. Nothing was written, and a retry may succeed. Contains the
    /// full error message.
    #[error("{0}")]
    Contended(&'static str),
    /// The database refused the call, for example because of a missing permission or table.
    #[error("the database rejected the request: {0}")]
    Refused(String),
    /// An item has an attribute that this version of the code can't read. Contains the attribute's name.
    #[error("stored attribute `{0}` cannot be read")]
    Corrupt(&'static str),
    /// An item that another item refers to doesn't exist. Contains the kind of the missing item.
    #[error("the {0} is missing from the database")]
    Missing(&'static str),
}

impl StoreError {
    /// Returns whether a retry may succeed.
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
                    // The message describes a fault in the database and contains no data from the request.
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

//! What the engine answers, in DynamoDB's own shape, and why it does not run a request.

use axum::response::{IntoResponse, Response};
use dynoxide::DynoxideError;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::json;

use crate::hosts::ForeignHost;

/// The content type of answers: <https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html>.
const JSON: &str = "application/x-amz-json-1.0";

/// Why a request is not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotRun {
    #[error("{0}; the engine is for programs on this machine")]
    Host(#[from] ForeignHost),
    #[error("web pages may not call the engine")]
    Page,
    #[error("the request must be signed (SigV4) with the access key id in credentials.json")]
    NoAccessKey,
    #[error("the access key id is not that of this start, which is in credentials.json")]
    WrongAccessKey,
    #[error("the engine runs no such operation")]
    UnknownOperation,
}

impl NotRun {
    /// Returns the status, and the type that DynamoDB's errors have for the like:
    /// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html>.
    fn row(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Host(_) | Self::Page => {
                (StatusCode::FORBIDDEN, "com.amazon.coral.service#AccessDeniedException")
            }
            Self::NoAccessKey => {
                (StatusCode::BAD_REQUEST, "com.amazon.coral.service#MissingAuthenticationTokenException")
            }
            Self::WrongAccessKey => {
                (StatusCode::BAD_REQUEST, "com.amazon.coral.service#UnrecognizedClientException")
            }
            Self::UnknownOperation => {
                (StatusCode::BAD_REQUEST, "com.amazon.coral.service#UnknownOperationException")
            }
        }
    }
}

impl IntoResponse for NotRun {
    fn into_response(self) -> Response {
        let (status, error_type) = self.row();
        let body = json!({ "__type": error_type, "message": self.to_string() });
        response(status, body.to_string().into_bytes())
    }
}

/// Makes the response to a request that was run.
pub(super) fn answer(result: Result<Vec<u8>, DynoxideError>) -> Response {
    match result {
        Ok(json) => response(StatusCode::OK, json),
        Err(error) => {
            let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::BAD_REQUEST);
            response(status, error.to_json().into_bytes())
        }
    }
}

fn response(status: StatusCode, json: Vec<u8>) -> Response {
    (status, [(CONTENT_TYPE, JSON)], json).into_response()
}

use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::admission::{Denied, Refusal};
use crate::dynamo::StoreError;
use crate::input::Violations;

/// How long a caller waits before trying again when something behind us does not answer, in seconds.
const UNAVAILABLE_SECONDS: i64 = 2;

/// The codes of the main surface's errors, each with its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Missing or invalid authentication.
    Unauthorized,
    /// Two kinds of credentials at once.
    AmbiguousAuth,
    /// Valid authentication, insufficient permissions.
    Forbidden,
    /// Too few credits.
    QuotaExceeded,
    /// Too many requests.
    RateLimited,
    /// An invalid body or parameter.
    ValidationError,
    /// The asset is in flight or completed.
    AssetNotEditable,
    /// The asset is in flight or completed.
    AssetNotDeletable,
    /// No such thing, or another organization's.
    NotFound,
    /// The path is known, the method is not.
    MethodNotAllowed,
    /// The asset's state changed between read and write.
    StateConflict,
    /// What was here has been revoked.
    Gone,
    /// The asset is not at the version that `If-Match` names.
    PreconditionFailed,
    /// The body or the asset is too large.
    PayloadTooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// Our fault.
    InternalError,
    /// Something behind us does not answer.
    ServiceUnavailable,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 17] = [
        Self::Unauthorized,
        Self::AmbiguousAuth,
        Self::Forbidden,
        Self::QuotaExceeded,
        Self::RateLimited,
        Self::ValidationError,
        Self::AssetNotEditable,
        Self::AssetNotDeletable,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::StateConflict,
        Self::Gone,
        Self::PreconditionFailed,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
        Self::InternalError,
        Self::ServiceUnavailable,
    ];

    /// Returns the status that goes with the code.
    pub fn status(self) -> StatusCode {
        match self {
            Self::AmbiguousAuth | Self::ValidationError | Self::AssetNotEditable | Self::AssetNotDeletable => {
                StatusCode::BAD_REQUEST
            }
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::QuotaExceeded => StatusCode::PAYMENT_REQUIRED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::StateConflict => StatusCode::CONFLICT,
            Self::Gone => StatusCode::GONE,
            Self::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            Self::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Self::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
            Self::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Returns the code as the envelope shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unauthorized => "UNAUTHORIZED",
            Self::AmbiguousAuth => "AMBIGUOUS_AUTH",
            Self::Forbidden => "FORBIDDEN",
            Self::QuotaExceeded => "QUOTA_EXCEEDED",
            Self::RateLimited => "RATE_LIMITED",
            Self::ValidationError => "VALIDATION_ERROR",
            Self::AssetNotEditable => "ASSET_NOT_EDITABLE",
            Self::AssetNotDeletable => "ASSET_NOT_DELETABLE",
            Self::NotFound => "NOT_FOUND",
            Self::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Self::StateConflict => "STATE_CONFLICT",
            Self::Gone => "GONE",
            Self::PreconditionFailed => "PRECONDITION_FAILED",
            Self::PayloadTooLarge => "PAYLOAD_TOO_LARGE",
            Self::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Self::InternalError => "INTERNAL_ERROR",
            Self::ServiceUnavailable => "SERVICE_UNAVAILABLE",
        }
    }

    /// Returns the code's anchor in the documentation.
    pub fn anchor(self) -> String {
        self.as_str().to_ascii_lowercase().replace('_', "-")
    }
}

/// An error of the main surface. The layers around a handler add the rest of the envelope.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The code.
    pub code: Code,
    /// What is wrong, and the way out.
    pub message: String,
    /// Every violation, for an invalid body or parameter.
    pub violations: Option<Violations>,
    /// Seconds after which another try makes sense.
    pub retry_after: Option<i64>,
    /// Why the call was not admitted, for one that was refused for its rate or its price.
    pub refusal: Option<Refusal>,
}

impl ApiError {
    /// Makes an error of a code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), violations: None, retry_after: None, refusal: None }
    }

    /// Makes the error of something behind us that does not answer.
    pub fn unavailable() -> Self {
        let message = "the service cannot answer right now; try again";
        Self { retry_after: Some(UNAVAILABLE_SECONDS), ..Self::new(Code::ServiceUnavailable, message) }
    }

    /// Makes the error of a fault of ours.
    pub fn internal() -> Self {
        Self::new(Code::InternalError, "the service met a fault of its own; try again")
    }
}

impl From<Violations> for ApiError {
    fn from(violations: Violations) -> Self {
        const SHOWN: usize = 20;
        let all = violations.as_slice();
        let mut message = String::from("the request is not valid");
        for (index, violation) in all.iter().take(SHOWN).enumerate() {
            let place = if violation.pointer.is_empty() { "the body" } else { &violation.pointer };
            message += if index == 0 { ": " } else { "; " };
            message += &format!("{place} {}", violation.detail);
        }
        if violations.count() > SHOWN {
            message += &format!("; and {} more, see context.errors", violations.count() - SHOWN);
        }
        Self { violations: Some(violations), ..Self::new(Code::ValidationError, message) }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::from(&error)
    }
}

impl From<&StoreError> for ApiError {
    fn from(error: &StoreError) -> Self {
        tracing::error!(event = "store_error", %error);
        match error {
            StoreError::Unavailable(_) => Self::unavailable(),
            StoreError::Refused(_) | StoreError::Corrupt(_) => Self::internal(),
        }
    }
}

impl From<&Denied> for ApiError {
    fn from(denied: &Denied) -> Self {
        match denied {
            Denied::Unauthorized(why) => Self::new(Code::Unauthorized, *why),
            Denied::Ambiguous => Self::new(
                Code::AmbiguousAuth,
                "an API key and an `Authorization` header came together; send one of them",
            ),
            Denied::Forbidden(why) => Self::new(Code::Forbidden, why),
            Denied::ScopeMissing { scope, .. } => {
                Self::new(Code::Forbidden, format!("the API key lacks the scope `{scope}`; mint one that has it"))
            }
            Denied::Refused(refusal, _) => (*refusal).into(),
            Denied::IssuerUnavailable | Denied::Unanswered => Self::unavailable(),
            Denied::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let error = match refusal {
            Refusal::RateLimited { limit, retry_after, of_key } => {
                let whose = if of_key { "this API key" } else { "your tier" };
                let message = format!("{whose} admits {limit} requests a minute; try again in {retry_after} s");
                Self { retry_after: Some(retry_after), ..Self::new(Code::RateLimited, message) }
            }
            Refusal::QuotaExceeded { balance, price } => {
                let message =
                    format!("the call costs {price} and the credit balance is {balance}; add credits to go on");
                Self::new(Code::QuotaExceeded, message)
            }
        };
        Self { refusal: Some(refusal), ..error }
    }
}

impl IntoResponse for Violations {
    fn into_response(self) -> Response {
        ApiError::from(self).into_response()
    }
}

impl IntoResponse for ApiError {
    /// Leaves the error for the layers around, which know the request and the product.
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

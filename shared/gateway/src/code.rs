//! The table of error codes.

use http::StatusCode;
use strum::EnumIter;

/// The code of an error of the main surface. docs/reference/errors.md explains each, and a test compares it
/// with this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum Code {
    /// Missing or invalid authentication.
    Unauthorized,
    /// Two kinds of credentials at once.
    AmbiguousAuth,
    /// Valid authentication, insufficient permissions.
    Forbidden,
    /// The person's e-mail address is missing, or not verified.
    EmailNotVerified,
    /// Nobody can sign up by themselves here.
    SignUpClosed,
    /// The operator has suspended the organization.
    OrganizationSuspended,
    /// Too few credits.
    QuotaExceeded,
    /// Too many requests.
    RateLimited,
    /// As many people have signed up today as may.
    SignUpsExhausted,
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
    /// There is nothing in a form that `Accept` takes.
    NotAcceptable,
    /// The asset's state changed between read and write.
    StateConflict,
    /// The person belongs to an organization already.
    AlreadyInOrganization,
    /// The person or their e-mail address has signed up before.
    SignedUpBefore,
    /// The idempotency key came with another body before.
    IdempotencyKeyReused,
    /// The organization has as many of these as there can be.
    LimitReached,
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
    /// Returns the code as the envelope shows it, and the status that goes with it.
    fn row(self) -> (&'static str, StatusCode) {
        match self {
            Self::Unauthorized => ("UNAUTHORIZED", StatusCode::UNAUTHORIZED),
            Self::AmbiguousAuth => ("AMBIGUOUS_AUTH", StatusCode::BAD_REQUEST),
            Self::Forbidden => ("FORBIDDEN", StatusCode::FORBIDDEN),
            Self::EmailNotVerified => ("EMAIL_NOT_VERIFIED", StatusCode::FORBIDDEN),
            Self::SignUpClosed => ("SIGN_UP_CLOSED", StatusCode::FORBIDDEN),
            Self::OrganizationSuspended => ("ORGANIZATION_SUSPENDED", StatusCode::FORBIDDEN),
            Self::QuotaExceeded => ("QUOTA_EXCEEDED", StatusCode::PAYMENT_REQUIRED),
            Self::RateLimited => ("RATE_LIMITED", StatusCode::TOO_MANY_REQUESTS),
            Self::SignUpsExhausted => ("SIGN_UPS_EXHAUSTED", StatusCode::TOO_MANY_REQUESTS),
            Self::ValidationError => ("VALIDATION_ERROR", StatusCode::BAD_REQUEST),
            Self::AssetNotEditable => ("ASSET_NOT_EDITABLE", StatusCode::BAD_REQUEST),
            Self::AssetNotDeletable => ("ASSET_NOT_DELETABLE", StatusCode::BAD_REQUEST),
            Self::NotFound => ("NOT_FOUND", StatusCode::NOT_FOUND),
            Self::MethodNotAllowed => ("METHOD_NOT_ALLOWED", StatusCode::METHOD_NOT_ALLOWED),
            Self::NotAcceptable => ("NOT_ACCEPTABLE", StatusCode::NOT_ACCEPTABLE),
            Self::StateConflict => ("STATE_CONFLICT", StatusCode::CONFLICT),
            Self::AlreadyInOrganization => ("ALREADY_IN_ORGANIZATION", StatusCode::CONFLICT),
            Self::SignedUpBefore => ("SIGNED_UP_BEFORE", StatusCode::CONFLICT),
            Self::IdempotencyKeyReused => ("IDEMPOTENCY_KEY_REUSED", StatusCode::CONFLICT),
            Self::LimitReached => ("LIMIT_REACHED", StatusCode::CONFLICT),
            Self::Gone => ("GONE", StatusCode::GONE),
            Self::PreconditionFailed => ("PRECONDITION_FAILED", StatusCode::PRECONDITION_FAILED),
            Self::PayloadTooLarge => ("PAYLOAD_TOO_LARGE", StatusCode::PAYLOAD_TOO_LARGE),
            Self::UnsupportedMediaType => ("UNSUPPORTED_MEDIA_TYPE", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            Self::InternalError => ("INTERNAL_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
            Self::ServiceUnavailable => ("SERVICE_UNAVAILABLE", StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// Returns the code as the envelope shows it.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Returns the status that goes with the code.
    pub fn status(self) -> StatusCode {
        self.row().1
    }

    pub fn anchor(self) -> String {
        self.as_str().to_ascii_lowercase().replace('_', "-")
    }
}

//! The table of error codes.

use http::StatusCode;
use strum::EnumIter;

/// An error code of the main API. docs/reference/errors.md explains each one, and a test compares that page
/// with this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum Code {
    /// Credentials are missing or invalid.
    Unauthorized,
    /// The request has two kinds of credentials.
    AmbiguousAuth,
    /// The caller is identified but lacks permission.
    Forbidden,
    /// The person's email address is missing or not verified.
    EmailNotVerified,
    /// Self-service sign-up is off.
    SignUpClosed,
    /// The administrator has suspended the organization.
    OrganizationSuspended,
    /// The balance is too low.
    QuotaExceeded,
    /// A rate limit is reached.
    RateLimited,
    /// Today's sign-up limit is reached.
    SignUpsExhausted,
    /// The body or a parameter is invalid.
    ValidationError,
    /// The asset can't be edited because it is in flight or completed.
    AssetNotEditable,
    /// The asset can't be deleted because it is in flight or completed.
    AssetNotDeletable,
    /// The resource doesn't exist or belongs to another organization.
    NotFound,
    /// The path exists but doesn't support the method.
    MethodNotAllowed,
    /// No available format matches `Accept`.
    NotAcceptable,
    /// The asset's state changed between the read and the write.
    StateConflict,
    /// The person already belongs to an organization.
    AlreadyInOrganization,
    /// The person or their email address signed up before.
    SignedUpBefore,
    /// The idempotency key was used with a different body.
    IdempotencyKeyReused,
    /// The organization has reached its limit for this resource.
    LimitReached,
    /// The resource was revoked.
    Gone,
    /// The asset's version doesn't match `If-Match`.
    PreconditionFailed,
    /// The body or the asset is too large.
    PayloadTooLarge,
    /// The body isn't declared as JSON.
    UnsupportedMediaType,
    /// An error in the service.
    InternalError,
    /// A dependency of the service doesn't respond.
    ServiceUnavailable,
    /// The function can't open its data release.
    ReleaseNotReady,
}

impl Code {
    /// Returns the code's name and HTTP status.
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
            Self::ReleaseNotReady => ("RELEASE_NOT_READY", StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// Returns the code's name in the response.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Returns the code's HTTP status.
    pub fn status(self) -> StatusCode {
        self.row().1
    }

    pub fn anchor(self) -> String {
        self.as_str().to_ascii_lowercase().replace('_', "-")
    }
}

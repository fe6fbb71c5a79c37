//! The table of error codes.

use http::StatusCode;
use strum::EnumIter;

/// An error code of the main API. docs/reference/errors.md explains each code, and a test checks that page
/// against this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum Code {
    /// Credentials are missing or invalid.
    Unauthorized,
    /// The request contains two kinds of credentials.
    AmbiguousAuth,
    /// The caller was identified but lacks permission.
    Forbidden,
    /// The token doesn't contain a verified email address.
    EmailNotVerified,
    /// Self-service sign-up is off.
    SignUpClosed,
    /// The administrator has suspended the organization.
    OrganizationSuspended,
    /// Too few credits remain for the call.
    QuotaExceeded,
    /// A rate limit is reached.
    RateLimited,
    /// A daily sign-up limit is reached.
    SignUpsExhausted,
    /// The body, a parameter, or a header is invalid.
    ValidationError,
    /// The asset is in flight or completed, so it can't be edited.
    AssetNotEditable,
    /// The asset is in flight or completed, so it can't be deleted.
    AssetNotDeletable,
    /// The path or resource doesn't exist, or the resource belongs to another organization.
    NotFound,
    /// The path doesn't support the method.
    MethodNotAllowed,
    /// The client doesn't accept any of the operation's formats.
    NotAcceptable,
    /// The resource's state doesn't allow the request, often because the resource has changed since it was
    /// read.
    StateConflict,
    /// The person already belongs to an organization.
    AlreadyInOrganization,
    /// The person or their email address has signed up before.
    SignedUpBefore,
    /// The request identifies an asset by a `customer_scenario_id` that several assets share.
    AmbiguousScenarioId,
    /// The idempotency key was already used with a different body.
    IdempotencyKeyReused,
    /// The organization has reached its limit for this kind of resource.
    LimitReached,
    /// The invitation or tile grant can't be used anymore, for example because it was revoked.
    Gone,
    /// Some of the changes after the cursor are no longer stored.
    CursorExpired,
    /// The asset's version doesn't match `If-Match`.
    PreconditionFailed,
    /// The body or the resulting asset is too large.
    PayloadTooLarge,
    /// The body isn't declared as JSON, or it's compressed.
    UnsupportedMediaType,
    /// A fault in the service itself.
    InternalError,
    /// The call can't be handled at the moment, usually because the database or another dependency doesn't
    /// respond.
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
            Self::AmbiguousScenarioId => ("AMBIGUOUS_SCENARIO_ID", StatusCode::CONFLICT),
            Self::IdempotencyKeyReused => ("IDEMPOTENCY_KEY_REUSED", StatusCode::CONFLICT),
            Self::LimitReached => ("LIMIT_REACHED", StatusCode::CONFLICT),
            Self::Gone => ("GONE", StatusCode::GONE),
            Self::CursorExpired => ("CURSOR_EXPIRED", StatusCode::GONE),
            Self::PreconditionFailed => ("PRECONDITION_FAILED", StatusCode::PRECONDITION_FAILED),
            Self::PayloadTooLarge => ("PAYLOAD_TOO_LARGE", StatusCode::PAYLOAD_TOO_LARGE),
            Self::UnsupportedMediaType => ("UNSUPPORTED_MEDIA_TYPE", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            Self::InternalError => ("INTERNAL_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
            Self::ServiceUnavailable => ("SERVICE_UNAVAILABLE", StatusCode::SERVICE_UNAVAILABLE),
            Self::ReleaseNotReady => ("RELEASE_NOT_READY", StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// Returns the code's name as it appears in responses, such as `NOT_FOUND`.
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

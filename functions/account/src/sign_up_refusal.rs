//! The reasons that a person can't sign up. `GET /v2/account` returns them, and so does a rejected sign-up.

use accounting::Timestamp;
use gateway::{ApiError, Code, SelfSignUp};
use serde::Serialize;

/// Whether the person can sign up, as returned by `GET /v2/account`.
#[derive(Debug, Serialize)]
pub(crate) struct ShownSignUp {
    available: bool,
    refusal: Option<ShownRefusal>,
}

#[derive(Debug, Serialize)]
struct ShownRefusal {
    code: &'static str,
    message: String,
}

/// Returns the error for a service on which self-service sign-up is off.
pub(crate) fn closed() -> ApiError {
    ApiError::new(
        Code::SignUpClosed,
        "self-service sign-up is off; ask your administrator for an organization, or an owner of an \
         organization for an invitation",
    )
}

pub(crate) fn email_not_verified() -> ApiError {
    ApiError::new(
        Code::EmailNotVerified,
        "the token has no verified `email`; verify your address where you sign in, then send a new ID token",
    )
}

pub(crate) fn already_in_organization() -> ApiError {
    ApiError::new(
        Code::AlreadyInOrganization,
        "you already belong to an organization, which `GET /v2/account` shows; leave it before you sign up",
    )
}

/// Returns the error for a person or email address that has signed up before.
pub(crate) fn signed_up_before() -> ApiError {
    ApiError::new(
        Code::SignedUpBefore,
        "you or your email address signed up before, which is allowed only once; ask an owner of an \
         organization for an invitation, or ask your administrator",
    )
}

/// Returns the error for a day whose sign-up limit is reached, and logs an event for the administrator. The
/// event is also logged when a person only asks whether they can sign up.
pub(crate) fn exhausted(allowed: SelfSignUp, now: Timestamp) -> ApiError {
    let per_day = allowed.per_day;
    tracing::warn!(event = "sign_ups_exhausted", per_day);
    let tomorrow = now.day().start().plus_days(1);
    let retry_after = tomorrow.unix_seconds() - now.unix_seconds();
    let message =
        format!("today's sign-up limit of {per_day} people has been reached; try again in {retry_after} s");
    ApiError { retry_after: Some(retry_after), ..ApiError::new(Code::SignUpsExhausted, message) }
}

impl From<Option<ApiError>> for ShownSignUp {
    fn from(refusal: Option<ApiError>) -> Self {
        let shown = |ApiError { code, message, .. }| ShownRefusal { code: code.as_str(), message };
        Self { available: refusal.is_none(), refusal: refusal.map(shown) }
    }
}

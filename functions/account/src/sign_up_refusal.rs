//! Why a person cannot sign up, told before they try and when they do.

use accounting::Timestamp;
use gateway::{ApiError, Code, SelfSignUp};
use serde::Serialize;

/// What `GET /v2/account` says of signing up.
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

/// Refuses everybody: nobody can sign up by themselves.
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

/// Refuses a person who has signed up and left, or somebody with the same address.
pub(crate) fn signed_up_before() -> ApiError {
    ApiError::new(
        Code::SignedUpBefore,
        "you or your email address signed up before, which is allowed only once; ask an owner of an \
         organization for an invitation, or ask your administrator",
    )
}

/// Refuses a sign-up for the day, which ends in UTC, and tells the operator: whoever asks beforehand is turned
/// away too.
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

//! The reasons why a person can't sign up, for `GET /v2/account` and for sign-ups.

use accounting::Timestamp;
use gateway::{ApiError, Code, SelfSignUp};
use serde::Serialize;

/// The sign-up status in `GET /v2/account`.
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

/// Returns the error for installations without self-service sign-up.
pub(crate) fn closed() -> ApiError {
    ApiError::new(
        Code::SignUpClosed,
        "nobody can sign up by themselves here; ask the operator for an organization, or an owner of one for an \
         invitation",
    )
}

pub(crate) fn email_not_verified() -> ApiError {
    ApiError::new(
        Code::EmailNotVerified,
        "the token has no `email` that `email_verified` says is yours; verify your address where you sign in, \
         then send a new ID token",
    )
}

pub(crate) fn already_in_organization() -> ApiError {
    ApiError::new(
        Code::AlreadyInOrganization,
        "you belong to an organization already, which `GET /v2/account` shows; leave it before you sign up",
    )
}

/// Returns the error for a person or address that has signed up before.
pub(crate) fn signed_up_before() -> ApiError {
    ApiError::new(
        Code::SignedUpBefore,
        "you or your e-mail address have signed up before, which works once; ask an owner of an organization \
         for an invitation, or the operator",
    )
}

/// Returns the error for a day whose limit is reached, and logs an event for the administrator. The event is
/// also logged when a person only checks whether they can sign up.
pub(crate) fn exhausted(allowed: SelfSignUp, now: Timestamp) -> ApiError {
    let per_day = allowed.per_day;
    tracing::warn!(event = "sign_ups_exhausted", per_day);
    let tomorrow = now.day().start().plus_days(1);
    let retry_after = tomorrow.unix_seconds() - now.unix_seconds();
    let message = format!(
        "{per_day} people have signed up today, the most there can be in a day; try again in {retry_after} s"
    );
    ApiError { retry_after: Some(retry_after), ..ApiError::new(Code::SignUpsExhausted, message) }
}

impl From<Option<ApiError>> for ShownSignUp {
    fn from(refusal: Option<ApiError>) -> Self {
        let shown = |ApiError { code, message, .. }| ShownRefusal { code: code.as_str(), message };
        Self { available: refusal.is_none(), refusal: refusal.map(shown) }
    }
}

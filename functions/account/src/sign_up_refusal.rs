//! The reasons for rejecting a sign-up, which `GET /v2/account` also returns.

use accounting::Timestamp;
use gateway::{ApiError, Code};
use serde::Serialize;
use store::{SignUpGroup, SignUpLimit};

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

/// Returns the error for a service whose self-service sign-up is off.
pub(crate) fn closed() -> ApiError {
    ApiError::new(
        Code::SignUpClosed,
        "self-service sign-up is off; ask your administrator to create an organization for you, or ask an \
         organization owner to invite you",
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

/// Returns the error for a person or mailbox that has signed up before.
pub(crate) fn signed_up_before() -> ApiError {
    ApiError::new(
        Code::SignedUpBefore,
        "you, or someone with the same mailbox, signed up before (`me+tag@example.com` is the same mailbox \
         as `me@example.com`); each person and each mailbox can sign up only once, so ask an \
         organization owner to invite you, or ask your administrator",
    )
}

/// Returns the error for a sign-up limit that has been reached, and logs an event for the administrator. The
/// event is also logged when a person only checks whether they can sign up.
pub(crate) fn exhausted(limit: &SignUpLimit, now: Timestamp) -> ApiError {
    let per_day = limit.per_day;
    let reached = match &limit.group {
        SignUpGroup::Everyone => {
            tracing::warn!(event = "sign_ups_exhausted", per_day);
            format!("today's sign-up limit of {per_day} people")
        }
        SignUpGroup::Domain(domain) => {
            tracing::warn!(event = "sign_ups_limited", limit = "domain", per_day);
            format!("today's sign-up limit for email addresses at {domain}")
        }
        SignUpGroup::Range(range) => {
            tracing::warn!(event = "sign_ups_limited", limit = "range", per_day);
            format!("today's sign-up limit for your network ({range})")
        }
    };
    let tomorrow = now.day().start().plus_days(1);
    let retry_after = tomorrow.unix_seconds() - now.unix_seconds();
    let message = format!("{reached} has been reached; try again in {retry_after} s");
    ApiError { retry_after: Some(retry_after), ..ApiError::new(Code::SignUpsExhausted, message) }
}

impl From<Option<ApiError>> for ShownSignUp {
    fn from(refusal: Option<ApiError>) -> Self {
        let shown = |ApiError { code, message, .. }| ShownRefusal { code: code.as_str(), message };
        Self { available: refusal.is_none(), refusal: refusal.map(shown) }
    }
}

//! The errors that handlers and middleware return to callers.

use accounting::{InsufficientCredits, RateLimitOf, Refusal};
use store::StoreError;

use crate::code::Code;
use crate::input::Violations;

/// How long callers should wait before a retry if a dependency doesn't respond, in seconds.
const UNAVAILABLE_SECONDS: i64 = 2;

/// How long a function waits before it tries to open its data release again, in seconds.
pub(super) const REOPEN_SECONDS: i64 = 5;

/// An error that an operation returns. Middleware adds the rest of the error envelope, such as the request
/// ID.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub code: Code,
    /// Describes the problem and how to fix it.
    pub message: String,
    /// The violations, if the error is about an invalid body, parameter, or header.
    pub violations: Option<Violations>,
    /// How long to wait before a retry, in seconds.
    pub retry_after: Option<i64>,
    /// The resource's current version, if the request specified a different one. It's sent as a strong entity
    /// tag.
    pub version: Option<u64>,
    /// Why the call was refused: a rate limit, too few credits, or a suspension. `None` for all other errors.
    pub refusal: Option<Refusal>,
}

impl ApiError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, violations: None, retry_after: None, version: None, refusal: None }
    }

    /// Adds the resource's current version, which is sent as a strong entity tag.
    pub fn with_version(self, version: u64) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Returns the error for a call that can't be handled at the moment, usually because a dependency doesn't
    /// respond.
    pub fn unavailable() -> Self {
        let message = "the service is temporarily unavailable; try again";
        Self { retry_after: Some(UNAVAILABLE_SECONDS), ..Self::new(Code::ServiceUnavailable, message) }
    }

    /// Returns the error for an operation that didn't start before its batch ran out of time.
    pub fn not_started() -> Self {
        let message = "the batch ran out of time before this operation started; send the batch again";
        Self { message: message.to_owned(), ..Self::unavailable() }
    }

    /// Returns the error for a function that can't open its data release.
    pub fn release_not_ready() -> Self {
        let message =
            "the service's data is not ready; try again, and tell your administrator if the error persists";
        Self { retry_after: Some(REOPEN_SECONDS), ..Self::new(Code::ReleaseNotReady, message) }
    }

    /// Returns the error for a fault in the service.
    pub fn internal() -> Self {
        Self::new(Code::InternalError, "an internal error occurred; try again")
    }
}

impl From<Violations> for ApiError {
    fn from(violations: Violations) -> Self {
        const SHOWN: usize = 20;
        let all = violations.as_slice();
        let mut message = String::from("the request is invalid");
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
        tracing::error!(event = "store_error", %error);
        match error {
            StoreError::Unavailable(_) | StoreError::Throttled(_) | StoreError::Contended(_) => {
                Self::unavailable()
            }
            StoreError::Refused(_) | StoreError::Corrupt(_) | StoreError::Missing(_) => Self::internal(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let error = match refusal {
            Refusal::Suspended => Self::new(
                Code::OrganizationSuspended,
                "your organization is suspended; ask your administrator to resume it; you can still read its \
                 balance and bills",
            ),
            Refusal::RateLimited { limit, retry_after, of } => {
                let limited = match of {
                    RateLimitOf::Account => format!("your tier allows {limit} requests per minute"),
                    RateLimitOf::Key => {
                        format!("this API key is limited to {limit} requests of this type per minute")
                    }
                    RateLimitOf::People => {
                        format!(
                            "your organization's members share a limit of {limit} requests of this type per \
                             minute"
                        )
                    }
                };
                let message = format!("{limited}; try again in {retry_after} s");
                Self { retry_after: Some(retry_after), ..Self::new(Code::RateLimited, message) }
            }
            Refusal::QuotaExceeded(InsufficientCredits { balance, price }) => {
                let message = format!(
                    "the call costs {price}, but the credit balance is {balance}; add credits to continue"
                );
                Self::new(Code::QuotaExceeded, message)
            }
        };
        Self { refusal: Some(refusal), ..error }
    }
}

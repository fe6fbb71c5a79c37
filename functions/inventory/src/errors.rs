//! The shapes that errors of inventory search have, and no other's.
//!
//! Decided in `docs/decisions/0012-published-answer-shapes.md`.

use accounting::{RateLimitOf, Refusal};
use gateway::{ApiError, Code, Violation};
use http::StatusCode;
use serde::Serialize;

/// The code of an error of ours, as callers of inventory search know it.
const SEARCH_ERROR: u32 = 14_001;

/// An error in a shape that inventory search alone has: `InventoryRefused`, `InventoryRateLimited`
/// and `InventoryFailed` in openapi.yaml.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ForeignError {
    /// The request is not valid.
    Invalid { error: Invalid, status: u16 },
    /// Too many requests.
    RateLimited { error: RateLimited },
    /// Our fault, or the database does not answer.
    Failed { status: &'static str, message: Failed },
}

#[derive(Debug, Serialize)]
pub(crate) struct Invalid {
    root_cause: Vec<Cause>,
    r#type: &'static str,
    reason: String,
    caused_by: Cause,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize)]
struct Cause {
    r#type: &'static str,
    reason: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct RateLimited {
    code: &'static str,
    message: String,
    details: Limit,
}

#[derive(Debug, Serialize)]
struct Limit {
    limit: u32,
    window: &'static str,
    retry_after_seconds: i64,
    of: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Failed {
    code: u32,
    #[serde(rename = "api-message")]
    api_message: &'static str,
    message: String,
}

impl ForeignError {
    /// Shows an error in its shape, with its status; `None` for one that is shown as everywhere.
    pub(crate) fn of(error: &ApiError) -> Option<(StatusCode, Self)> {
        let shown = match error.code {
            Code::ValidationError => Self::invalid(error),
            Code::RateLimited => Self::rate_limited(error)?,
            // The search gateway's callers know no 503: whatever kept a search from its answer is a 500.
            Code::InternalError | Code::ServiceUnavailable => {
                return Some((StatusCode::INTERNAL_SERVER_ERROR, Self::failed(error)));
            }
            _ => return None,
        };
        Some((error.code.status(), shown))
    }

    fn failed(error: &ApiError) -> Self {
        let message = error.message.clone();
        let message = Failed { code: SEARCH_ERROR, api_message: "the search failed", message };
        Self::Failed { status: "error", message }
    }

    fn invalid(error: &ApiError) -> Self {
        let violations = error.violations.as_ref();
        let mut root_cause: Vec<Cause> =
            violations.iter().flat_map(|violations| violations.as_slice()).map(Cause::of).collect();
        if root_cause.is_empty() {
            root_cause.push(Cause { r#type: "invalid_request", reason: error.message.clone() });
        }
        let first = root_cause[0].clone();
        let reason = match violations.map_or(1, |violations| violations.count()) {
            1 => format!("the request is not valid: {}", first.reason),
            count => {
                format!("the request is not valid: {}; and {} more, see root_cause", first.reason, count - 1)
            }
        };
        let error = Invalid { root_cause, r#type: "invalid_request", reason, caused_by: first };
        Self::Invalid { error, status: Code::ValidationError.status().as_u16() }
    }

    fn rate_limited(error: &ApiError) -> Option<Self> {
        let Some(Refusal::RateLimited { limit, retry_after, of }) = error.refusal else {
            return None;
        };
        let details = Limit {
            limit,
            window: "minute",
            retry_after_seconds: retry_after,
            of: match of {
                RateLimitOf::Account => "organization",
                RateLimitOf::Key => "key",
                RateLimitOf::People => "people",
            },
        };
        let message = error.message.clone();
        Some(Self::RateLimited { error: RateLimited { code: "RATE_LIMIT_EXCEEDED", message, details } })
    }
}

impl Cause {
    /// Names what a violation is about after the member of the request in which it lies.
    fn of(violation: &Violation) -> Self {
        let Violation { pointer, detail } = violation;
        let r#type = match pointer.split('/').nth(1) {
            None => "invalid_body",
            Some("filter" | "filters") => "invalid_filter",
            Some("fieldSet") => "invalid_field_set",
            Some("pagination") => "invalid_pagination",
            Some("sort") => "invalid_sort",
            Some(_) => "unknown_member",
        };
        let place = if pointer.is_empty() { "the body" } else { pointer };
        Self { r#type, reason: format!("{place} {detail}") }
    }
}

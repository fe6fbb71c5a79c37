//! The error formats of inventory search. All other operations use the standard error format, `Error` in
//! openapi.yaml.
//!
//! See `docs/decisions/0012-published-answer-shapes.md`.

use accounting::{RateLimitOf, Refusal};
use gateway::{ApiError, Code, Violation};
use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use crate::index::COHORT;

/// The error code in the response when inventory search fails because of a fault in the service.
const SEARCH_ERROR: u32 = 14_001;

/// A violation, in the error format of inventory search.
#[derive(Clone, Serialize)]
struct Cause {
    r#type: &'static str,
    reason: String,
}

/// Returns an error's status and body in the format of inventory search: `InventoryRefused`,
/// `InventoryRateLimited`, or `InventoryFailed` in openapi.yaml. Returns `None` for errors that use the
/// standard format.
pub(crate) fn shape(error: &ApiError) -> Option<(StatusCode, Value)> {
    match error.code {
        Code::ValidationError => Some((error.code.status(), invalid(error))),
        Code::RateLimited => Some((error.code.status(), rate_limited(error)?)),
        // Callers of the search gateway don't expect 503, so all faults return 500.
        Code::InternalError | Code::ServiceUnavailable | Code::ReleaseNotReady => {
            Some((StatusCode::INTERNAL_SERVER_ERROR, failed(error)))
        }
        _ => None,
    }
}

fn failed(error: &ApiError) -> Value {
    let message =
        json!({ "code": SEARCH_ERROR, "api-message": "the search failed", "message": error.message });
    json!({ "status": "error", "message": message })
}

fn invalid(error: &ApiError) -> Value {
    const INVALID: &str = "invalid_request";
    let violations = error.violations.as_ref();
    let mut root_cause: Vec<Cause> =
        violations.iter().flat_map(|violations| violations.as_slice()).map(Cause::of).collect();
    if root_cause.is_empty() {
        root_cause.push(Cause { r#type: INVALID, reason: error.message.clone() });
    }
    let first = root_cause[0].clone();
    let reason = match violations.map_or(1, |violations| violations.count()) {
        1 => format!("the request is invalid: {}", first.reason),
        count => {
            format!("the request is invalid: {}; and {} more, see root_cause", first.reason, count - 1)
        }
    };
    let error = json!({ "root_cause": root_cause, "type": INVALID, "reason": reason, "caused_by": first });
    json!({ "error": error, "status": Code::ValidationError.status().as_u16() })
}

fn rate_limited(error: &ApiError) -> Option<Value> {
    let Some(Refusal::RateLimited { limit, retry_after, of }) = error.refusal else {
        return None;
    };
    let of = match of {
        RateLimitOf::Account => "organization",
        RateLimitOf::Key => "key",
        RateLimitOf::People => "people",
    };
    let details = json!({ "limit": limit, "window": "minute", "retry_after_seconds": retry_after, "of": of });
    let error = json!({ "code": "RATE_LIMIT_EXCEEDED", "message": error.message, "details": details });
    Some(json!({ "error": error }))
}

impl Cause {
    /// Creates a cause from a violation. The first name in the violation's pointer determines the type.
    fn of(violation: &Violation) -> Self {
        let Violation { pointer, detail } = violation;
        let r#type = match pointer.split('/').nth(1) {
            None => "invalid_body",
            Some("filter" | "filters") => "invalid_filter",
            Some("fieldSet") => "invalid_field_set",
            Some("pagination") => "invalid_pagination",
            Some("sort") => "invalid_sort",
            Some(COHORT) => "invalid_cohort",
            Some(_) => "unknown_member",
        };
        let place = if pointer.is_empty() { "the body" } else { pointer };
        Self { r#type, reason: format!("{place} {detail}") }
    }
}

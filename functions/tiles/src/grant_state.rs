//! Whether a grant still shows its tiles and their TileJSON, and the refusal when it does not.

use accounting::Timestamp;
use axum::response::{IntoResponse, Response};
use gateway::{ApiError, Code};
use http::{HeaderValue, StatusCode, header};

use crate::tileset::KnownGrant;

/// Holds a grant to its state: 410 once it is revoked, 401 once it has ended, 403 while its organization is
/// suspended.
pub(crate) fn check(known: &KnownGrant, now: Timestamp) -> Result<(), ApiError> {
    let grant = &known.signed.grant;
    if grant.revoked_at.is_some() {
        return Err(ApiError::new(Code::Gone, "the grant was revoked; its tiles are no longer available"));
    }
    if grant.expires_at <= now {
        return Err(unauthorized("the grant has expired; its organization can create another"));
    }
    if known.is_suspended {
        let message = "the organization that created the grant is suspended; its tiles are unavailable";
        return Err(ApiError::new(Code::OrganizationSuspended, message));
    }
    Ok(())
}

/// Makes the error of a capability that is missing or not valid.
pub(crate) fn unauthorized(message: &str) -> ApiError {
    ApiError::new(Code::Unauthorized, message)
}

/// Answers with an error, which no cache keeps: a new token may come with the next address.
pub(crate) fn refuse(error: ApiError) -> Response {
    let mut response = error.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if response.status() == StatusCode::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Capability parameter=\"token\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

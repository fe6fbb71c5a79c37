//! The state of a grant, which decides whether its tiles and TileJSON are available.

use accounting::Timestamp;
use axum::response::{IntoResponse, Response};
use gateway::{ApiError, Code};
use http::{HeaderValue, StatusCode, header};

use crate::tileset::KnownGrant;

/// Returns an error if the grant isn't usable: 410 if it is revoked, 401 if it has expired, and 403 if its
/// organization is suspended.
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

/// Returns the error for a missing or invalid capability.
pub(crate) fn unauthorized(message: &str) -> ApiError {
    ApiError::new(Code::Unauthorized, message)
}

/// Creates an error response that must not be cached, because the same address may work later.
pub(crate) fn refuse(error: ApiError) -> Response {
    let mut response = error.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if response.status() == StatusCode::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Capability parameter=\"token\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

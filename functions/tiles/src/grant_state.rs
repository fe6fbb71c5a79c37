//! Checks whether a grant's tiles and TileJSON are available.

use accounting::Timestamp;
use axum::response::{IntoResponse, Response};
use gateway::{ApiError, Code};
use http::{HeaderValue, StatusCode, header};

use crate::tileset::KnownGrant;

/// Returns an error if the grant can't be used: 410 if it was revoked, 401 if it has expired, or 403 if its
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

/// Returns the 401 error for a tile request whose token or grant isn't valid.
pub(crate) fn unauthorized(message: &str) -> ApiError {
    ApiError::new(Code::Unauthorized, message)
}

/// Creates an error response that clients must not cache, because the same address may work later.
pub(crate) fn refuse(error: ApiError) -> Response {
    let mut response = error.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if response.status() == StatusCode::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Capability parameter=\"token\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

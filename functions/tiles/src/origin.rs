//! Checks the origin of a page that requests tiles.

use axum::response::Response;
use gateway::{ApiError, Code};
use http::{HeaderMap, HeaderValue, header};
use store::TileGrant;

/// Returns the origin of the requesting page if the grant allows it. Returns `None` if the request has no
/// `Origin` header, as in requests from programs and from pages on this service's own origin.
pub(crate) fn check(grant: &TileGrant, headers: &HeaderMap) -> Result<Option<HeaderValue>, ApiError> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Ok(None),
        (Some(origin), None) if is_allowed(grant, origin) => Ok(Some(origin.clone())),
        _ => Err(ApiError::new(
            Code::Forbidden,
            "the grant does not allow this page's origin; create a grant whose allowed_origins include it",
        )),
    }
}

/// Adds the CORS header that lets pages from the origin read the response, even if it's an error.
pub(crate) fn readable_by(mut response: Response, origin: Option<HeaderValue>) -> Response {
    if let Some(origin) = origin {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}

fn is_allowed(grant: &TileGrant, origin: &HeaderValue) -> bool {
    // A byte comparison is enough, because allowed origins are stored in the form that browsers send.
    grant.allowed_origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
}

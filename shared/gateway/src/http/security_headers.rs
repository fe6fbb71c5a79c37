//! The security headers for all responses, including the portal's.

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use http::{HeaderName, HeaderValue, header};

/// Makes browsers use only HTTPS for this host for a year. They ignore the header over plain HTTP, such as
/// from the local process. Subdomains aren't included, because they can belong to other services.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

const HEADERS: [(HeaderName, &str); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY),
];

/// Adds the security headers to all of a router's responses.
pub fn with_security_headers(router: Router) -> Router {
    router.layer(map_response(async |mut response: Response| {
        response.headers_mut().extend(HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value))));
        response
    }))
}

//! Allows the portal's pages to call the API from browsers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{Extensions, HeaderName, HeaderValue, Method, header};
use tower::{Layer, ServiceExt};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::stage::StageVariable;

/// The response headers that the portal's pages can read.
const READABLE: [&str; 17] = [
    "content-disposition",
    "etag",
    "idempotency-replayed",
    "link",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "x-credits-remaining",
    "x-credits-used",
    "x-data-maturity",
    "x-provenance",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-request-id",
    "x-session-token",
    "x-total-count",
];

/// The request headers that the portal's pages can send.
const SENDABLE: [&str; 6] =
    ["authorization", "content-type", "idempotency-key", "if-match", "x-api-key", "x-session-token"];

/// The CORS rules for the portal's pages, which apply to the configured origins and to the origin that the
/// stage names.
#[derive(Clone, Debug)]
pub(super) struct PortalPages {
    configured: Arc<[String]>,
    cors: CorsLayer,
}

impl PortalPages {
    pub(super) fn at(origins: &[String]) -> Self {
        // Ignore a wildcard in the configured origins, because it would allow all pages.
        let configured: Arc<[String]> = origins.iter().filter(|origin| *origin != "*").cloned().collect();
        let listed = configured.clone();
        let is_allowed = move |origin: &HeaderValue, request: &http::request::Parts| {
            origins_of(&listed, &request.extensions).any(|allowed| allowed.as_bytes() == origin.as_bytes())
        };
        let cors = CorsLayer::new()
            .allow_origin(AllowOrigin::predicate(is_allowed))
            .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
            .allow_headers(SENDABLE.map(HeaderName::from_static))
            .expose_headers(READABLE.map(HeaderName::from_static));
        Self { configured, cors }
    }
}

/// Allows the portal's pages to read responses, and answers their preflight requests. Without a configured
/// portal, the response is unchanged.
pub(super) async fn admit_portal_pages(
    State(PortalPages { configured, cors }): State<PortalPages>,
    request: Request,
    next: Next,
) -> Response {
    if origins_of(&configured, request.extensions()).next().is_none() {
        return next.run(request).await;
    }
    // A request without an `Origin` header doesn't come from a page of another origin.
    let is_of_page = request.headers().contains_key(header::ORIGIN);
    let mut response = if is_of_page {
        cors.layer(next).oneshot(request).await.unwrap_or_else(|never| match never {})
    } else {
        next.run(request).await
    };
    // Write one `Vary` header that includes the values from the request middleware. If there are several,
    // Lambda's adapter keeps only the first.
    let varies_by = HeaderValue::from_static("origin, accept, accept-encoding");
    response.headers_mut().insert(header::VARY, varies_by);
    response
}

fn origins_of<'a>(configured: &'a [String], of_request: &'a Extensions) -> impl Iterator<Item = &'a str> {
    configured.iter().map(String::as_str).chain(StageVariable::PortalOrigin.of(of_request))
}

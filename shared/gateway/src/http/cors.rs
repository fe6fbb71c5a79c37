//! Lets web pages call the API from browsers. The portal's pages and the origins that the administrator lists
//! are allowed.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{Extensions, HeaderName, HeaderValue, Method, header};
use tower::{Layer, ServiceExt};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::stage::StageVariable;
use crate::Config;

/// The response headers that pages can read.
const READABLE: [&str; 18] = [
    "content-disposition",
    "etag",
    "idempotency-replayed",
    "link",
    "location",
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

/// The request headers that pages can send. Headers for API keys aren't included, because anyone who opens a
/// page could read its key.
const SENDABLE: [&str; 6] =
    ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "x-session-token"];

/// The headers for API keys, which only the portal's pages can send. The portal's API reference sends the key
/// that the reader enters.
const KEYS: [&str; 2] = ["apikey", "x-api-key"];

/// The CORS rules for pages on other origins.
#[derive(Clone, Debug)]
pub(super) struct AllowedPages {
    /// The configured origins whose pages can call the API. The portal's origin is also allowed; a stage
    /// variable contains it.
    listed: Arc<[String]>,
    /// The API's public URL, if it's configured. It's also the portal's origin. template.yaml adds it to the
    /// listed origins, too.
    portal: Option<String>,
    /// The rules for the portal's pages.
    with_keys: CorsLayer,
    /// The rules for all other pages. Only listed origins are allowed.
    without_keys: CorsLayer,
}

impl AllowedPages {
    pub(super) fn new(config: &Config) -> Self {
        // Ignore a configured wildcard, because it would allow all pages.
        let listed: Arc<[String]> =
            config.portal_origins.iter().filter(|origin| *origin != "*").cloned().collect();
        let allowed = listed.clone();
        let is_listed = move |origin: &HeaderValue, _request: &http::request::Parts| {
            allowed.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
        };
        let sendable = || SENDABLE.into_iter();
        Self {
            listed,
            portal: config.public_url.clone(),
            with_keys: rules(sendable().chain(KEYS)).allow_origin(AllowOrigin::mirror_request()),
            without_keys: rules(sendable()).allow_origin(AllowOrigin::predicate(is_listed)),
        }
    }

    /// Returns whether pages on at least one other origin can call the API.
    fn admit_any(&self, request: &Extensions) -> bool {
        !self.listed.is_empty() || StageVariable::PortalOrigin.of(request).is_some()
    }

    fn rules_for(&self, origin: &HeaderValue, request: &Extensions) -> &CorsLayer {
        let mut portals = self.portal.as_deref().into_iter().chain(StageVariable::PortalOrigin.of(request));
        let is_portal = portals.any(|portal| portal.as_bytes() == origin.as_bytes());
        if is_portal { &self.with_keys } else { &self.without_keys }
    }
}

/// Lets allowed pages read responses and answers their preflight requests. Leaves responses unchanged if no
/// origins are allowed.
pub(super) async fn admit_pages(State(pages): State<AllowedPages>, request: Request, next: Next) -> Response {
    if !pages.admit_any(request.extensions()) {
        return next.run(request).await;
    }
    // A request without an `Origin` header doesn't come from a page on another origin.
    let mut response = match request.headers().get(header::ORIGIN) {
        Some(origin) => {
            let rules = pages.rules_for(origin, request.extensions());
            rules.layer(next).oneshot(request).await.unwrap_or_else(|never| match never {})
        }
        None => next.run(request).await,
    };
    // Write a single `Vary` header that also covers the request middleware's values, because Lambda's adapter
    // keeps only the first one.
    let varies_by = HeaderValue::from_static("origin, accept, accept-encoding");
    response.headers_mut().insert(header::VARY, varies_by);
    response
}

fn rules(sendable: impl Iterator<Item = &'static str>) -> CorsLayer {
    CorsLayer::new()
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(sendable.map(HeaderName::from_static).collect::<Vec<_>>())
        .expose_headers(READABLE.map(HeaderName::from_static))
}

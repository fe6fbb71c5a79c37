//! Allows pages to call the API from browsers: the portal's pages, and pages of the origins that the
//! administrator lists.

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

/// The request headers that pages can send. The list doesn't contain the headers for API keys, because anyone
/// who opens a page could read the page's key.
const SENDABLE: [&str; 6] =
    ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "x-session-token"];

/// The headers for API keys, which only the portal's pages can send. The portal's API reference calls the API
/// with a key that the reader enters.
const KEYS: [&str; 2] = ["apikey", "x-api-key"];

/// The CORS rules for pages of other origins.
#[derive(Clone, Debug)]
pub(super) struct AllowedPages {
    /// The origins whose pages can call the API, in addition to the portal's origin, which the stage names.
    listed: Arc<[String]>,
    /// The API's public URL, if it's configured. This is also the portal's origin. template.yaml adds it to
    /// the listed origins, too.
    portal: Option<String>,
    /// The rules for the portal's pages.
    with_keys: CorsLayer,
    /// The rules for all other pages, which allow only listed origins.
    without_keys: CorsLayer,
}

impl AllowedPages {
    pub(super) fn new(config: &Config) -> Self {
        // Ignore a wildcard in the configured origins, because it would allow all pages.
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

    /// Returns whether pages of at least one other origin can call the API.
    fn admit_any(&self, request: &Extensions) -> bool {
        !self.listed.is_empty() || StageVariable::PortalOrigin.of(request).is_some()
    }

    fn rules_for(&self, origin: &HeaderValue, request: &Extensions) -> &CorsLayer {
        let mut portals = self.portal.as_deref().into_iter().chain(StageVariable::PortalOrigin.of(request));
        let is_portal = portals.any(|portal| portal.as_bytes() == origin.as_bytes());
        if is_portal { &self.with_keys } else { &self.without_keys }
    }
}

/// Lets the allowed pages read responses, and answers their preflight requests. If no origin is allowed, the
/// response is unchanged.
pub(super) async fn admit_pages(State(pages): State<AllowedPages>, request: Request, next: Next) -> Response {
    if !pages.admit_any(request.extensions()) {
        return next.run(request).await;
    }
    // A request without an `Origin` header doesn't come from a page of another origin.
    let mut response = match request.headers().get(header::ORIGIN) {
        Some(origin) => {
            let rules = pages.rules_for(origin, request.extensions());
            rules.layer(next).oneshot(request).await.unwrap_or_else(|never| match never {})
        }
        None => next.run(request).await,
    };
    // Write one `Vary` header that includes the values from the request middleware. If there are several,
    // Lambda's adapter keeps only the first.
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

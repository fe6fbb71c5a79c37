//! Middleware around the whole router. It assigns request IDs, completes responses and their headers, and
//! writes the log line.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use accounting::AuthRequirement;
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, header};
use store::RequestId;

use super::admit::{Admitting, run};
use super::compression::{MAX_RESPONSE_BYTES, accepts_gzip, encoded};
use super::entity_tags::EntityTags;
use super::envelope::Envelope;
use super::operation::{Operation, Terms};
use super::public_url::PublicUrl;
use super::receipt::Receipt;
use super::reply::Outcome;
use crate::app::App;
use crate::code::Code;
use crate::error::ApiError;

/// The app and the router's operations.
pub(super) struct Service {
    pub(super) app: App,
    pub(super) operations: Vec<Operation>,
    /// Whether the function is ready. If it isn't, calls skip admission, and handlers return an error free of
    /// charge.
    pub(super) is_ready: bool,
}

/// Assigns a request ID, admits the request unless its operation is open to everyone, writes the response,
/// and logs the call.
pub(super) async fn answer(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let app = &service.app;
    let operations = service.at(&request);
    // Log the route's pattern, because the actual path may contain a secret.
    let route = operations.first().map(|operation| operation.path);
    let is_for_pages = operations.iter().any(|operation| operation.terms.is_for_pages);
    let terms = operations.iter().find(|one| one.takes(request.method())).map(|operation| operation.terms);
    let method = request.method().clone();
    let gzip = accepts_gzip(request.headers());
    let known = known_versions(&request);
    let public_url = PublicUrl::of_request(&request, &app.config);
    let request_id = RequestId::from_random(app.random.bytes());
    let shape = terms.and_then(|terms| terms.error_shape);
    let docs_url = public_url.of_docs(&app.config);
    let envelope = Envelope { request_id, docs_url, methodology_url: public_url.of_methodology(), shape };
    request.extensions_mut().insert(public_url);
    let answered = AssertUnwindSafe(service.handle(terms, request_id, request, next)).catch_unwind().await;
    let (outcome, receipt) =
        answered.unwrap_or_else(|_panic| (ApiError::internal().into(), Receipt::platform()));
    let outcome = outcome.unless_known(known.as_ref());
    let (mut response, code) = write(outcome, &envelope, &receipt, gzip).await;
    let varies_by = if is_for_pages { "origin, accept-encoding" } else { "accept, accept-encoding" };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static(varies_by));
    if let Ok(id) = HeaderValue::from_str(&request_id.to_string()) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    receipt.write_headers(response.headers_mut());
    tracing::info!(
        event = "request",
        %request_id,
        %method,
        route,
        org = receipt.org.as_ref().map(tracing::field::display),
        key_id = receipt.key.as_ref().map(tracing::field::display),
        product = receipt.product,
        status = response.status().as_u16(),
        code = code.map(Code::as_str),
        credits = receipt.credits_used,
        ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    );
    response
}

impl Service {
    /// Returns the operations on the request's path, for all methods.
    fn at(&self, request: &Request) -> Vec<&Operation> {
        let Some(matched) = request.extensions().get::<MatchedPath>() else { return Vec::new() };
        self.operations.iter().filter(|operation| operation.path == matched.as_str()).collect()
    }

    async fn handle(
        &self,
        terms: Option<Terms>,
        request_id: RequestId,
        request: Request,
        next: Next,
    ) -> (Outcome, Receipt) {
        let Some(terms) = terms else {
            return (Outcome::of(next.run(request).await), Receipt::platform());
        };
        let deadline = tokio::time::Instant::now() + self.app.config.handler_deadline;
        if terms.auth == AuthRequirement::Open || !self.is_ready {
            let handler = async { Ok(Outcome::of(next.run(request).await)) };
            let outcome = run(terms.product, deadline, handler).await.unwrap_or_else(Outcome::from);
            return (outcome, Receipt::open(terms.product));
        }
        let admitting = Admitting { app: &self.app, terms, request_id, deadline };
        admitting.admit(request, next).await.unwrap_or_else(|refused| refused)
    }
}

/// Returns the entity tags from a read request's `If-None-Match` header. Ignores a malformed header, so the
/// client gets a complete response.
fn known_versions(request: &Request) -> Option<EntityTags> {
    let is_read = request.method().is_safe();
    is_read.then(|| EntityTags::read(request.headers(), header::IF_NONE_MATCH).ok().flatten())?
}

/// Writes the response body. Also returns the error code if the response is an error. If the encoded body is
/// too large and the reply provides an error for this case, writes that error instead.
async fn write(
    outcome: Outcome,
    envelope: &Envelope,
    receipt: &Receipt,
    gzip: bool,
) -> (Response, Option<Code>) {
    let Outcome { mut response, content } = outcome;
    let (mut code, mut if_too_large) = (None, None);
    match content {
        Some(Ok(mut rendered)) => {
            if_too_large = rendered.about.if_too_large.take();
            envelope.write_reply(&mut response, rendered, receipt);
        }
        Some(Err(error)) => {
            envelope.write_error(&mut response, &error, receipt.product);
            code = Some(error.code);
        }
        None => {}
    }
    let (mut response, handed_bytes) = encoded(response, gzip).await;
    if let Some(error) = if_too_large
        && handed_bytes > MAX_RESPONSE_BYTES
    {
        response = Response::new(Body::empty());
        envelope.write_error(&mut response, &error, receipt.product);
        code = Some(error.code);
    }
    (response, code)
}

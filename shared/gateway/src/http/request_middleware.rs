//! Around a whole router: the id of each request, the body of each error, the headers and the log line.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, StatusCode, header};
use store::RequestId;

use super::compression::{MAX_RESPONSE_BYTES, accepts_gzip, encoded};
use super::docs_url::DocsUrl;
use super::envelope::{write_error, write_error_body};
use super::error::ApiError;
use super::receipt::Receipt;
use super::reply::IfTooLarge;
use crate::app::App;

/// Writes the status and the body of an error that is not shown in the envelope; `None` for one that is.
pub(super) type ErrorBody = Arc<dyn Fn(&ApiError) -> Option<(StatusCode, Vec<u8>)> + Send + Sync>;

/// What the answers of a whole router have in common.
#[derive(Clone)]
pub(super) struct RequestMiddleware {
    pub(super) app: App,
    /// What writes errors that are not shown in the envelope, by the paths of their routes.
    pub(super) error_bodies: BTreeMap<&'static str, ErrorBody>,
    /// The request headers that answers depend on.
    pub(super) varies_by: &'static str,
}

/// The path of the route that answered, with `{name}` for its parameters: a path itself may hold a secret.
#[derive(Clone, Copy)]
pub(super) struct RoutePattern(pub(super) &'static str);

/// Writes the errors of one request.
struct ErrorWriter {
    /// The shape of its route, where that has one of its own.
    shape: Option<ErrorBody>,
    docs_url: DocsUrl,
    request_id: RequestId,
}

/// Gives a request its id, an error its body, and the answer its headers and log line.
pub(super) async fn answer(
    State(middleware): State<RequestMiddleware>,
    mut request: Request,
    next: Next,
) -> Response {
    let RequestMiddleware { app, varies_by, .. } = &middleware;
    let started = Instant::now();
    let request_id = RequestId::from_random(app.random.bytes());
    let method = request.method().clone();
    let gzip = accepts_gzip(request.headers());
    let errors = ErrorWriter {
        shape: middleware.error_bodies.get(request.uri().path()).cloned(),
        docs_url: DocsUrl::of(&request, &app.config),
        request_id,
    };
    request.extensions_mut().insert(request_id);
    request.extensions_mut().insert(errors.docs_url.clone());
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = answered.unwrap_or_else(|_panic| ApiError::internal().into_response());
    let receipt = response.extensions_mut().remove::<Receipt>().unwrap_or_else(Receipt::platform);
    let route = response.extensions_mut().remove::<RoutePattern>().map(|RoutePattern(path)| path);
    let mut code = None;
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        errors.write(&mut response, &error, receipt.product);
        code = Some(error.code.as_str());
    }
    let if_too_large = response.extensions_mut().remove::<IfTooLarge>();
    let (mut response, body) = encoded(response, gzip).await;
    if let Some(IfTooLarge(error)) = if_too_large
        && body.handed_bytes() > MAX_RESPONSE_BYTES
    {
        response = Response::new(Body::empty());
        errors.write(&mut response, &error, receipt.product);
        code = Some(error.code.as_str());
    }
    if let Ok(id) = HeaderValue::from_str(&request_id.to_string()) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    response.headers_mut().insert(header::VARY, HeaderValue::from_static(varies_by));
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
        code,
        credits = receipt.credits_used,
        ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    );
    response
}

impl ErrorWriter {
    fn write(&self, response: &mut Response, error: &ApiError, product: &str) {
        match self.shape.as_ref().and_then(|shape| shape(error)) {
            Some((status, body)) => write_error_body(response, status, error.retry_after, body),
            None => write_error(response, error, product, self.request_id, &self.docs_url),
        }
    }
}

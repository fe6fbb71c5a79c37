//! The engine's HTTP interface, which is compatible with DynamoDB. It's only for programs on this machine
//! and rejects requests from web pages.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use dynoxide::Database;
use http::header::{CONTENT_TYPE, DATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use runtime::Clock;

use super::fault::explained;
use super::stream::Stream;
use crate::host_guard::{self, AllowedHosts};

/// The maximum size of a DynamoDB request, in bytes.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// The prefix of operation names in `X-Amz-Target`.
const TARGET: &str = "DynamoDB_20120810.";

/// The content type of responses. See <https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html>.
const JSON: &str = "application/x-amz-json-1.0";

/// The database, its name in error messages, and the stream that reports its writes.
type Served = Arc<(Database, String, Arc<Stream>)>;

/// Returns a router for the database. `file` is the database's name in error messages, and `clock` determines
/// the `Date` header.
pub(super) fn router(database: Database, file: &str, stream: Arc<Stream>, clock: Clock) -> Router {
    let served: Served = Arc::new((database, file.to_owned(), stream));
    Router::new()
        .fallback(call)
        .with_state(served)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn_with_state(AllowedHosts::default(), host_guard::admit))
        .layer(from_fn_with_state(clock, set_date))
}

async fn call(State(served): State<Served>, headers: HeaderMap, body: Bytes) -> Response {
    let (database, file, stream) = &*served;
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    let operation = target.and_then(|target| target.strip_prefix(TARGET)).unwrap_or_default();
    let (status, json) = match stream.run(database, operation, &body).map_err(|error| explained(file, error))
    {
        Ok(json) => (StatusCode::OK, json),
        Err(error) => {
            let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::BAD_REQUEST);
            (status, error.to_json().into_bytes())
        }
    };
    (status, [(CONTENT_TYPE, JSON)], json).into_response()
}

/// Sets the `Date` header to the engine's clock, because the HTTP server would use the system clock.
async fn set_date(State(clock): State<Clock>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let date = httpdate::fmt_http_date(clock.now().to_system());
    let date = HeaderValue::try_from(date).expect("an HTTP date is ASCII");
    response.headers_mut().insert(DATE, date);
    response
}

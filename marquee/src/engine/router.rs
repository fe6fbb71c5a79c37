//! The engine's HTTP interface, which is DynamoDB's: for programs on this machine that have the secret of
//! this start, and for no web page.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use dynoxide::Database;
use http::header::{DATE, ORIGIN};
use http::{HeaderMap, HeaderValue};
use shared::runtime::Clock;

use super::access_key::{AccessKeyId, presented};
use super::answer::{NotRun, answer};
use super::fault::FaultReports;
use super::operations::run;
use crate::hosts::AllowedHosts;

/// The largest request that DynamoDB takes, in bytes.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// The first part of `X-Amz-Target`; the operation's name follows it.
const TARGET: &str = "DynamoDB_20120810.";

/// Makes the router of a database. Its answers carry the time of `clock` in their `Date`.
pub(super) fn router(
    database: Database,
    faults: FaultReports,
    access_key_id: AccessKeyId,
    clock: Clock,
) -> Router {
    Router::new()
        .fallback(call)
        .with_state((database, faults))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn_with_state(access_key_id, admit))
        .layer(from_fn_with_state(clock, set_date))
}

/// Refuses whoever may not call, before anything of the body is read.
async fn admit(State(key): State<AccessKeyId>, request: Request, next: Next) -> Result<Response, NotRun> {
    let headers = request.headers();
    AllowedHosts::default().check(request.uri(), headers)?;
    if headers.contains_key(ORIGIN) {
        return Err(NotRun::Page);
    }
    if !key.is(presented(headers).ok_or(NotRun::NoAccessKey)?) {
        return Err(NotRun::WrongAccessKey);
    }
    Ok(next.run(request).await)
}

async fn call(
    State((database, faults)): State<(Database, FaultReports)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, NotRun> {
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    let operation = target.and_then(|target| target.strip_prefix(TARGET)).unwrap_or_default();
    let result = run(&database, operation, &body).ok_or(NotRun::UnknownOperation)?;
    Ok(answer(result.map_err(|error| faults.explained(error))))
}

/// Dates answers by the engine's clock, before the HTTP server would date them by the system's.
async fn set_date(State(clock): State<Clock>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let date = httpdate::fmt_http_date(clock.now().to_system());
    let date = HeaderValue::try_from(date).expect("a date is ASCII");
    response.headers_mut().insert(DATE, date);
    response
}

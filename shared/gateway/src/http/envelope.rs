//! The envelopes of answers and errors.

use axum::body::Body;
use axum::response::Response;
use http::{StatusCode, header};
use serde::Serialize;
use store::RequestId;

use super::content_type::ContentType;
use super::docs_url::DocsUrl;
use super::error::ApiError;
use super::provenance::ShownProvenance;
use super::receipt::Receipt;
use super::reply::Rendered;
use super::warnings::Warnings;
use crate::INTERFACE_VERSION;
use crate::input::Violation;

#[derive(Serialize)]
struct Meta<'a> {
    request_id: RequestId,
    credits_used: u64,
    credits_remaining: u64,
    product: &'a str,
    version: &'a str,
    provenance: ShownProvenance<'a>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    warnings: Option<&'a Warnings>,
}

#[derive(Serialize)]
struct ErrorEnvelope<'a> {
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: &'a str,
    message: &'a str,
    status: u16,
    request_id: RequestId,
    product: &'a str,
    docs_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Context<'a>>,
}

#[derive(Serialize)]
struct Context<'a> {
    errors: &'a [Violation],
}

/// Writes a reply's members, and `meta` after them, into a response; of a file that has no place for it, what
/// the headers hold.
pub(super) fn write_reply(
    response: &mut Response,
    rendered: Rendered,
    receipt: &Receipt,
    request_id: RequestId,
    docs_url: &DocsUrl,
) {
    let Rendered { mut body, content_type, provenance, sources, warnings, columns: _ } = rendered;
    let provenance = ShownProvenance::of(provenance, &sources, docs_url.as_str());
    if content_type != ContentType::Json {
        provenance.write_headers(response.headers_mut());
    }
    if content_type != ContentType::Csv {
        let meta = Meta {
            request_id,
            credits_used: receipt.credits_used,
            credits_remaining: receipt.credits_remaining.unwrap_or(0),
            product: receipt.product,
            version: INTERFACE_VERSION,
            provenance,
            warnings: warnings.as_ref(),
        };
        body.pop();
        body.extend_from_slice(if body.len() > 1 { b",\"meta\":" } else { b"\"meta\":" });
        write_json(&mut body, &meta);
        body.push(b'}');
    }
    set_body(response, content_type, body);
}

/// Writes an error's envelope into a response.
pub(super) fn write_error(
    response: &mut Response,
    error: &ApiError,
    product: &str,
    request_id: RequestId,
    docs_url: &DocsUrl,
) {
    let errors = error.violations.as_ref().map(|violations| violations.as_slice());
    let envelope = ErrorEnvelope {
        error: ErrorBody {
            code: error.code.as_str(),
            message: &error.message,
            status: error.code.status().as_u16(),
            request_id,
            product,
            docs_url: docs_url.of_code(error.code),
            context: errors.map(|errors| Context { errors }),
        },
    };
    let mut body = Vec::new();
    write_json(&mut body, &envelope);
    write_error_body(response, error.code.status(), error.retry_after, body);
}

/// Writes an error's body into a response, with its status and the seconds after which another try makes
/// sense.
pub(super) fn write_error_body(
    response: &mut Response,
    status: StatusCode,
    retry_after: Option<i64>,
    body: Vec<u8>,
) {
    *response.status_mut() = status;
    set_body(response, ContentType::Json, body);
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
}

fn write_json<T: Serialize>(body: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(body, value).expect("texts and numbers are written into memory");
}

fn set_body(response: &mut Response, content_type: ContentType, body: Vec<u8>) {
    response.headers_mut().insert(header::CONTENT_TYPE, content_type.header());
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = Body::from(body);
}

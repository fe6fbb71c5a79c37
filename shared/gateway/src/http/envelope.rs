//! Writes the envelopes of responses and errors.

use axum::body::Body;
use axum::response::Response;
use http::header;
use serde::Serialize;
use store::RequestId;

use super::content_type::ContentType;
use super::operation::ErrorShape;
use super::provenance::ShownProvenance;
use super::receipt::Receipt;
use super::reply::Rendered;
use super::warnings::Warnings;
use crate::INTERFACE_VERSION;
use crate::error::ApiError;
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

/// The values that response and error envelopes share.
pub(super) struct Envelope {
    pub(super) request_id: RequestId,
    /// The URL of the error code documentation.
    pub(super) docs_url: String,
    /// The URL of the page that explains how figures are computed.
    pub(super) methodology_url: String,
    /// The function that writes errors without an envelope, if the operation has one.
    pub(super) shape: Option<ErrorShape>,
}

impl Envelope {
    /// Writes a reply into the response. Adds `meta` to it, except in CSV files. For files, also writes the
    /// provenance into headers.
    pub(super) fn write_reply(&self, response: &mut Response, rendered: Rendered, receipt: &Receipt) {
        let Rendered { mut body, content_type, about } = rendered;
        let provenance = ShownProvenance::of(about.provenance, &about.sources, &self.methodology_url);
        if content_type != ContentType::Json {
            provenance.write_headers(response.headers_mut());
        }
        if content_type != ContentType::Csv {
            let meta = Meta {
                request_id: self.request_id,
                credits_used: receipt.credits_used,
                credits_remaining: receipt.credits_remaining.unwrap_or(0),
                product: receipt.product,
                version: INTERFACE_VERSION,
                provenance,
                warnings: about.warnings.as_ref(),
            };
            body.pop();
            body.extend_from_slice(if body.len() > 1 { b",\"meta\":" } else { b"\"meta\":" });
            write_json(&mut body, &meta);
            body.push(b'}');
        }
        set_body(response, content_type, body);
    }

    /// Writes an error into the response, and sets the status and `Retry-After`.
    pub(super) fn write_error(&self, response: &mut Response, error: &ApiError, product: &str) {
        let mut body = Vec::new();
        *response.status_mut() = match self.shape.and_then(|shape| shape(error)) {
            Some((status, shaped)) => {
                write_json(&mut body, &shaped);
                status
            }
            None => {
                write_json(&mut body, &self.of_error(error, product));
                error.code.status()
            }
        };
        set_body(response, ContentType::Json, body);
        if let Some(seconds) = error.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
    }

    fn of_error<'a>(&self, error: &'a ApiError, product: &'a str) -> ErrorEnvelope<'a> {
        let errors = error.violations.as_ref().map(|violations| violations.as_slice());
        ErrorEnvelope {
            error: ErrorBody {
                code: error.code.as_str(),
                message: &error.message,
                status: error.code.status().as_u16(),
                request_id: self.request_id,
                product,
                docs_url: format!("{}#{}", self.docs_url, error.code.anchor()),
                context: errors.map(|errors| Context { errors }),
            },
        }
    }
}

fn write_json<T: Serialize>(body: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(body, value).expect("writing to memory doesn't fail");
}

fn set_body(response: &mut Response, content_type: ContentType, body: Vec<u8>) {
    response.headers_mut().insert(header::CONTENT_TYPE, content_type.header());
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = Body::from(body);
}

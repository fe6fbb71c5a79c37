//! The envelopes of answers and errors.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use super::error::ApiError;
use super::receipt::Receipt;
use super::reply::Rendered;
use super::warnings::Warnings;
use crate::input::Violation;
use crate::runtime::{Config, INTERFACE_VERSION};
use crate::types::{self, Maturity, RecordSource, RequestId};

#[derive(Serialize)]
struct Meta<'a> {
    request_id: RequestId,
    credits_used: u64,
    credits_remaining: u64,
    product: &'a str,
    version: &'a str,
    provenance: Provenance<'a>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    warnings: Option<&'a Warnings>,
}

/// Where an answer comes from (`Provenance` in openapi.yaml).
#[derive(Serialize)]
struct Provenance<'a> {
    source: &'a str,
    source_doc: &'a str,
    methodology_version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_vintage: Option<&'a str>,
    data_freshness: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_latency_days: Option<u32>,
    data_maturity: Maturity,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    known_gaps: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sources: &'a [RecordSource],
    #[serde(skip_serializing_if = "Option::is_none")]
    sources_total: Option<usize>,
}

/// How many of the sources of an answer's records are listed.
const LISTED_SOURCES: usize = 20;

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

/// Writes a reply's members, and `meta` after them, into a response.
pub(super) fn write_reply(
    response: &mut Response,
    rendered: Rendered,
    receipt: &Receipt,
    request_id: RequestId,
    config: &Config,
) {
    let meta = Meta {
        request_id,
        credits_used: receipt.credits_used,
        credits_remaining: receipt.credits_remaining.unwrap_or(0),
        product: receipt.product,
        version: INTERFACE_VERSION,
        provenance: rendered
            .provenance
            .as_ref()
            .map_or_else(|| own_records(config), |said| released(said, config)),
        warnings: rendered.warnings.as_ref(),
    };
    let mut body = rendered.opening;
    body.extend_from_slice(b"\"meta\":");
    write_json(&mut body, &meta);
    body.push(b'}');
    set_json(response, body);
}

/// Writes an error's envelope into a response.
pub(super) fn write_error(
    response: &mut Response,
    error: &ApiError,
    product: &str,
    request_id: RequestId,
    config: &Config,
) {
    let errors = error.violations.as_ref().map(|violations| violations.as_slice());
    let envelope = ErrorEnvelope {
        error: ErrorBody {
            code: error.code.as_str(),
            message: &error.message,
            status: error.code.status().as_u16(),
            request_id,
            product,
            docs_url: format!("{}#{}", config.docs_url, error.code.anchor()),
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
    set_json(response, body);
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
}

/// Describes what the organization itself has stored.
fn own_records(config: &Config) -> Provenance<'_> {
    Provenance {
        source: "the organization's own records",
        source_doc: &config.docs_url,
        methodology_version: INTERFACE_VERSION,
        data_vintage: None,
        data_freshness: "on-demand",
        data_latency_days: Some(0),
        data_maturity: Maturity::Production,
        known_gaps: &[],
        sources: &[],
        sources_total: None,
    }
}

/// Describes figures of a data release.
fn released<'a>(said: &'a types::Provenance, config: &'a Config) -> Provenance<'a> {
    let types::Provenance {
        source,
        source_doc,
        methodology_version,
        data_vintage,
        data_freshness,
        data_latency_days,
        data_maturity,
        known_gaps,
        sources,
    } = said;
    let total = sources.len();
    Provenance {
        source,
        source_doc: source_doc.as_deref().unwrap_or(&config.docs_url),
        methodology_version,
        data_vintage: Some(data_vintage),
        data_freshness,
        data_latency_days: *data_latency_days,
        data_maturity: *data_maturity,
        known_gaps,
        sources: &sources[..total.min(LISTED_SOURCES)],
        sources_total: (total > 0).then_some(total),
    }
}

fn write_json<T: Serialize>(body: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(body, value).expect("texts and numbers are written into memory");
}

fn set_json(response: &mut Response, body: Vec<u8>) {
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = Body::from(body);
}

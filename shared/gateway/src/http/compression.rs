//! Compression of answers, and how large they are when Lambda is handed them.

use std::io::Write;

use axum::body::{Body, Bytes, to_bytes};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, header};
use store::escaped_len;

use super::preference::weighted;

/// The most bytes of a body, as Lambda is handed it, that fit into its 6 MB together with the headers.
pub(super) const MAX_RESPONSE_BYTES: usize = 5_800_000;

/// The smallest body that is compressed, in bytes: a smaller one fits into one packet of the network as it
/// is.
const MIN_COMPRESSED_BYTES: usize = 1_400;

/// Tells whether a client takes gzip: as itself, or else as anything.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let (mut by_name, mut by_wildcard) = (None, None);
    for (name, weight) in weighted(headers, header::ACCEPT_ENCODING) {
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            by_name = Some(weight > 0.0);
        } else if name == "*" {
            by_wildcard = Some(weight > 0.0);
        }
    }
    by_name.or(by_wildcard).unwrap_or(false)
}

/// Compresses a response where its client takes that and its body is worth it. Returns also how many bytes of
/// its body Lambda is handed: the adapter encodes a compressed body as base64, and puts any other into its own
/// JSON as a text.
///
/// The entity tag stays as it is. It names an asset's version, which `If-Match` sends back, and not the bytes
/// of one answer: those differ with each call in any case, since `meta` has the request's id. Nothing is
/// served in ranges, and `Vary` keeps a cache from taking one form for the other.
pub(super) async fn encoded(response: Response, gzip: bool) -> (Response, usize) {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("handlers answer from memory");
    let is_compressed = parts.headers.contains_key(header::CONTENT_ENCODING);
    let compresses = gzip && !is_compressed && body.len() >= MIN_COMPRESSED_BYTES;
    let body = if compresses { Bytes::from(compressed(&body)) } else { body };
    if compresses {
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        parts.headers.remove(header::CONTENT_LENGTH);
    }
    let is_compressed = is_compressed || compresses;
    let handed_bytes = if is_compressed { body.len().div_ceil(3) * 4 } else { escaped_len(&body) };
    (Response::from_parts(parts, Body::from(body)), handed_bytes)
}

fn compressed(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).and_then(|()| encoder.finish()).expect("memory is compressed into memory")
}

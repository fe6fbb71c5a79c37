//! Compresses responses and measures their size as Lambda does.

use std::io::{Read, Write};

use axum::body::{Body, to_bytes};
use axum::response::Response;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, header};
use store::escaped_len;

use super::preference::weighted;

/// The maximum size of an encoded body, in bytes. A body of this size and its headers stay within Lambda's 6
/// MB response limit.
pub(super) const MAX_RESPONSE_BYTES: usize = 5_800_000;

/// The minimum size of a compressed body, in bytes. Smaller bodies fit in a single network packet anyway.
const MIN_COMPRESSED_BYTES: usize = 1_400;

/// Returns whether a client accepts gzip, either explicitly or through a wildcard.
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

/// Compresses the response body if the client accepts gzip and the body is large enough. If the handler
/// already compressed the body and the client doesn't accept gzip, decompresses it. Also returns the body's
/// size as Lambda receives it: the adapter encodes a compressed body as Base64, and any other body as a JSON
/// string.
///
/// The entity tag stays the same, because it identifies an asset's version for `If-Match`, not a response's
/// bytes. The bytes differ between calls anyway, because `meta` contains the request ID. Ranges aren't
/// supported, and `Vary` prevents caches from mixing up the two encodings.
pub(super) async fn encoded(response: Response, gzip: bool) -> (Response, usize) {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("handlers respond from memory");
    let is_compressed = parts.headers.contains_key(header::CONTENT_ENCODING);
    let compresses = gzip && !is_compressed && body.len() >= MIN_COMPRESSED_BYTES;
    let decompresses = is_compressed && !gzip;
    let body = if compresses {
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        compressed(&body).into()
    } else if decompresses {
        parts.headers.remove(header::CONTENT_ENCODING);
        decompressed(&body).into()
    } else {
        body
    };
    if compresses || decompresses {
        parts.headers.remove(header::CONTENT_LENGTH);
    }
    let is_compressed = (is_compressed || compresses) && !decompresses;
    let handed_bytes = if is_compressed { body.len().div_ceil(3) * 4 } else { escaped_len(&body) };
    (Response::from_parts(parts, Body::from(body)), handed_bytes)
}

/// Decompresses a response body, which is empty for HEAD requests.
fn decompressed(body: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    if body.is_empty() {
        return plain;
    }
    GzDecoder::new(body).read_to_end(&mut plain).expect("handlers compress their bodies with gzip");
    plain
}

fn compressed(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).and_then(|()| encoder.finish()).expect("compression in memory succeeds")
}

//! `GET /v2/openapi.yaml`: the interface description.

use http::header;

/// Answers with the interface description that the tests hold every response to.
pub(crate) async fn read() -> ([(header::HeaderName, &'static str); 2], &'static str) {
    let headers =
        [(header::CONTENT_TYPE, "application/yaml"), (header::CACHE_CONTROL, "public, max-age=300")];
    (headers, include_str!("../../../openapi.yaml"))
}

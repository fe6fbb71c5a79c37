//! `GET /v2/openapi.yaml`: the OpenAPI description.

use http::header;

/// Responds with the OpenAPI description. Tests compare every response with it.
pub(crate) async fn read() -> ([(header::HeaderName, &'static str); 2], &'static str) {
    let headers =
        [(header::CONTENT_TYPE, "application/yaml"), (header::CACHE_CONTROL, "public, max-age=300")];
    (headers, include_str!("../../../openapi.yaml"))
}

//! `GET /v2/openapi.yaml`: the OpenAPI description with the addresses of this service.

use axum::Extension;
use axum::extract::Request;
use gateway::{PublicUrl, StageVariable, replace_example_origins};
use http::header;

const DOCUMENT: &str = include_str!("../../../openapi.yaml");

/// Returns the OpenAPI description, in which this service's own origins replace the example origins. Tests
/// compare every response with the description. Without a gateway's stage, as in the local process, both
/// gateways have the same origin.
pub(crate) async fn read(
    Extension(public_url): Extension<PublicUrl>,
    request: Request,
) -> ([(header::HeaderName, &'static str); 2], String) {
    let api = public_url.of("");
    let search = StageVariable::SearchUrl.of(request.extensions()).unwrap_or(&api);
    let document = replace_example_origins(DOCUMENT, &api, search);
    let headers =
        [(header::CONTENT_TYPE, "application/yaml"), (header::CACHE_CONTROL, "public, max-age=300")];
    (headers, document)
}

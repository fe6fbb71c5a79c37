//! `GET /v2/openapi.yaml`: the OpenAPI description with the addresses of this service.

use axum::Extension;
use axum::extract::Request;
use gateway::{PublicUrl, StageVariable, replace_example_origins};
use http::header;

const DOCUMENT: &str = include_str!("../../../openapi.yaml");

/// Returns the OpenAPI description, with this service's origins in place of the example origins. If no stage
/// variable contains the search gateway's origin, as in the local process, the main API's origin is used for
/// both gateways.
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

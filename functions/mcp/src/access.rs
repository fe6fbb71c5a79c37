//! A request's API key.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::json;
use store::ApiKey;

/// The header for API keys, as in the main API.
const KEY_HEADER: &str = "x-api-key";

/// The JSON-RPC error code for a request without valid credentials. The range from -32099 to -32000 is
/// reserved for errors that servers define. See <https://www.jsonrpc.org/specification#error_object>.
const UNAUTHORIZED: i32 = -32001;

/// A request's API key, as the caller sent it. It's stored in the request's extensions.
#[derive(Clone)]
pub(crate) struct SentKey(pub(crate) HeaderValue);

/// Rejects requests without a well-formed API key. The API checks whether the key is valid when a tool calls
/// it.
pub(crate) async fn require_key(mut request: Request, next: Next) -> Response {
    let Some(key) = key_of(request.headers()) else { return unauthorized() };
    request.extensions_mut().insert(key);
    next.run(request).await
}

/// Returns the key in `X-API-Key`, or else in `Authorization: Bearer`, where most MCP clients send it.
/// Returns `None` if there is no well-formed key. Signed-in people's tokens aren't accepted, because they
/// would let an agent manage keys and members.
fn key_of(headers: &HeaderMap) -> Option<SentKey> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.split_once(' '));
    let bearer =
        bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, key)| key.trim());
    let key = headers.get(KEY_HEADER).and_then(|value| value.to_str().ok()).or(bearer)?;
    let key: ApiKey = key.parse().ok()?;
    let mut value = HeaderValue::from_str(key.reveal()).ok()?;
    value.set_sensitive(true);
    Some(SentKey(value))
}

fn unauthorized() -> Response {
    let message = "send an API key, `mq_live_` followed by 64 lowercase hexadecimal digits, in \
                   `Authorization: Bearer` or `X-API-Key`; owners create keys on the portal's Keys \
                   page";
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": UNAUTHORIZED, "message": message}});
    let headers = [
        (header::WWW_AUTHENTICATE, "ApiKey header=\"X-API-Key\", Bearer"),
        (header::CONTENT_TYPE, "application/json"),
    ];
    (StatusCode::UNAUTHORIZED, headers, error.to_string()).into_response()
}

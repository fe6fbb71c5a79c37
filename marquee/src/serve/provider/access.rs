//! Keeps the provider to this machine: who reaches it may sign in as anybody.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::hosts::AllowedHosts;

/// The headers by which proxies and tunnels tell for whom they call.
const FORWARDED: [&str; 3] = ["forwarded", "x-forwarded-for", "x-forwarded-host"];

/// Why the provider does not answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotLocal {
    #[error(
        "signing in works on this machine alone, under its own names: anybody who came through a tunnel \
         could be anybody here; through it, use an API key\n"
    )]
    Tunnel,
    #[error("only the sign-in page itself may send this form; open it at the address of this process\n")]
    Page,
}

/// Lets requests of this machine's own browsers and programs through, and nobody keep the answers. It refuses
/// what came through a tunnel, under its name or under ours, and forms of other origins.
pub(super) async fn admit(request: Request, next: Next) -> Result<Response, NotLocal> {
    // The names of tunnels are not among these.
    let local = AllowedHosts::default();
    if local.check(request.uri(), request.headers()).is_err() || is_forwarded(request.headers()) {
        return Err(NotLocal::Tunnel);
    }
    if !request.method().is_safe() && !local.allows_origin(request.headers()) {
        return Err(NotLocal::Page);
    }
    let mut response = next.run(request).await;
    // Codes and tokens are for whoever asked, this once.
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    Ok(response)
}

fn is_forwarded(headers: &HeaderMap) -> bool {
    FORWARDED.into_iter().any(|name| headers.contains_key(name))
}

impl IntoResponse for NotLocal {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, self.to_string()).into_response()
    }
}

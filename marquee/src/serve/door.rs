//! Keeps the pages of other sites out of the local process, which any browser on this machine can reach.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::hosts::{AllowedHosts, ForeignHost};

/// Why a request does not reach a function.
#[derive(Debug, thiserror::Error)]
pub(super) enum KeptOut {
    #[error("{0}; to answer under the name of a tunnel, start `marquee serve` with --allow-host NAME\n")]
    Host(#[from] ForeignHost),
    #[error(
        "pages of other sites and ports may only read; to let one do more, start `marquee serve` with \
         --allow-host NAME\n"
    )]
    Page,
}

/// Refuses requests that are addressed to another host, and those of other sites' pages that could change
/// something, of those on other local ports too. What such pages may read, the functions themselves decide by
/// CORS.
pub(super) async fn admit(
    State(hosts): State<AllowedHosts>,
    request: Request,
    next: Next,
) -> Result<Response, KeptOut> {
    hosts.check(request.uri(), request.headers())?;
    if !request.method().is_safe() && !hosts.allows_origin(request.headers()) {
        return Err(KeptOut::Page);
    }
    Ok(next.run(request).await)
}

impl IntoResponse for KeptOut {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, self.to_string()).into_response()
    }
}

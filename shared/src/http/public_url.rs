//! The address that callers know us by, which answers name that lead somewhere.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use http::header;
use http::request::Parts;
use lambda_http::request::RequestContext;

use crate::runtime::Config;

/// The address under which the caller reaches the main surface, without `/v2`: the configured one, or else
/// the one that the request went to.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Returns the address of a path.
    pub fn of(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl<S: Sync> FromRequestParts<S> for PublicUrl
where
    Arc<Config>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        if let Some(url) = &Arc::<Config>::from_ref(state).public_url {
            return Ok(Self(url.clone()));
        }
        // The gateway's word on its own name; it takes no request for another.
        if let Some(RequestContext::ApiGatewayV2(context)) = parts.extensions.get()
            && let Some(domain) = &context.domain_name
        {
            return Ok(Self(format!("https://{domain}")));
        }
        // Without a gateway there is no TLS either. Without a host, what is left is a path on the caller's.
        let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
        Ok(Self(host.map(|host| format!("http://{host}")).unwrap_or_default()))
    }
}

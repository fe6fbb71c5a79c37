//! The address that callers know us by, which answers name that lead somewhere.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use http::request::Parts;
use http::{Extensions, HeaderMap, header};
use lambda_http::request::RequestContext;

use super::stage::StageVariable;
use crate::Config;

/// The address under which the caller reaches the main surface, without `/v2`: the configured one, or else
/// the one that the request went to.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Finds it for a request.
    pub(super) fn of_request(headers: &HeaderMap, extensions: &Extensions, config: &Config) -> Self {
        if let Some(url) = &config.public_url {
            return Self(url.clone());
        }
        // The search gateway has a name of its own, and is told that of the main surface.
        if let Some(origin) = StageVariable::PortalOrigin.of(extensions) {
            return Self(origin.to_owned());
        }
        // The gateway's word on its own name; it takes no request for another.
        if let Some(RequestContext::ApiGatewayV2(context)) = extensions.get()
            && let Some(domain) = &context.domain_name
        {
            return Self(format!("https://{domain}"));
        }
        // Without a gateway there is no TLS either. Without a host, what is left is a path on the caller's.
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        Self(host.map(|host| format!("http://{host}")).unwrap_or_default())
    }

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
        let config = Arc::<Config>::from_ref(state);
        Ok(Self::of_request(&parts.headers, &parts.extensions, &config))
    }
}

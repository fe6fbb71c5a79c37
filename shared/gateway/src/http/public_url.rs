//! The address that callers know us by, which answers name that lead somewhere.

use axum::extract::Request;
use http::header;
use lambda_http::request::RequestContext;

use super::stage::StageVariable;
use crate::Config;

/// The path of the portal's page about errors, which explains them where nothing else is configured.
const ERRORS_PAGE: &str = "/portal/docs/errors";

/// The path of the portal's page about the methods behind figures.
const METHODOLOGY_PAGE: &str = "/portal/docs/model";

/// The address under which the caller reaches the main surface, without `/v2`: the configured one, or else
/// the one that the request went to. Each request has it as an extension.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Finds it for a request.
    pub(super) fn of_request(request: &Request, config: &Config) -> Self {
        if let Some(url) = &config.public_url {
            return Self(url.clone());
        }
        // The search gateway has a name of its own, and is told that of the main surface.
        if let Some(origin) = StageVariable::PortalOrigin.of(request.extensions()) {
            return Self(origin.to_owned());
        }
        // The gateway's word on its own name; it takes no request for another.
        if let Some(RequestContext::ApiGatewayV2(context)) = request.extensions().get()
            && let Some(domain) = &context.domain_name
        {
            return Self(format!("https://{domain}"));
        }
        // Without a gateway there is no TLS either. Without a host, what is left is a path on the caller's.
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        Self(host.map(|host| format!("http://{host}")).unwrap_or_default())
    }

    /// Returns the address of a path.
    pub fn of(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Returns the address of the page that explains errors, for a caller to open.
    pub(super) fn of_docs(&self, config: &Config) -> String {
        config.docs_url.clone().unwrap_or_else(|| self.of(ERRORS_PAGE))
    }

    /// Returns the address of the page that documents figures without a documentation of their own.
    pub(super) fn of_methodology(&self) -> String {
        self.of(METHODOLOGY_PAGE)
    }
}

//! Determines the API's public URL, for links in responses.

use axum::extract::Request;
use http::header;
use lambda_http::request::RequestContext;

use super::stage::StageVariable;
use crate::Config;

/// The main API's origin in openapi.yaml and the documentation. Served copies contain the deployment's own
/// origin instead.
pub const EXAMPLE_API_ORIGIN: &str = "https://api.example.com";
const EXAMPLE_SEARCH_ORIGIN: &str = "https://search.example.com";

/// The path of the portal's page about error codes. Errors link to it unless another page is configured.
const ERRORS_PAGE: &str = "/portal/docs/errors";

/// The path of the portal's page that explains how figures are computed.
const METHODOLOGY_PAGE: &str = "/portal/docs/model";

/// The main API's public URL, without `/v2`. It's either configured or derived from the request. Middleware
/// adds it to each request as an extension.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Returns the configured URL or derives it from the request.
    pub(super) fn of_request(request: &Request, config: &Config) -> Self {
        if let Some(url) = &config.public_url {
            return Self(url.clone());
        }
        // The search gateway has a different host, so its stage variable contains the main API's origin.
        if let Some(origin) = StageVariable::PortalOrigin.of(request.extensions()) {
            return Self(origin.to_owned());
        }
        // API Gateway reports its own domain name and doesn't accept requests for other hosts.
        if let Some(RequestContext::ApiGatewayV2(context)) = request.extensions().get()
            && let Some(domain) = &context.domain_name
        {
            return Self(format!("https://{domain}"));
        }
        // Without API Gateway, requests don't use TLS. If there is no `Host` header, links are relative.
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        Self(host.map(|host| format!("http://{host}")).unwrap_or_default())
    }

    /// Returns the public URL for a path.
    pub fn of(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Returns the URL of the page about error codes.
    pub(super) fn of_docs(&self, config: &Config) -> String {
        config.docs_url.clone().unwrap_or_else(|| self.of(ERRORS_PAGE))
    }

    /// Returns the URL of the page that explains how figures are computed.
    pub(super) fn of_methodology(&self) -> String {
        self.of(METHODOLOGY_PAGE)
    }
}

/// Replaces the example origins in a document with the deployment's origins for the main API and the search
/// gateway.
pub fn replace_example_origins(document: &str, api: &str, search: &str) -> String {
    document.replace(EXAMPLE_API_ORIGIN, api).replace(EXAMPLE_SEARCH_ORIGIN, search)
}

//! Deployment settings that the portal's pages use.

use std::collections::BTreeSet;

use gateway::StageVariable;
use http::Extensions;
use runtime::Environment;
use serde::Serialize;

/// Sign-in settings and addresses of the service. The shell contains them as JSON.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Settings {
    /// The issuer of the tokens that the API accepts.
    pub issuer: Option<String>,
    /// The portal's client ID at the issuer. `None` if a stage variable contains it.
    pub client_id: Option<String>,
    /// The issuer's sign-out page.
    pub sign_out_url: Option<String>,
    /// The origin of the search gateway. `None` if a stage variable contains it, or if the search gateway has
    /// the same origin as the portal.
    pub search_url: Option<String>,
    /// The page where people can ask for more credits.
    pub support_url: Option<String>,
    /// Whether people can sign up without an administrator.
    pub self_sign_up: bool,
    /// Whether the portal runs in a local process for development, with test organizations and local data.
    pub local: bool,
}

impl Settings {
    /// Reads `OIDC_ISSUER`, `OIDC_AUDIENCE`, `SIGN_IN_URL`, `SUPPORT_URL`, and `SELF_SIGN_UP`.
    pub fn read(environment: &Environment) -> Self {
        let sign_out_url = |url: String| format!("{}/logout", url.trim_end_matches('/'));
        Self {
            issuer: environment.variable("OIDC_ISSUER"),
            client_id: environment.variable("OIDC_AUDIENCE"),
            sign_out_url: environment.variable("SIGN_IN_URL").map(sign_out_url),
            search_url: None,
            support_url: environment.variable("SUPPORT_URL"),
            self_sign_up: environment.variable("SELF_SIGN_UP").as_deref() == Some("on"),
            local: false,
        }
    }

    /// Returns the settings. Missing settings are taken from the variables of the request's API Gateway
    /// stage.
    pub(crate) fn for_request(&self, request: &Extensions) -> Self {
        let variable = |variable: StageVariable| variable.of(request).map(str::to_owned);
        let mut settings = self.clone();
        settings.client_id = settings.client_id.or_else(|| variable(StageVariable::OidcAudience));
        settings.search_url = settings.search_url.or_else(|| variable(StageVariable::SearchUrl));
        settings
    }

    /// Returns the origins, other than the portal's own, that pages can connect to.
    pub(crate) fn connections(&self) -> Vec<&str> {
        let named = [&self.issuer, &self.sign_out_url, &self.search_url];
        let origins: BTreeSet<_> = named.into_iter().flatten().filter_map(|url| origin(url)).collect();
        origins.into_iter().collect()
    }
}

/// Returns a URL's scheme, host, and port, or `None` if the URL has no scheme.
fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |path| host + path);
    Some(&url[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_contains_scheme_host_and_port() {
        for (url, expected) in [
            ("https://issuer.example/pool", Some("https://issuer.example")),
            ("https://issuer.example?pool", Some("https://issuer.example")),
            ("http://127.0.0.1:3000", Some("http://127.0.0.1:3000")),
            ("issuer.example", None),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
    }
}

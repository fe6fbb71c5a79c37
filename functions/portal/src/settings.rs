//! What the pages are told about the place where they are served.

use std::collections::BTreeSet;

use http::Extensions;
use serde::Serialize;
use shared::http::StageVariable;
use shared::runtime::Environment;

/// Where people sign in, and what the pages say about the service.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whose tokens the interface takes.
    pub issuer: Option<String>,
    /// The client as which the pages sign people in; `None` where the stage says it.
    pub client_id: Option<String>,
    /// The origin of the issuer's own pages, where it is another than the issuer's.
    pub sign_in_url: Option<String>,
    /// The origin of the search gateway; `None` where the stage says it, or else the pages' own.
    pub search_url: Option<String>,
    /// Where more credits are to be had.
    pub support_url: Option<String>,
    /// Whether people sign up by themselves.
    pub self_sign_up: bool,
    /// Whether this is a laptop's own process, whose organizations and data are for trying.
    pub local: bool,
}

/// The settings as the pages read them, in the shell.
#[derive(Debug, Serialize)]
pub(crate) struct Configuration<'a> {
    issuer: Option<&'a str>,
    client_id: Option<String>,
    sign_out_url: Option<String>,
    search_url: Option<String>,
    support_url: Option<&'a str>,
    self_sign_up: bool,
    local: bool,
}

impl Settings {
    /// Reads `OIDC_ISSUER`, `OIDC_AUDIENCE`, `SIGN_IN_URL`, `SUPPORT_URL` and `SELF_SIGN_UP`.
    pub fn read(environment: &Environment) -> Self {
        let without_slash = |url: String| url.trim_end_matches('/').to_owned();
        Self {
            issuer: environment.variable("OIDC_ISSUER"),
            client_id: environment.variable("OIDC_AUDIENCE"),
            sign_in_url: environment.variable("SIGN_IN_URL").map(without_slash),
            search_url: None,
            support_url: environment.variable("SUPPORT_URL"),
            self_sign_up: environment.variable("SELF_SIGN_UP").as_deref() == Some("on"),
            local: false,
        }
    }

    /// Completes the settings with what the stage says that a request came through.
    pub(crate) fn for_request(&self, request: &Extensions) -> Configuration<'_> {
        let variable = |variable: StageVariable| variable.of(request).map(str::to_owned);
        Configuration {
            issuer: self.issuer.as_deref(),
            client_id: self.client_id.clone().or_else(|| variable(StageVariable::OidcAudience)),
            sign_out_url: self.sign_in_url.as_ref().map(|url| format!("{url}/logout")),
            search_url: self.search_url.clone().or_else(|| variable(StageVariable::SearchUrl)),
            support_url: self.support_url.as_deref(),
            self_sign_up: self.self_sign_up,
            local: self.local,
        }
    }

    /// Returns the origins besides their own that the pages may connect to.
    pub(crate) fn connections<'a>(&'a self, configuration: &'a Configuration<'_>) -> Vec<&'a str> {
        let named =
            [self.issuer.as_deref(), self.sign_in_url.as_deref(), configuration.search_url.as_deref()];
        let origins: BTreeSet<_> = named.into_iter().flatten().filter_map(origin).collect();
        origins.into_iter().collect()
    }
}

/// Returns the scheme, host and port of an address.
fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |path| host + path);
    Some(&url[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_origin_of_an_address() {
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

//! What the pages are told about the place where they are served.

use std::collections::BTreeSet;

use gateway::StageVariable;
use http::Extensions;
use runtime::Environment;
use serde::Serialize;

/// Where people sign in, and what the pages say about the service. The pages read it as JSON, in the shell.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Settings {
    /// Whose tokens the interface takes.
    pub issuer: Option<String>,
    /// The client as which the pages sign people in; `None` where the stage says it.
    pub client_id: Option<String>,
    /// Where a session at the issuer ends, on the origin of the issuer's own pages.
    pub sign_out_url: Option<String>,
    /// The origin of the search gateway; `None` where the stage says it, or else the pages' own.
    pub search_url: Option<String>,
    /// Where more credits are to be had.
    pub support_url: Option<String>,
    /// Whether people sign up by themselves.
    pub self_sign_up: bool,
    /// Whether this is a laptop's own process, whose organizations and data are for trying.
    pub local: bool,
}

impl Settings {
    /// Reads `OIDC_ISSUER`, `OIDC_AUDIENCE`, `SIGN_IN_URL`, `SUPPORT_URL` and `SELF_SIGN_UP`.
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

    /// Completes the settings with what the stage says that a request came through.
    pub(crate) fn for_request(&self, request: &Extensions) -> Self {
        let variable = |variable: StageVariable| variable.of(request).map(str::to_owned);
        let mut settings = self.clone();
        settings.client_id = settings.client_id.or_else(|| variable(StageVariable::OidcAudience));
        settings.search_url = settings.search_url.or_else(|| variable(StageVariable::SearchUrl));
        settings
    }

    /// Returns the origins besides their own that the pages may connect to.
    pub(crate) fn connections(&self) -> Vec<&str> {
        let named = [&self.issuer, &self.sign_out_url, &self.search_url];
        let origins: BTreeSet<_> = named.into_iter().flatten().filter_map(|url| origin(url)).collect();
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

//! Deployment settings that the portal's pages use.

use std::collections::BTreeSet;

use gateway::StageVariable;
use http::Extensions;
use runtime::Environment;
use serde::Serialize;

use crate::base_map::{BaseMap, InvalidMapOrigin, InvalidStyleUrl};

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
    /// The administrator's own base map. `None` for the base map of the release.
    pub base_map: Option<BaseMap>,
    /// Whether people can sign up without an administrator.
    pub self_sign_up: bool,
    /// Whether the portal runs in a local process for development, with test organizations and local data.
    pub local: bool,
}

/// The error for an invalid environment variable.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("BASEMAP_STYLE_URL {rule}, got `{value}`")]
    StyleUrl { value: String, rule: InvalidStyleUrl },
    #[error("BASEMAP_ORIGINS: each origin {rule}, got `{value}`")]
    Origin { value: String, rule: InvalidMapOrigin },
    #[error("BASEMAP_ORIGINS must be empty unless BASEMAP_STYLE_URL is set, got `{0}`")]
    OriginsWithoutStyle(String),
}

impl Settings {
    /// Reads `OIDC_ISSUER`, `OIDC_AUDIENCE`, `SIGN_IN_URL`, `SUPPORT_URL`, `BASEMAP_STYLE_URL`,
    /// `BASEMAP_ORIGINS`, and `SELF_SIGN_UP`.
    pub fn read(environment: &Environment) -> Result<Self, SettingsError> {
        let sign_out_url = |url: String| format!("{}/logout", url.trim_end_matches('/'));
        Ok(Self {
            issuer: environment.variable("OIDC_ISSUER"),
            client_id: environment.variable("OIDC_AUDIENCE"),
            sign_out_url: environment.variable("SIGN_IN_URL").map(sign_out_url),
            search_url: None,
            support_url: environment.variable("SUPPORT_URL"),
            base_map: read_base_map(environment)?,
            self_sign_up: environment.variable("SELF_SIGN_UP").as_deref() == Some("on"),
            local: false,
        })
    }

    /// Returns the settings. If the client ID or the origin of the search gateway is missing, takes it from
    /// the variables of the request's API Gateway stage.
    pub(crate) fn for_request(&self, request: &Extensions) -> Self {
        let variable = |variable: StageVariable| variable.of(request).map(str::to_owned);
        let mut settings = self.clone();
        settings.client_id = settings.client_id.or_else(|| variable(StageVariable::OidcAudience));
        settings.search_url = settings.search_url.or_else(|| variable(StageVariable::SearchUrl));
        settings
    }

    /// Returns the origins, other than the portal's own, from which pages can load images.
    pub(crate) fn images(&self) -> BTreeSet<&str> {
        self.base_map.as_ref().map(BaseMap::connections).unwrap_or_default()
    }

    /// Returns the origins, other than the portal's own, that pages can connect to.
    pub(crate) fn connections(&self) -> BTreeSet<&str> {
        let named = [&self.issuer, &self.sign_out_url, &self.search_url];
        let mut origins = self.images();
        origins.extend(named.into_iter().flatten().filter_map(|url| origin(url)));
        origins
    }
}

/// Reads `BASEMAP_STYLE_URL` and `BASEMAP_ORIGINS`, which is a comma-separated list.
fn read_base_map(environment: &Environment) -> Result<Option<BaseMap>, SettingsError> {
    let origins = environment.variable("BASEMAP_ORIGINS");
    let Some(style_url) = environment.variable("BASEMAP_STYLE_URL") else {
        return origins.map_or(Ok(None), |origins| Err(SettingsError::OriginsWithoutStyle(origins)));
    };
    let style_url = style_url.parse().map_err(|rule| SettingsError::StyleUrl { value: style_url, rule })?;
    let named = origins.iter().flat_map(|origins| origins.split(','));
    let parsed = named.map(str::trim).filter(|origin| !origin.is_empty()).map(|origin| {
        origin.parse().map_err(|rule| SettingsError::Origin { value: origin.to_owned(), rule })
    });
    Ok(Some(BaseMap { style_url, origins: parsed.collect::<Result<_, _>>()? }))
}

/// Returns a URL's scheme, host, and port, or `None` if the URL has no scheme.
pub(crate) fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |path| host + path);
    Some(&url[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_map_needs_a_style_and_valid_origins() {
        let style = "https://tiles.example.com/style.json";
        let read = |style_url, origins| {
            let variables = [("BASEMAP_STYLE_URL", style_url), ("BASEMAP_ORIGINS", origins)];
            Settings::read(&Environment::of(variables)).map(|settings| settings.base_map)
        };
        assert_eq!(read("", ""), Ok(None));
        let map = read(style, "https://fonts.example.com, https://images.example.com").expect("a base map");
        let origins = ["fonts", "images", "tiles"].map(|name| format!("https://{name}.example.com"));
        assert!(map.expect("a base map").connections().into_iter().eq(origins.iter().map(String::as_str)));
        for (style_url, origins, message) in [
            (
                "http://tiles.example.com/",
                "",
                "BASEMAP_STYLE_URL must be an https:// address, or an http:// address on this machine, got \
                 `http://tiles.example.com/`",
            ),
            (
                style,
                "https://fonts.example.com,*",
                "BASEMAP_ORIGINS: each origin must be an https:// origin without a path, such as \
                 https://tiles.example.com, or an http:// origin on this machine, got `*`",
            ),
            (
                "",
                "https://fonts.example.com",
                "BASEMAP_ORIGINS must be empty unless BASEMAP_STYLE_URL is set, got `https://fonts.example.com`",
            ),
        ] {
            let error = read(style_url, origins).expect_err("an invalid variable");
            assert_eq!(error.to_string(), message);
        }
    }

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

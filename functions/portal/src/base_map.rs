//! An administrator's own base map, which replaces the one from the release.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::str::FromStr;

use http::Uri;
use serde::Serialize;

/// A MapLibre style, and the origins from which it loads its sources, images, and fonts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BaseMap {
    pub style_url: StyleUrl,
    /// The origins that the map loads from in addition to the origin of `style_url`.
    #[serde(skip)]
    pub origins: Vec<MapOrigin>,
}

/// The address of a MapLibre style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct StyleUrl(String);

/// The scheme, host, and port of a server. It can't contain characters that have a special meaning in a
/// content security policy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MapOrigin(String);

/// The error for a style address that can't be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an https:// address, or an http:// address on this machine")]
pub struct InvalidStyleUrl;

/// The error for an origin that can't be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an https:// origin without a path, such as https://tiles.example.com, or an http:// origin on \
         this machine"
)]
pub struct InvalidMapOrigin;

impl BaseMap {
    /// Returns all origins that the map loads from.
    pub(crate) fn connections(&self) -> BTreeSet<&str> {
        let style = crate::settings::origin(&self.style_url.0);
        style.into_iter().chain(self.origins.iter().map(|MapOrigin(origin)| origin.as_str())).collect()
    }
}

impl FromStr for StyleUrl {
    type Err = InvalidStyleUrl;

    fn from_str(text: &str) -> Result<Self, InvalidStyleUrl> {
        let uri: Uri = text.parse().map_err(|_| InvalidStyleUrl)?;
        if is_trusted(&uri) { Ok(Self(text.to_owned())) } else { Err(InvalidStyleUrl) }
    }
}

impl FromStr for MapOrigin {
    type Err = InvalidMapOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidMapOrigin> {
        let uri: Uri = text.parse().map_err(|_| InvalidMapOrigin)?;
        let is_origin = uri.path_and_query().is_none_or(|path| path == "/");
        if !is_origin || !is_trusted(&uri) {
            return Err(InvalidMapOrigin);
        }
        Ok(Self(text.trim_end_matches('/').to_ascii_lowercase()))
    }
}

/// Returns whether an address uses HTTPS or refers to this machine, and whether its host is a plain name or
/// IP address.
fn is_trusted(uri: &Uri) -> bool {
    let Some(authority) = uri.authority() else { return false };
    let is_plain = |host: &str| host.chars().all(|one| one.is_ascii_alphanumeric() || ".-_:[]".contains(one));
    let host = authority.host();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = host == "localhost" || address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    match uri.scheme_str() {
        Some("https") => is_plain(authority.as_str()),
        Some("http") => is_plain(authority.as_str()) && is_loopback,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_url_uses_https_or_this_machine() {
        for text in [
            "https://tiles.example.com/styles/gray.json?key=a'b",
            "https://tiles.example.com:8443/style",
            "http://127.0.0.1:8080/style.json",
            "http://[::1]:8080/style.json",
            "http://localhost/style.json",
        ] {
            assert_eq!(text.parse(), Ok(StyleUrl(text.to_owned())), "{text}");
        }
        for text in [
            "",
            "style.json",
            "/style.json",
            "http://tiles.example.com/style.json",
            "ftp://tiles.example.com/style.json",
            "https://user@tiles.example.com/style.json",
            "https://tiles.example.com;/style.json",
            "https://tiles.example.com/a style.json",
        ] {
            assert_eq!(text.parse::<StyleUrl>(), Err(InvalidStyleUrl), "{text}");
        }
    }

    #[test]
    fn origin_has_no_path_and_is_lower_case() {
        for (text, origin) in [
            ("https://Tiles.example.com/", "https://tiles.example.com"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ] {
            assert_eq!(text.parse(), Ok(MapOrigin(origin.to_owned())), "{text}");
        }
        for text in [
            "*",
            "https://*.example.com",
            "https://tiles.example.com/path",
            "https://tiles.example.com/?a",
            "https://a.example https://b.example",
            "http://tiles.example.com",
        ] {
            assert_eq!(text.parse::<MapOrigin>(), Err(InvalidMapOrigin), "{text}");
        }
    }
}

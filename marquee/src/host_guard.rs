//! Protects the local ports from other sites' web pages, because every browser on this machine can reach the
//! ports.
//!
//! A browser treats all pages from `http://evil.example:3000` as one origin. If `evil.example` later resolves
//! to 127.0.0.1 (DNS rebinding), these pages can read this machine's port 3000. Only the `Host` header
//! distinguishes their requests from legitimate ones.

use std::net::IpAddr;
use std::str::FromStr;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

/// A normalized host name or IP address, without a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// A web page's origin in the form that browsers send, such as `http://localhost:5173`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOrigin(String);

/// The hosts that are allowed in addition to the loopback interface, and the origins whose pages can write.
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts {
    names: Vec<HostName>,
    origins: Vec<PageOrigin>,
}

/// The error for a string that isn't a host name or IP address.
#[derive(Debug, thiserror::Error)]
#[error("must be a host name or address without a scheme, port, or path, such as tunnel.example.com")]
pub struct InvalidHostName;

/// The error for a string that isn't an origin.
#[derive(Debug, thiserror::Error)]
#[error("must be an origin without a path, such as http://localhost:5173")]
pub struct InvalidOrigin;

/// A rejection's status and text. If the request can be allowed, the text explains how.
type Rejection = (StatusCode, String);

/// Middleware that rejects requests from untrusted pages with a 403.
///
/// Rejects requests to hosts that aren't allowed. Also rejects unsafe methods in requests from pages on
/// another site or local port, unless the page's host or origin is allowed. Which responses such pages can
/// read depends on the functions' CORS headers.
pub async fn admit(
    State(hosts): State<AllowedHosts>,
    request: Request,
    next: Next,
) -> Result<Response, Rejection> {
    hosts.check(request.uri(), request.headers())?;
    if !request.method().is_safe() && !hosts.allows_origin(request.headers()) {
        let reason = "pages from other sites and ports can only read; to allow them to write, start `marquee \
                      serve` with --allow-origin ORIGIN\n";
        return Err((StatusCode::FORBIDDEN, reason.to_owned()));
    }
    Ok(next.run(request).await)
}

impl AllowedHosts {
    /// Creates a list that allows `names` in addition to the loopback interface, and lets pages on `origins`
    /// write.
    pub fn with(names: Vec<HostName>, origins: Vec<PageOrigin>) -> Self {
        Self { names, origins }
    }

    /// Checks the host in the `Host` header and, if the request target is absolute, in the target. Any port
    /// is allowed. Rejects requests without exactly one `Host` header.
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Rejection> {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err((
                StatusCode::FORBIDDEN,
                "the request must have exactly one Host header\n".to_owned(),
            ));
        };
        let target = uri.authority().map(|authority| authority.as_str().as_bytes());
        for named in [Some(host.as_bytes()), target].into_iter().flatten() {
            if !self.allows(named) {
                let name = String::from_utf8_lossy(named);
                let reason = format!(
                    "{name:?} is not an allowed host; to allow it (for a tunnel, for example), start \
                     `marquee serve` with --allow-host NAME\n"
                );
                return Err((StatusCode::FORBIDDEN, reason));
            }
        }
        Ok(())
    }

    /// Returns whether a request comes from a program, from a page on the same host and port, or from a page
    /// on an allowed origin or host.
    fn allows_origin(&self, headers: &HeaderMap) -> bool {
        let own = headers.get(HOST).map(HeaderValue::as_bytes);
        headers.get_all(ORIGIN).iter().all(|origin| {
            let Ok(origin) = origin.to_str() else { return false };
            let Some((_, authority)) = origin.split_once("://") else { return false };
            let added = host_of(authority.as_bytes()).is_some_and(|host| self.names.contains(&host))
                || self.origins.iter().any(|PageOrigin(added)| added == origin);
            added || own == Some(authority.as_bytes())
        })
    }

    fn allows(&self, authority: &[u8]) -> bool {
        host_of(authority).is_some_and(|host| host.is_loopback() || self.names.contains(&host))
    }
}

/// Returns an authority's host, or `None` if the authority is invalid or contains user information.
fn host_of(authority: &[u8]) -> Option<HostName> {
    let authority = Authority::try_from(authority).ok()?;
    let host = authority.host().parse().ok()?;
    (!authority.as_str().contains('@')).then_some(host)
}

impl HostName {
    fn is_loopback(&self) -> bool {
        self.0 == "localhost" || self.0.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

impl PageOrigin {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PageOrigin {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://").ok_or(InvalidOrigin)?;
        let is_origin = ["http", "https"].contains(&scheme) && host_of(authority.as_bytes()).is_some();
        if is_origin { Ok(Self(text)) } else { Err(InvalidOrigin) }
    }
}

impl FromStr for HostName {
    type Err = InvalidHostName;

    fn from_str(text: &str) -> Result<Self, InvalidHostName> {
        let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Ok(Self(address.to_string()));
        }
        let is_name = text.split('.').all(|label| {
            !label.is_empty()
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        });
        if is_name { Ok(Self(text.to_ascii_lowercase())) } else { Err(InvalidHostName) }
    }
}

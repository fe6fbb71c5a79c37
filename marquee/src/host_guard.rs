//! Keeps the pages of other sites out of the local ports, which any browser on this machine can reach.
//!
//! A browser treats every page of `http://evil.example:3000` as one site. When that name's address changes to
//! 127.0.0.1 (DNS rebinding), such a page reads this machine's port 3000 as if it were its own; only the name
//! in the request still tells them apart.

use std::net::IpAddr;
use std::str::FromStr;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

/// A host's name or address, as in a request without its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// The accepted names and addresses: the loopback ones, and others by name.
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts(Vec<HostName>);

/// A text that is not a host's name or address.
#[derive(Debug, thiserror::Error)]
#[error("must be a host name or address without a scheme, port, or path, such as tunnel.example.com")]
pub struct InvalidHostName;

/// Why a request is not answered: 403, and what the developer can do about it.
type KeptOut = (StatusCode, String);

/// Refuses requests that are addressed to another host, and those of other sites' pages that could change
/// something, also of pages on other local ports. What such pages may read, the functions decide by CORS.
///
/// # Errors
///
/// When the request is refused.
pub async fn admit(
    State(hosts): State<AllowedHosts>,
    request: Request,
    next: Next,
) -> Result<Response, KeptOut> {
    hosts.check(request.uri(), request.headers())?;
    if !request.method().is_safe() && !hosts.allows_origin(request.headers()) {
        let reason = "pages of other sites and ports can only read; to allow one to write, start `marquee \
                      serve` with --allow-host NAME\n";
        return Err((StatusCode::FORBIDDEN, reason.to_owned()));
    }
    Ok(next.run(request).await)
}

impl AllowedHosts {
    /// Accepts loopback names and addresses, and these in addition.
    pub fn with(names: Vec<HostName>) -> Self {
        Self(names)
    }

    /// Checks the `Host` header, with any port, and the host of an absolute target.
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), KeptOut> {
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
                    "{name:?} is not an allowed host; to allow it, such as for a tunnel, start `marquee \
                     serve` with --allow-host NAME\n"
                );
                return Err((StatusCode::FORBIDDEN, reason));
            }
        }
        Ok(())
    }

    /// Tells whether a request comes from a program, from a page of the very host and port that it is addressed
    /// to, or from a page of a host that the developer has added.
    fn allows_origin(&self, headers: &HeaderMap) -> bool {
        let own = headers.get(HOST).map(HeaderValue::as_bytes);
        headers.get_all(ORIGIN).iter().all(|origin| {
            let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
            let Some((_, authority)) = authority else { return false };
            let added = host_of(authority.as_bytes()).is_some_and(|host| self.0.contains(&host));
            added || own == Some(authority.as_bytes())
        })
    }

    fn allows(&self, authority: &[u8]) -> bool {
        host_of(authority).is_some_and(|host| host.is_loopback() || self.0.contains(&host))
    }
}

/// Returns the host of an authority without user information.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(allowed: &AllowedHosts, uri: &str, hosts: &[&str]) -> Result<(), KeptOut> {
        let headers = hosts.iter().map(|host| (HOST, host.parse().expect("a header's value"))).collect();
        allowed.check(&uri.parse().expect("a target"), &headers)
    }

    #[test]
    fn takes_loopback_names_and_addresses_with_any_port_and_no_others() {
        let allowed = AllowedHosts::default();
        for host in [
            "localhost",
            "LocalHost:3000",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.8.9.10:80",
            "[::1]",
            "[::1]:3000",
        ] {
            assert_eq!(check(&allowed, "/", &[host]), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:3000",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evil-localhost",
            "0.0.0.0:3000",
            "192.168.1.4",
            "[::]",
            "[fe80::1]:3000",
            "2130706433",
            "localhost@evil.example",
            "evil.example@localhost",
            "local host",
            "",
        ] {
            let (status, reason) = check(&allowed, "/", &[host]).expect_err(host);
            assert_eq!(status, StatusCode::FORBIDDEN);
            assert!(reason.starts_with(&format!("{host:?} is not an allowed host; ")), "{reason}");
        }
    }

    #[test]
    fn refuses_no_host_two_hosts_and_a_target_that_names_another() {
        let allowed = AllowedHosts::default();
        for hosts in [&[][..], &["localhost", "localhost"]] {
            let (_, reason) = check(&allowed, "/", hosts).expect_err("not one host");
            assert_eq!(reason, "the request must have exactly one Host header\n");
        }
        assert_eq!(check(&allowed, "http://127.0.0.1:3000/", &["localhost"]), Ok(()));
        let (_, reason) =
            check(&allowed, "http://evil.example/", &["localhost"]).expect_err("a foreign host");
        assert!(reason.starts_with("\"evil.example\" is not"), "{reason}");
    }

    #[test]
    fn takes_what_the_developer_names_and_nothing_under_it() {
        let names = ["Tunnel.example", "192.168.1.4", "fd00::1", "host_1"];
        let names = names.map(|name| name.parse().expect("a name"));
        let allowed = AllowedHosts::with(names.into());
        for host in ["tunnel.example", "TUNNEL.example:443", "192.168.1.4:3000", "[fd00:0::1]:3000", "host_1"]
        {
            assert_eq!(check(&allowed, "/", &[host]), Ok(()), "{host}");
        }
        for host in ["a.tunnel.example", "example", "192.168.1.5"] {
            assert!(check(&allowed, "/", &[host]).is_err(), "{host}");
        }
        for text in
            ["", "*", "*.example", "a..b", "http://a.example", "a.example:80", "a.example/", ".example"]
        {
            assert!(text.parse::<HostName>().is_err(), "{text}");
        }
    }

    #[test]
    fn takes_its_own_pages_those_of_added_hosts_and_programs_that_are_no_page() {
        let allowed = AllowedHosts::with(vec!["tunnel.example".parse().expect("a name")]);
        for (origins, taken) in [
            (&[][..], true),
            (&["http://127.0.0.1:3000"], true),
            (&["http://127.0.0.1:5173"], false),
            (&["http://localhost:3000"], false),
            (&["https://tunnel.example"], true),
            (&["http://evil.example:3000"], false),
            (&["null"], false),
            (&["localhost"], false),
            (&["http://localhost", "http://evil.example"], false),
        ] {
            let origin = origins.iter().map(|origin| (ORIGIN, *origin));
            let headers = origin.chain([(HOST, "127.0.0.1:3000")]);
            let headers = headers.map(|(name, value)| (name, value.parse().expect("a value"))).collect();
            assert_eq!(allowed.allows_origin(&headers), taken, "{origins:?}");
        }
    }
}

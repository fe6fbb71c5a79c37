//! Parses the origins of web pages in a grant request and converts them to the form that browsers send.

use deserr::Deserr;
use gateway::{InvalidValue, Violations};
use url::{Host, Url};

/// The origin of a web page, `https://host[:port]`, as browsers send it. Loopback hosts may use `http`.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = PageOrigin::new -> InvalidValue)]
pub(crate) struct PageOrigin(String);

impl PageOrigin {
    /// Parses an origin. Ignores case, a trailing slash, and the scheme's default port.
    fn new(text: &str) -> Result<Self, InvalidValue> {
        origin(text).map(Self).map_err(|rule| InvalidValue::quoting(rule, text))
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

const NOT_AN_ORIGIN: &str =
    "must be an origin, such as https://maps.example.com, without a path, query, user, or wildcard";

/// Returns an origin in canonical form, as serialized by the [URL
/// standard](https://url.spec.whatwg.org/#origin).
fn origin(text: &str) -> Result<String, &'static str> {
    let text = text.to_ascii_lowercase();
    let (scheme, authority) = text.split_once("://").ok_or(NOT_AN_ORIGIN)?;
    let authority = authority.strip_suffix('/').unwrap_or(authority);
    // Only these characters are allowed, because the parser repairs spaces, escapes, backslashes, and
    // non-ASCII letters.
    let is_plain = authority.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:[]".contains(&byte));
    let url = Url::parse(&text).map_err(|_| NOT_AN_ORIGIN)?;
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) if name == host && is_host_name(name) => name == "localhost",
        // The parser turns 1.2.3 into 1.2.0.3.
        Some(Host::Ipv4(address)) if address.to_string() == host => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        _ => return Err(NOT_AN_ORIGIN),
    };
    match scheme {
        _ if !is_plain || authority.ends_with(':') || url.port() == Some(0) => Err(NOT_AN_ORIGIN),
        "http" if !is_loopback => {
            Err("must use https; http is allowed only for localhost, 127.0.0.1, and [::1]")
        }
        "http" | "https" => Ok(url.origin().ascii_serialization()),
        _ => Err(NOT_AN_ORIGIN),
    }
}

/// Returns whether a host name's labels and total length are within DNS limits ([RFC 1035,
/// 2.3.4](https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4)). The parser has already checked the
/// characters.
fn is_host_name(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| (1..=63).contains(&label.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_normalized_to_the_form_that_browsers_send() {
        for (text, origin) in [
            ("https://maps.example.com", "https://maps.example.com"),
            ("HTTPS://Maps.Example.COM/", "https://maps.example.com"),
            ("https://maps.example.com:443", "https://maps.example.com"),
            ("https://maps.example.com:8443/", "https://maps.example.com:8443"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("https://my_app.example", "https://my_app.example"),
            ("https://203.0.113.9:444", "https://203.0.113.9:444"),
            ("https://[2001:DB8:0::1]:8443", "https://[2001:db8::1]:8443"),
            ("https://intranet", "https://intranet"),
            ("http://localhost:80", "http://localhost"),
            ("http://localhost:5173", "http://localhost:5173"),
            ("http://127.0.0.1:3000/", "http://127.0.0.1:3000"),
            ("http://[::1]:3000", "http://[::1]:3000"),
        ] {
            assert_eq!(self::origin(text).as_deref(), Ok(origin), "{text}");
        }
    }

    #[test]
    fn rejects_texts_that_are_not_page_origins() {
        for text in [
            "",
            "*",
            "null",
            "https://",
            "https:///",
            "https://*",
            "https://*.example.com",
            "maps.example.com",
            "//maps.example.com",
            "https:maps.example.com",
            "ftp://maps.example.com",
            "file:///maps",
            "javascript://maps.example.com",
            "http://maps.example.com",
            "http://localhost.example.com",
            "http://128.0.0.1",
            "http://[2001:db8::1]",
            "https://maps.example.com/map",
            "https://maps.example.com//",
            "https://maps.example.com?x",
            "https://maps.example.com#x",
            "https://user@maps.example.com",
            "https://user:secret@maps.example.com",
            "https://maps.example.com:",
            "https://maps.example.com:0",
            "https://maps.example.com:65536",
            "https://maps.example.com:+443",
            "https://maps.example.com:443:443",
            "https://maps..example.com",
            "https://maps.example.com.",
            "https://1.2.3.4.",
            "https://1.2.3",
            "https://1.2.3.256",
            "https://[::1",
            "https://::1",
            "https://[::1]x",
            "https://[localhost]",
            "https://b\u{fc}cher.example",
            " https://maps.example.com",
            "https://maps.example.com ",
            "https://maps.example.com, https://b.example",
            "https://maps%2eexample.com",
            "https://maps.example.com\r\nx: y",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
        assert!(origin(&format!("https://{}.example", "a".repeat(64))).is_err());
        assert!(origin(&format!("https://{}", ["a"; 200].join("."))).is_err());
    }
}

//! Page origins in the canonical form that browsers send.

use std::net::{Ipv4Addr, Ipv6Addr};

use deserr::Deserr;
use gateway::{InvalidValue, Violations};

/// The maximum length of a host name, in bytes.
const MAX_HOST_BYTES: usize = 253;

/// The maximum length of one part of a host name, in bytes.
const MAX_LABEL_BYTES: usize = 63;

/// A page's origin, `https://host[:port]`, in the canonical form that browsers send. Loopback hosts may use
/// `http`.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = PageOrigin::new -> InvalidValue)]
pub(crate) struct PageOrigin(String);

impl PageOrigin {
    /// Parses an origin. Accepts any case, a trailing slash, and the scheme's default port.
    fn new(text: &str) -> Result<Self, InvalidValue> {
        origin(text).map(Self).map_err(|reason| InvalidValue(reason.to_owned()))
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

const NOT_AN_ORIGIN: &str =
    "must be an origin, such as https://maps.example.com, without a path, query, user, or wildcard";

/// Returns the canonical form of an origin.
fn origin(text: &str) -> Result<String, &'static str> {
    let text = text.to_ascii_lowercase();
    let (scheme, rest) = text.split_once("://").ok_or(NOT_AN_ORIGIN)?;
    let own_port = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return Err(NOT_AN_ORIGIN),
    };
    let (host, port) = host_and_port(rest.strip_suffix('/').unwrap_or(rest))?;
    let (host, is_loopback) = read_host(host)?;
    if scheme == "http" && !is_loopback {
        return Err("must use https; http is allowed only for localhost, 127.0.0.1, and [::1]");
    }
    let port = port.filter(|port| *port != own_port).map(|port| format!(":{port}"));
    Ok(format!("{scheme}://{host}{}", port.unwrap_or_default()))
}

fn host_and_port(text: &str) -> Result<(&str, Option<u16>), &'static str> {
    let in_brackets = text.find(']').map_or(0, |end| end + 1);
    let Some(colon) = text[in_brackets..].find(':').map(|at| in_brackets + at) else {
        return Ok((text, None));
    };
    let (host, digits) = (&text[..colon], &text[colon + 1..]);
    // `parse` would accept a plus sign.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse() {
        Ok(port) if is_number && port > 0 => Ok((host, Some(port))),
        _ => Err("must have a port from 1 to 65535 after the colon, or no colon"),
    }
}

/// Returns the host in lowercase, and whether it is a loopback host.
fn read_host(text: &str) -> Result<(String, bool), &'static str> {
    if let Some(address) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        let address: Ipv6Addr = address.parse().map_err(|_| "must have an IPv6 address in brackets")?;
        // The standard library writes the last half of these addresses as IPv4, but browsers don't.
        let host = match address.segments() {
            [0, 0, 0, 0, 0, 0xFFFF, high, low] => format!("[::ffff:{high:x}:{low:x}]"),
            _ => format!("[{address}]"),
        };
        return Ok((host, address.is_loopback()));
    }
    if !text.is_ascii() {
        return Err("must have an ASCII host; write other letters as xn--..., as browsers do");
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_label = |label: &str| (1..=MAX_LABEL_BYTES).contains(&label.len()) && label.bytes().all(allowed);
    if text.len() > MAX_HOST_BYTES || !text.split('.').all(is_label) {
        return Err(NOT_AN_ORIGIN);
    }
    // Browsers interpret a host whose last part is a number as an IPv4 address.
    let is_address =
        text.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_address {
        return Ok((text.to_owned(), text == "localhost"));
    }
    let address: Ipv4Addr = text.parse().map_err(|_| "must have an IPv4 address of four numbers")?;
    Ok((address.to_string(), address.is_loopback()))
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

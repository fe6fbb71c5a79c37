//! The middleware that protects the local ports: which hosts and origins it allows.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::middleware::from_fn_with_state;
use http::header::{HOST, ORIGIN};
use http::{Method, Request, StatusCode};
use marquee::host_guard::{AllowedHosts, HostName, admit};
use tower::ServiceExt;

/// Sends a request through the middleware, and returns the rejection's text, if any.
async fn check(allowed: &AllowedHosts, request: http::request::Builder) -> Result<(), String> {
    let guarded = Router::new().fallback(async || "").layer(from_fn_with_state(allowed.clone(), admit));
    let request = request.body(Body::empty()).expect("a valid request");
    let response = guarded.oneshot(request).await.expect("routers always respond");
    if response.status() == StatusCode::OK {
        return Ok(());
    }
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    let reason = to_bytes(response.into_body(), usize::MAX).await.expect("the body is in memory");
    Err(String::from_utf8(reason.into()).expect("UTF-8"))
}

fn read(uri: &str, hosts: &[&str]) -> http::request::Builder {
    hosts.iter().fold(Request::get(uri), |request, host| request.header(HOST, *host))
}

#[tokio::test]
async fn only_loopback_names_and_addresses_are_allowed_by_default() {
    let allowed = AllowedHosts::default();
    for host in
        ["localhost", "LocalHost:3000", "127.0.0.1", "127.0.0.1:1", "127.8.9.10:80", "[::1]", "[::1]:3000"]
    {
        assert_eq!(check(&allowed, read("/", &[host])).await, Ok(()), "{host}");
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
        let reason = check(&allowed, read("/", &[host])).await.expect_err(host);
        assert!(reason.starts_with(&format!("{host:?} is not an allowed host; ")), "{reason}");
    }
}

#[tokio::test]
async fn missing_duplicate_and_foreign_hosts_are_rejected() {
    let allowed = AllowedHosts::default();
    for hosts in [&[][..], &["localhost", "localhost"]] {
        let reason = check(&allowed, read("/", hosts)).await.expect_err("the host is ambiguous");
        assert_eq!(reason, "the request must have exactly one Host header\n");
    }
    assert_eq!(check(&allowed, read("http://127.0.0.1:3000/", &["localhost"])).await, Ok(()));
    let reason = check(&allowed, read("http://evil.example/", &["localhost"])).await;
    let reason = reason.expect_err("the host isn't allowed");
    assert!(reason.starts_with("\"evil.example\" is not"), "{reason}");
}

#[tokio::test]
async fn added_hosts_are_allowed_but_their_subdomains_are_not() {
    let names = ["Tunnel.example", "192.168.1.4", "fd00::1", "host_1"];
    let names = names.map(|name| name.parse().expect("a valid name"));
    let allowed = AllowedHosts::with(names.into(), Vec::new());
    for host in ["tunnel.example", "TUNNEL.example:443", "192.168.1.4:3000", "[fd00:0::1]:3000", "host_1"] {
        assert_eq!(check(&allowed, read("/", &[host])).await, Ok(()), "{host}");
    }
    for host in ["a.tunnel.example", "example", "192.168.1.5"] {
        assert!(check(&allowed, read("/", &[host])).await.is_err(), "{host}");
    }
    for text in ["", "*", "*.example", "a..b", "http://a.example", "a.example:80", "a.example/", ".example"] {
        assert!(text.parse::<HostName>().is_err(), "{text}");
    }
}

#[tokio::test]
async fn own_pages_added_hosts_added_origins_and_programs_can_write() {
    let allowed = AllowedHosts::with(
        vec!["tunnel.example".parse().expect("a valid name")],
        vec!["HTTP://LocalHost:5173/".parse().expect("a valid origin")],
    );
    for (origins, expected) in [
        (&[][..], true),
        (&["http://127.0.0.1:3000"], true),
        (&["http://127.0.0.1:5173"], false),
        (&["http://localhost:3000"], false),
        (&["https://tunnel.example"], true),
        (&["http://localhost:5173"], true),
        (&["https://localhost:5173"], false),
        (&["http://evil.example:3000"], false),
        (&["null"], false),
        (&["localhost"], false),
        (&["http://localhost", "http://evil.example"], false),
    ] {
        let from_host = Request::builder().method(Method::POST).uri("/").header(HOST, "127.0.0.1:3000");
        let request = origins.iter().fold(from_host, |request, origin| request.header(ORIGIN, *origin));
        assert_eq!(check(&allowed, request).await.is_ok(), expected, "{origins:?}");
    }
}

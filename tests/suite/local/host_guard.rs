//! The main local port. It accepts loopback names and `--allow-host` names, and refuses requests from other
//! sites' pages.

use harness::Answer;
use serde_json::json;

use super::{Serving, TestDir};

/// One path of each kind: free, paid, on the search gateway, in the portal, the issuer's keys, and unknown.
const PATHS: [&str; 6] = [
    "/v2/health",
    "/v2/scenarios/campaigns",
    "/msearch/inventory",
    "/portal/",
    "/.well-known/jwks.json",
    "/nothing",
];

async fn get(serving: &Serving, path: &str, headers: &str) -> Answer {
    let key = &serving.credentials.enterprise_key;
    let request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\nX-API-Key: {key}\r\n{headers}\r\n");
    serving.exchange(&request).await
}

/// Searches for places without a key.
async fn search(serving: &Serving, headers: &str) -> Answer {
    let body = json!({ "filter": { "city": "seattle" } }).to_string();
    let request = format!(
        "POST /v2/msearch HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n{headers}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    serving.exchange(&request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_loopback_and_allowed_host_names() {
    let data_dir = TestDir::new();
    let names = ["--allow-host", "Tunnel.example", "--allow-host", "192.168.1.4"];
    let serving = data_dir.serve(&names).await;
    for path in PATHS {
        let taken = get(&serving, path, "Host: localhost\r\n").await;
        assert_ne!(taken.status.as_u16(), 403, "{path}");
        let refused = get(&serving, path, "Host: evil.example\r\n").await;
        assert_eq!(refused.status.as_u16(), 403, "{path}");
        assert!(refused.text().contains("\"evil.example\"") && refused.text().contains("--allow-host NAME"));
        assert_eq!(refused.header("x-request-id"), "", "no function receives the request");
    }
    for (host, status) in
        [("tunnel.example", 200), ("192.168.1.4:3000", 200), ("a.tunnel.example", 403), ("192.168.1.5", 403)]
    {
        let answer = get(&serving, "/v2/health", &format!("Host: {host}\r\n")).await;
        assert_eq!(answer.status.as_u16(), status, "{host}");
    }
    serving.interrupt().await;
    let refused = data_dir.run(&["serve", "--allow-host", "http://tunnel.example"]).await;
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("must be a host name or address"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_allowed_origins_can_write_and_read() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-origin", "http://LocalHost:5173/"]).await;
    let host = format!("Host: {}\r\n", serving.address());
    for (origin, status, allowed) in [
        ("http://localhost:5173", 200, "http://localhost:5173"),
        ("http://localhost:5174", 403, ""),
        ("https://localhost:5173", 403, ""),
    ] {
        let from = format!("{host}Origin: {origin}\r\n");
        let written = search(&serving, &from).await;
        assert_eq!(written.status.as_u16(), status, "{origin}: {}", written.text());
        let preflight = format!(
            "OPTIONS /v2/msearch HTTP/1.1\r\nConnection: close\r\n{from}\
             Access-Control-Request-Method: POST\r\n\r\n"
        );
        for answer in [written, serving.exchange(&preflight).await] {
            assert_eq!(answer.header("access-control-allow-origin"), allowed, "{origin}");
        }
    }
    serving.interrupt().await;
    for text in ["localhost:5173", "http://localhost:5173/app", "ftp://localhost", "*", "http://"] {
        let refused = data_dir.run(&["serve", "--allow-origin", text]).await;
        assert_eq!(refused.code, Some(2), "{text}: {refused:?}");
        assert!(refused.stderr.contains("must be an origin without a path"), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_cannot_write_or_read() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "tunnel.example"]).await;
    let host = format!("Host: {}\r\n", serving.address());
    for origin in ["http://evil.example", "null", "http://localhost:5173"] {
        let from = format!("{host}Origin: {origin}\r\n");
        let refused = search(&serving, &from).await;
        assert_eq!(refused.status.as_u16(), 403, "{origin}");
        assert_eq!(refused.header("x-session-token"), "", "{origin}");
        // Pages on other sites don't have a key. Even with a key, they couldn't read the response.
        let read = get(&serving, "/v2/billing/credits", &from).await;
        for answer in [refused, read] {
            assert_eq!(answer.header("access-control-allow-origin"), "", "{origin}");
        }
    }
    for origin in [serving.credentials.search_url.as_str(), "https://tunnel.example"] {
        let taken = search(&serving, &format!("{host}Origin: {origin}\r\n")).await;
        assert_eq!(taken.status.as_u16(), 200, "{origin}: {}", taken.text());
    }
    // Requests without an `Origin` header are accepted.
    assert_eq!(search(&serving, &host).await.status.as_u16(), 200);
    serving.interrupt().await;
}

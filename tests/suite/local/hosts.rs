//! The main local port: it answers under the names of this machine and those that the developer adds, and
//! pages of other sites change nothing.

use harness::Answer;
use serde_json::json;

use super::{Serving, TestDir};

/// A path of each kind: free, priced, of the search gateway, the portal, the issuer's keys, and none.
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

/// Searches places without a key.
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
async fn it_answers_under_loopback_names_and_addresses_and_no_other() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let port = serving.address().rsplit(':').next().expect("a port");
    for path in PATHS {
        for host in ["localhost", &format!("LocalHost:{port}"), "127.0.0.1", "127.1.2.3:9", "[::1]:3000"] {
            let taken = get(&serving, path, &format!("Host: {host}\r\n")).await;
            assert_ne!(taken.status.as_u16(), 403, "{path} {host}");
        }
        for host in ["evil.example", &format!("evil.example:{port}"), "localhost.evil.example", "0.0.0.0", ""]
        {
            let refused = get(&serving, path, &format!("Host: {host}\r\n")).await;
            assert_eq!(refused.status.as_u16(), 403, "{path} {host}");
            assert!(refused.text().contains("--allow-host NAME"), "{}", refused.text());
            assert!(refused.text().contains(&format!("{host:?}")), "{}", refused.text());
            assert_eq!(refused.header("x-request-id"), "", "no function saw it");
        }
        for hosts in ["", "Host: localhost\r\nHost: evil.example\r\n"] {
            assert_eq!(get(&serving, path, hosts).await.status.as_u16(), 403, "{path} {hosts:?}");
        }
        let absolute = format!("http://evil.example{path}");
        let refused = get(&serving, &absolute, "Host: localhost\r\n").await;
        assert_eq!(refused.status.as_u16(), 403, "{absolute}");
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_answers_under_the_names_that_the_developer_adds() {
    let data_dir = TestDir::new();
    let names = ["--allow-host", "Tunnel.example", "--allow-host", "192.168.1.4"];
    let serving = data_dir.serve(&names).await;
    for (host, status) in [
        ("tunnel.example", 200),
        ("TUNNEL.example:443", 200),
        ("192.168.1.4:3000", 200),
        ("localhost", 200),
        ("a.tunnel.example", 403),
        ("192.168.1.5", 403),
        ("evil.example", 403),
    ] {
        let answer = get(&serving, "/v2/health", &format!("Host: {host}\r\n")).await;
        assert_eq!(answer.status.as_u16(), status, "{host}");
    }
    serving.interrupt().await;
    for no_name in ["http://tunnel.example", "tunnel.example:443", "*.example", ""] {
        let refused = data_dir.run(&["serve", "--allow-host", no_name]).await;
        assert_eq!(refused.code, Some(2), "{no_name}: {refused:?}");
        assert!(refused.stderr.contains("must be a host's name or address"), "{no_name}: {refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_change_nothing_and_are_shown_nothing() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "tunnel.example"]).await;
    let host = format!("Host: {}\r\n", serving.address());
    for origin in [
        "http://evil.example",
        "https://evil.example:3000",
        "null",
        "http://localhost.evil.example",
        "http://localhost:5173",
        "http://127.0.0.1:1",
    ] {
        let from = format!("{host}Origin: {origin}\r\n");
        let refused = search(&serving, &from).await;
        assert_eq!(refused.status.as_u16(), 403, "{origin}");
        assert_eq!(refused.header("x-session-token"), "", "{origin}");
        // Such a page has no key; with one, it would still not see the answer.
        let read = get(&serving, "/v2/billing/credits", &from).await;
        for answer in [refused, read] {
            assert_eq!(answer.header("access-control-allow-origin"), "", "{origin}");
        }
    }
    let own = &serving.credentials.search_url;
    for origin in [own.as_str(), "https://tunnel.example"] {
        let taken = search(&serving, &format!("{host}Origin: {origin}\r\n")).await;
        assert_eq!(taken.status.as_u16(), 200, "{origin}: {}", taken.text());
    }
    assert_eq!(search(&serving, &host).await.status.as_u16(), 200, "programs have no origin");
    serving.interrupt().await;
}

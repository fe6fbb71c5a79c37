//! `marquee serve`: the data folder, the credentials, startup, and shutdown.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use http::Method;
use serde_json::Value;

use super::{TestDir, exchange};

const CREDITS: &str = "/v2/billing/credits";

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode()
        & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn openapi_document_names_the_local_address() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let known = &serving.credentials;
    let document = serving.get("/v2/openapi.yaml", &known.sandbox_key).await.text();
    for url in [&known.base_url, &known.search_url] {
        assert!(document.contains(&format!("- url: {url}\n")), "{url}");
    }
    assert!(!document.contains("api.example.com") && !document.contains("search.example.com"));
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_file_is_private_and_all_nine_members_work() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let file = data_dir.path().join("credentials.json");
    assert_eq!((mode(data_dir.path()), mode(&file)), (0o700, 0o600));
    let written: Value = serde_json::from_slice(&std::fs::read(&file).expect("the file")).expect("JSON");
    let mut members: Vec<_> = written.as_object().expect("an object").keys().map(String::as_str).collect();
    members.sort_unstable();
    let expected = [
        "base_url",
        "bearer_token",
        "dynamodb_endpoint",
        "enterprise_key",
        "newcomer_token",
        "other_org_key",
        "payg_key",
        "sandbox_key",
        "search_url",
    ];
    assert_eq!(members, expected);
    for url in ["base_url", "search_url", "dynamodb_endpoint"] {
        assert!(
            written[url].as_str().is_some_and(|url| url.starts_with("http://127.0.0.1:")),
            "{url}: {written}"
        );
    }

    let known = &serving.credentials;
    for (key, org, tier, rate, remaining) in [
        (&known.sandbox_key, "org_sandbox", "sandbox", 10, 2_000),
        (&known.payg_key, "org_payg", "pay_as_you_go", 100, 20_000),
        (&known.enterprise_key, "org_enterprise", "enterprise", 1_000, 1_000_000),
        (&known.other_org_key, "org_other", "enterprise", 1_000, 1_000_000),
    ] {
        let credits = serving.get(CREDITS, key).await;
        let data = credits.data();
        assert_eq!(
            (&data["org_id"], &data["tier"], &data["balance"]),
            (&org.into(), &tier.into(), &remaining.into())
        );
        assert_eq!(credits.number("x-ratelimit-limit"), rate, "{org}");
        let summary = serving.get("/v2/scenarios/campaigns/summary", key).await;
        assert_eq!((summary.status.as_u16(), summary.number("x-credits-used")), (200, 1), "{org}");
        assert_eq!(
            serving.get("/v2/scenarios/events", key).await.number("x-credits-remaining"),
            remaining - 2,
            "{org}"
        );
    }
    let bearer = format!("Bearer {}", known.bearer_token);
    let credits = serving.call(Method::GET, CREDITS, ("Authorization", &bearer), None).await;
    assert_eq!(credits.data()["org_id"], "org_enterprise");
    let health = serving.get("/v2/health", &known.enterprise_key).await;
    assert_eq!(health.json()["status"], "healthy");
    let unknown = serving.get(CREDITS, &format!("mq_live_{}", "0".repeat(64))).await;
    assert_eq!(unknown.error(), (401, "UNAUTHORIZED".to_owned()));
    let page = known.base_url.replace("/v2", "/portal/docs/errors");
    assert_eq!(unknown.json()["error"]["docs_url"], format!("{page}#unauthorized"));
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restart_keeps_data_and_issues_a_new_token() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let before = serving.credentials.clone();
    let campaign = format!("/v2/scenarios/campaigns/{}", serving.campaign().await);
    let stored = serving.get(&campaign, &before.enterprise_key).await;
    assert_eq!(stored.number("x-credits-remaining"), 999_998);
    serving.interrupt().await;

    let serving = data_dir.serve(&[]).await;
    let after = &serving.credentials;
    assert_eq!(after.sandbox_key, before.sandbox_key);
    assert_eq!(after.payg_key, before.payg_key);
    assert_eq!(after.enterprise_key, before.enterprise_key);
    assert_eq!(after.other_org_key, before.other_org_key);
    assert_ne!(after.bearer_token, before.bearer_token);
    let kept = serving.get(&campaign, &before.enterprise_key).await;
    assert_eq!((kept.data(), kept.header("etag")), (stored.data(), stored.header("etag")));
    assert_eq!(kept.number("x-credits-remaining"), 999_997);
    for (token, status) in [(&after.bearer_token, 200), (&before.bearer_token, 401)] {
        let answer =
            serving.call(Method::GET, CREDITS, ("Authorization", &format!("Bearer {token}")), None).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reset_deletes_the_database_and_keeps_other_files() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--reset"]).await;
    let before = serving.credentials.clone();
    let campaign = format!("/v2/scenarios/campaigns/{}", serving.campaign().await);
    serving.interrupt().await;
    let notes = data_dir.path().join("notes.txt");
    std::fs::write(&notes, "mine").expect("a file");

    let serving = data_dir.serve(&["--reset"]).await;
    let after = &serving.credentials;
    assert_ne!(after.enterprise_key, before.enterprise_key);
    let forgotten = serving.get(&campaign, &before.enterprise_key).await;
    assert_eq!(forgotten.error(), (401, "UNAUTHORIZED".to_owned()));
    let gone = serving.get(&campaign, &after.enterprise_key).await;
    assert_eq!(gone.error(), (404, "NOT_FOUND".to_owned()));
    let credits = serving.get(CREDITS, &after.enterprise_key).await;
    assert_eq!(credits.data()["usage_month"]["credits"], 1, "only the call that returned 404");
    assert_eq!(std::fs::read_to_string(&notes).expect("the file"), "mine");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn second_service_on_a_data_folder_is_refused() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let shown = data_dir.path().display().to_string();
    let release = harness::sample_release().path().display().to_string();
    let serve = ["serve", "--port", "0", "--release", &release];
    let second = data_dir.refused(&serve).await;
    let expected = format!(
        "marquee: {shown} is in use by another marquee process; stop it, or choose another --data-dir\n"
    );
    assert_eq!(second, expected);
    assert_eq!(data_dir.refused(&[&serve[..], &["--reset"]].concat()).await, expected);
    let credits = serving.get(CREDITS, &serving.credentials.enterprise_key).await;
    assert_eq!(credits.data()["balance"], 1_000_000);
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn used_port_fails_before_creating_files() {
    let data_dir = TestDir::new();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let refused = data_dir.refused(&["serve", "--port", &port]).await;
    let expected = format!(
        "marquee: port {port} is in use; stop the program that uses it, or choose another port with --port\n"
    );
    assert_eq!(refused, expected);
    assert!(!data_dir.path().exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn other_bind_address_does_not_change_the_advertised_addresses() {
    let data_dir = TestDir::new();
    // The greeting and the credentials contain 127.0.0.1, where a container's port is published.
    let serving = data_dir.serve(&["--bind", "127.0.0.2"]).await;
    let own = serving.address().to_owned();
    let port = own.strip_prefix("127.0.0.1:").expect("the address of this machine");
    let request = format!("GET /v2/health HTTP/1.1\r\nConnection: close\r\nHost: {own}\r\n\r\n");
    assert_eq!(exchange(&format!("127.0.0.2:{port}"), &request).await.status, 200);
    assert!(TcpStream::connect(&own).is_err(), "{own}");
    serving.interrupt().await;
    let refused = TestDir::new().refused(&["serve", "--port", "0", "--bind", "192.0.2.1"]).await;
    assert!(refused.starts_with("marquee: cannot listen on 192.0.2.1:0: "), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sigint_and_sigterm_stop_the_service_once_it_is_ready() {
    let data_dir = TestDir::new();
    for signal in ["INT", "TERM"] {
        data_dir.serve(&[]).await.stop(signal).await;
    }
}

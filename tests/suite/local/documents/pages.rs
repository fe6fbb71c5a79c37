//! Runs all commands on each customer page in one shell and compares their output with the page.

use harness::{Serving, root};
use http::Method;
use serde_json::{Value, json};

use super::super::TestDir;
use super::{Project, steps};

/// Runs a page's commands with this service's addresses and a valid key in place of the placeholders.
async fn check(file: &str, service: &TestDir, serving: &Serving, key: &str) {
    let text = std::fs::read_to_string(root().join(file)).expect("a page");
    let api = serving.credentials.base_url.strip_suffix("/v2").expect("a versioned URL");
    let text = text
        .replace("https://api.example.com", api)
        .replace("https://search.example.com", &serving.credentials.search_url)
        .replace("'paste your key here'", key)
        .replace("'paste your ID token here'", &serving.credentials.bearer_token)
        .replace("https://hooks.example.com/marquee", "http://127.0.0.1:8931/marquee");
    let steps = steps(&text);
    assert!(steps.len() > 5, "{file} has only {} blocks", steps.len());
    Project::of(service).check(&steps).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workflows_run_from_top_to_bottom_in_one_shell() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    check("docs/how-to/workflows.md", &service, &serving, &serving.credentials.enterprise_key).await;
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_page_runs_with_a_receiver_on_this_machine() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    check("docs/how-to/webhooks.md", &service, &serving, &serving.credentials.enterprise_key).await;
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn developer_tutorial_runs_with_the_key_of_a_new_sandbox() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    let key = sign_up(&serving).await;
    check("docs/tutorials/developer.md", &service, &serving, &key).await;
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analyst_tutorial_runs_from_top_to_bottom() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    check("docs/tutorials/analyst.md", &service, &serving, &serving.credentials.enterprise_key).await;
    serving.interrupt().await;
}

/// Signs up and creates a key, as readers of the tutorial do in the portal.
async fn sign_up(serving: &Serving) -> String {
    let token = format!("Bearer {}", serving.credentials.newcomer_token);
    let create = async |path: &str, body: Value| {
        let answer = serving.call(Method::POST, path, ("Authorization", &token), Some(&body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.data()
    };
    create("/v2/account/organization", json!({ "name": "Example Coffee" })).await;
    let scopes = ["analytics", "inventory", "scenarios:read", "scenarios:write"];
    let key = create("/v2/account/keys", json!({ "label": "tutorial", "scopes": scopes })).await;
    key["api_key"].as_str().expect("a key").to_owned()
}

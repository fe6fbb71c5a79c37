//! Sign-up at the local service, and commands that show the new organization.

use http::Method;
use serde_json::{Value, json};

use super::{Serving, TestDir};

/// Signs the newcomer up for a new organization.
async fn sign_up(serving: &Serving) -> harness::Answer {
    let token = format!("Bearer {}", serving.credentials.newcomer_token);
    let body = json!({ "name": "Example Coffee" });
    serving.call(Method::POST, "/v2/account/organization", ("Authorization", &token), Some(&body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn administrator_sees_an_organization_after_sign_up() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let first = sign_up(&serving).await;
    assert_eq!(first.status, 200, "{}", first.text());
    let organization = first.data()["organization"].clone();
    let org = organization["org_id"].as_str().expect("an ID");
    for shown in [data_dir.shown(&["org", "show", org]).await, listed(&data_dir, org).await] {
        assert_eq!(shown["name"], "Example Coffee", "{shown}");
        assert_eq!(shown["signed_up_at"], organization["signed_up_at"], "{shown}");
        assert_eq!(shown["balance"], 2_000, "{shown}");
    }
    let owner = data_dir.shown(&["org", "members", org]).await[0].clone();
    assert_eq!((&owner["email"], &owner["role"]), (&json!("newcomer@example.com"), &json!("owner")));
    assert_eq!(listed(&data_dir, "org_payg").await["name"], Value::Null);
    assert_eq!(sign_up(&serving).await.data()["organization"], organization);
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_self_sign_up_option_closes_sign_up() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--no-self-sign-up"]).await;
    assert_eq!(sign_up(&serving).await.error(), (403, "SIGN_UP_CLOSED".to_owned()));
    serving.interrupt().await;
    let refused = data_dir.run(&["serve", "--sign-ups-per-day", "0"]).await;
    assert!(refused.code == Some(2) && refused.stderr.contains("0 is not in 1.."), "{refused:?}");
}

/// Returns an organization from the output of `org list`.
async fn listed(data_dir: &TestDir, org: &str) -> Value {
    let page = data_dir.shown(&["org", "list"]).await;
    let found = page["data"].as_array().expect("a list").iter().find(|listed| listed["org_id"] == org);
    found.expect("the organization").clone()
}

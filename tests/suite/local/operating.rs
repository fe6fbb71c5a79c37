//! Administrator commands for organizations (list, suspend, resume), credits, and keys.

use std::process::Stdio;

use accounting::Timestamp;
use harness::sample_release;
use http::Method;
use serde_json::{Value, json};

use super::{Ended, TestDir, applied, event, in_time};

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} must be a string"))
}

#[tokio::test(flavor = "multi_thread")]
async fn organizations_are_listed_in_pages() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let ids = async |arguments: &[&str]| {
        let page = data_dir.shown(&[&["org", "list"][..], arguments].concat()).await;
        let listed =
            page["data"].as_array().expect("a list").iter().map(|org| text(&org["org_id"]).to_owned());
        (listed.collect::<Vec<_>>(), page["pagination"].clone())
    };
    let all = ["org_enterprise", "org_other", "org_payg", "org_sandbox"].map(str::to_owned);
    assert_eq!(ids(&[]).await, (all.to_vec(), json!({ "cursor": null, "has_more": false })));
    let (first, pagination) = ids(&["--limit", "3"]).await;
    assert_eq!((first.as_slice(), &pagination["has_more"]), (&all[..3], &json!(true)));
    let (rest, pagination) = ids(&["--limit", "3", "--cursor", text(&pagination["cursor"])]).await;
    assert_eq!((rest.as_slice(), &pagination["has_more"]), (&all[3..], &json!(false)));

    let listed = data_dir.shown(&["org", "list", "--limit", "1"]).await["data"][0].clone();
    assert_eq!((&listed["tier"], &listed["balance"]), (&json!("enterprise"), &json!(1_000_000)));
    assert!(listed["created_at"].is_string() && listed["suspended_at"].is_null(), "{listed}");
    let none = data_dir.run(&["org", "list", "--limit", "0"]).await;
    assert!(none.code == Some(2) && none.stderr.contains("is not in 1..=1000"), "{none:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn suspend_and_resume_are_idempotent() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let id = serving.campaign().await;
    let key = &serving.credentials.enterprise_key;
    let summary = "/v2/scenarios/campaigns/summary";
    for outcome in ["suspended", "already_suspended"] {
        let shown = data_dir.shown(&["org", "suspend", "org_enterprise"]).await;
        assert_eq!(shown, json!({ "org_id": "org_enterprise", "outcome": outcome }));
    }
    let refused = serving.get(summary, key).await;
    assert_eq!(refused.error(), (403, "ORGANIZATION_SUSPENDED".to_owned()), "{}", refused.text());
    assert_eq!(serving.get("/v2/billing/credits", key).await.data()["balance"], 999_999);
    assert_eq!(serving.get("/v2/billing/bills", key).await.status, 200);
    let purchase = data_dir.refused(&event(&id, "purchased")).await;
    let expected = "marquee: the event was refused: the organization is suspended; resume it, then send";
    assert!(purchase.starts_with(expected), "{purchase}");
    assert!(data_dir.shown(&["org", "show", "org_enterprise"]).await["suspended_at"].is_string());
    assert!(data_dir.shown(&["org", "list"]).await["data"][0]["suspended_at"].is_string());
    for outcome in ["resumed", "not_suspended"] {
        assert_eq!(data_dir.shown(&["org", "resume", "org_enterprise"]).await["outcome"], outcome);
    }
    assert!(applied(&data_dir.shown(&event(&id, "purchased")).await));
    serving.interrupt().await;
    // The restarted process hasn't cached the suspension. The old process could have rejected calls for up to
    // 30 more seconds.
    let serving = data_dir.serve(&[]).await;
    assert_eq!(serving.get(summary, &serving.credentials.enterprise_key).await.status, 200);
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_grant_appears_in_credit_history() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let granted =
        data_dir.shown(&["credits", "grant", "org_other", "--kind", "promotional", "--credits", "7"]).await;
    let first = &granted["grants"][0];
    assert_eq!((&first["kind"], &first["remaining"]), (&json!("promotional"), &json!(7)));
    let revoke = ["credits", "revoke", "org_other", text(&first["grant_id"])];
    for (outcome, revoked) in [("revoked", 7), ("already_revoked", 0)] {
        let shown = data_dir.shown(&revoke).await;
        assert_eq!((text(&shown["outcome"]), &shown["revoked"]), (outcome, &json!(revoked)));
    }
    let left = data_dir.shown(&["credits", "show", "org_other"]).await;
    assert_eq!((&left["balance"], &left["credits_expired"]), (&json!(1_000_000), &json!(7)));
    let history = data_dir.shown(&["credits", "history", "org_other"]).await;
    assert_eq!(history.as_array().map(Vec::len), Some(2));
    let (bought, given) = (&history[0], &history[1]);
    assert_eq!((&bought["state"], &bought["remaining"]), (&json!("live"), &json!(1_000_000)));
    assert_eq!((&given["state"], &given["granted"]), (&json!("revoked"), &json!(7)));
    assert_eq!((&given["grant_id"], &given["remaining"]), (&first["grant_id"], &json!(7)));
    assert!(given["joined_at"].is_string() && given["ended_at"].is_string() && bought["ended_at"].is_null());

    let unknown = data_dir.refused(&["credits", "revoke", "org_other", "0badf00d"]).await;
    let expected = "marquee: org_other has no active grant 0badf00d; `marquee credits show org_other` lists";
    assert!(unknown.starts_with(expected), "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn credits_output_uses_the_field_names_of_the_api() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let key = ("X-API-Key", serving.credentials.payg_key.as_str());
    let body = harness::samples::campaign();
    serving.call(Method::POST, "/v2/scenarios/campaigns", key, Some(&body)).await;
    // The call that reads the balance is metered while it runs, so the balance may or may not include it.
    let forget_reading = |shown: &mut Value| {
        let by_product = shown["usage_month"]["by_product"].as_object_mut().expect("an object");
        by_product.remove("billing_credits");
    };
    let mut of_interface = serving.get("/v2/billing/credits", key.1).await.data();
    forget_reading(&mut of_interface);
    for command in [["credits", "show", "org_payg"], ["org", "show", "org_payg"]] {
        let mut shown = data_dir.shown(&command).await;
        let members = shown.as_object_mut().expect("an object");
        let own = ["credits_expired", "monthly_cap", "suspended_at"].map(|name| members.remove(name));
        assert_eq!(own, [Some(json!(0)), Some(json!(20_000)), Some(Value::Null)]);
        if command[0] == "org" {
            let of_sign_up = ["name", "signed_up_at"].map(|name| members.remove(name));
            assert_eq!(of_sign_up, [Some(Value::Null), Some(Value::Null)]);
        }
        let id = members["grants"][0].as_object_mut().and_then(|grant| grant.remove("grant_id"));
        assert!(id.is_some_and(|id| text(&id).starts_with("m20")));
        forget_reading(&mut shown);
        assert_eq!(shown, of_interface, "{command:?}");
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_reports_an_unknown_organization() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let grant = ["credits", "grant", "org_x", "--kind", "promotional", "--credits", "1"];
    let subject = ["org", "remove-member", "org_x", "--issuer", "i", "--subject", "s"];
    let asset = "01920000-0000-7000-8000-000000000000";
    let show = ["measurement", "show", "--org", "org_x", "--family", "event", "--asset", asset];
    let commands: [&[&str]; 14] = [
        &["org", "show", "org_x"],
        &["org", "suspend", "org_x"],
        &["org", "resume", "org_x"],
        &["org", "bills", "org_x"],
        &["org", "members", "org_x"],
        &["org", "revoke-tiles", "org_x"],
        &["org", "tier", "org_x", "--tier", "sandbox"],
        &subject,
        &["key", "create", "org_x", "--label", "a"],
        &["key", "list", "org_x"],
        &["credits", "history", "org_x"],
        &["credits", "revoke", "org_x", "0badf00d"],
        &grant,
        &show,
    ];
    let expected = format!(
        "marquee: organization org_x not found in the local tables in {}; create it with `marquee org \
         create`, or set --table-prefix to use the tables in AWS\n",
        data_dir.path().display()
    );
    for command in commands {
        assert_eq!(data_dir.refused(command).await, expected, "{command:?}");
    }
    assert_eq!(data_dir.shown(&["org", "list"]).await["data"].as_array().map(Vec::len), Some(4));
}

#[tokio::test(flavor = "multi_thread")]
async fn created_key_can_have_an_expiry() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let create = |days| ["key", "create", "org_other", "--label", "short", "--expires-in-days", days];
    for days in ["0", "366", "-1", "x"] {
        assert_eq!(data_dir.run(&create(days)).await.code, Some(2), "{days}");
    }
    let new_key = data_dir.shown(&create("7")).await;
    let moment = |name: &str| new_key[name].as_str().and_then(Timestamp::parse).expect("a timestamp");
    // The expiry is computed when the command starts, shortly before `created_at`.
    let early = moment("created_at").plus_days(7).unix_millis() - moment("expires_at").unix_millis();
    assert!((0..60_000).contains(&early), "{early} ms");
    assert_eq!(new_key["state"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn key_requires_a_label_and_help_lists_scopes() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    for label in ["", " ", "\t \n", &"x".repeat(201)] {
        let refused = data_dir.run(&["key", "create", "org_other", "--label", label]).await;
        let says = refused.stderr.contains("must have 1 to 200 characters, not counting surrounding spaces");
        assert_eq!((refused.code, says), (Some(2), true), "{label:?}: {refused:?}");
    }
    let new_key = data_dir.shown(&["key", "create", "org_other", "--label", " nightly "]).await;
    assert_eq!(new_key["label"], "nightly");
    let listed = data_dir.shown(&["key", "list", "org_other"]).await;
    let expected = json!({
        "key_id": new_key["key_id"],
        "label": "nightly",
        "scopes": [
            "scenarios:read", "scenarios:write", "measurements", "inventory", "analytics", "tiles", "billing",
        ],
        "last_four": new_key["last_four"],
        "state": "live",
        "created_at": new_key["created_at"],
        "created_by": null,
        "expires_at": null,
        "revoked_at": null,
        "revoked_by": null,
    });
    assert_eq!(listed[0], expected, "the newest key is first and has no creator");
    for help in ["-h", "--help"] {
        let shown = data_dir.run(&["key", "create", help]).await;
        for scope in ["scenarios:read", "scenarios:write", "inventory", "analytics", "tiles", "billing"] {
            assert!(shown.code == Some(0) && shown.stdout.contains(scope), "{scope}: {}", shown.stdout);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_pipe_ends_a_command_without_an_error() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let release = sample_release().path().display().to_string();
    let inspect: &[&str] = &["release", "inspect", &release];
    for command in [&["org", "list"][..], inspect] {
        let mut command = data_dir.command(command, &[]);
        if command.as_std().get_args().any(|argument| argument == "inspect") {
            // `release inspect` doesn't use a data folder.
            command = tokio::process::Command::new(command.as_std().get_program());
            command.args(inspect).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        let mut process = command.spawn().expect("the program starts");
        // Closes the pipe before the program writes to it.
        drop(process.stdout.take());
        let ended = Ended::from(in_time(process.wait_with_output()).await.expect("a child"));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_release_fails_before_creating_files() {
    let data_dir = TestDir::new();
    let nowhere = data_dir.path().join("no-release").display().to_string();
    let refused = data_dir.refused(&["serve", "--port", "0", "--release", &nowhere]).await;
    let expected = format!("marquee: there is no release in {nowhere}; ");
    assert!(refused.starts_with(&expected), "{refused}");
    assert!(!data_dir.path().exists());
}

//! Administrator commands on the data folder of a running or stopped service.

use std::process::Stdio;

use http::Method;
use serde_json::{Value, json};
use tokio::process::Command;

use super::{Ended, TestDir, applied, binary, event, in_time};

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} must be a string"))
}

#[tokio::test(flavor = "multi_thread")]
async fn measurement_commands_move_a_campaign_through_its_states() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let id = serving.campaign().await;
    let campaign = format!("/v2/scenarios/campaigns/{id}");
    let key = ("X-API-Key", serving.credentials.enterprise_key.as_str());
    let rename = json!({ "campaign": { "name": "Spring launch, New York" } });
    let edited = serving.call(Method::PATCH, &campaign, key, Some(&rename)).await;
    assert_eq!(edited.data()["state"], "draft");

    let unlisted = [&event(&id, "purchased")[..], &["--product", "reach"]].concat();
    let refused = data_dir.refused(&unlisted).await;
    assert_eq!(
        refused,
        "marquee: the event was refused: `product` must be one of the configured billing names \
         (campaign_measurement, event_measurement), got reach\n"
    );
    for (event_type, state) in [("purchased", "queued"), ("started", "in_flight"), ("measured", "in_flight")]
    {
        let sent = data_dir.shown(&event(&id, event_type)).await;
        assert!(applied(&sent), "{event_type}: {sent}");
        let read = serving.get(&campaign, key.1).await;
        assert_eq!(read.data()["state"], state, "{event_type}");
    }
    let locked = serving.call(Method::PATCH, &campaign, key, Some(&json!({}))).await;
    assert_eq!(locked.error(), (400, "ASSET_NOT_EDITABLE".to_owned()));
    assert!(locked.text().contains("in_flight"), "{}", locked.text());
    // Each of the six calls costs one credit, including the refused one. The purchase costs 25.
    let credits = serving.get("/v2/billing/credits", key.1).await;
    assert_eq!(credits.data()["balance"], 1_000_000 - 25 - 6, "{}", credits.text());

    let completed = data_dir.shown(&event(&id, "completed")).await;
    let again = [&event(&id, "completed")[..], &["--event-id", text(&completed["event_id"])]].concat();
    assert_eq!(data_dir.shown(&again).await["outcome"], "already_applied");
    assert_eq!(serving.get(&campaign, key.1).await.data()["state"], "completed");
    let late = data_dir.refused(&event(&id, "failed")).await;
    assert!(late.starts_with("marquee: the event was refused: "), "{late}");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn measurement_events_are_logged_and_shown_by_measurement_show() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let id = serving.campaign().await;
    for (event_type, code, line) in [
        ("measured", 1, "event=\"measurement_refused\""),
        ("purchased", 0, "outcome=\"applied\""),
        ("failed", 0, "outcome=\"applied\""),
    ] {
        let ended = data_dir.run(&event(&id, event_type)).await;
        let [written] = &ended.events[..] else { panic!("the log must have one line: {ended:?}") };
        let has = |text: &str| assert!(written.contains(text), "{text}: {written}");
        assert_eq!(ended.code, Some(code), "{ended:?}");
        has(line);
        has(&format!("type={event_type}"));
        has(&format!("org=org_enterprise family=campaign asset_id={id}"));
    }
    let key = ("X-API-Key", serving.credentials.enterprise_key.as_str());
    data_dir.shown(&event(&id, "purchased")).await;
    let deleted = serving.call(Method::DELETE, &format!("/v2/scenarios/campaigns/{id}"), key, None).await;
    assert_eq!(deleted.status.as_u16(), 204);
    let failed = data_dir.shown(&event(&id, "failed")).await;
    assert_eq!((&failed["outcome"], &failed["refunded"]), (&json!("deleted"), &json!(24)));

    let of = |org: &'static str| ["measurement", "show", "--org", org, "--family", "campaign", "--asset"];
    let shown = data_dir.shown(&[&of("org_enterprise")[..], &[&id]].concat()).await;
    assert_eq!((&shown["org_id"], &shown["asset_id"]), (&json!("org_enterprise"), &json!(id)));
    let events = shown["events"].as_array().expect("a list");
    let effects: Vec<_> = events
        .iter()
        .map(|event| {
            json!([event["type"], event["credits_charged"], event["credits_refunded"], event["state"]])
        })
        .collect();
    let expected = [
        json!(["purchased", 25, 0, "queued"]),
        json!(["failed", 0, 24, "failed"]),
        json!(["purchased", 25, 0, "queued"]),
        json!(["failed", 0, 24, "deleted"]),
    ];
    assert_eq!(effects, expected);
    assert_eq!(events[3]["event_id"], failed["event_id"]);
    for event in events {
        assert_eq!(event["product"], "campaign_measurement");
        assert!(text(&event["purchase_id"]).starts_with("purchase-"), "{event}");
        assert!(text(&event["occurred_at"]) <= text(&event["applied_at"]), "{event}");
    }
    assert_eq!(data_dir.shown(&[&of("org_other")[..], &[&id]].concat()).await["events"], json!([]));
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_grant_credits_and_revoke_keys() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let created = data_dir.shown(&["org", "create", "--id", "org_tiny", "--tier", "enterprise"]).await;
    assert_eq!((&created["org_id"], &created["balance"]), (&json!("org_tiny"), &json!(0)));
    let twice = data_dir.refused(&["org", "create", "--id", "org_tiny", "--tier", "sandbox"]).await;
    assert_eq!(twice, "marquee: organization org_tiny already exists; choose another ID\n");
    let grant = ["credits", "grant", "org_tiny", "--kind", "promotional", "--credits", "2"];
    assert_eq!(data_dir.shown(&grant).await["balance"], 2);
    let new_key = data_dir.shown(&["key", "create", "org_tiny", "--label", "walk"]).await;
    let key = text(&new_key["api_key"]);
    for remaining in [1, 0] {
        let listed = serving.get("/v2/scenarios/events", key).await;
        assert_eq!((listed.status.as_u16(), listed.number("x-credits-remaining")), (200, remaining));
    }
    let empty = serving.get("/v2/scenarios/events", key).await;
    assert_eq!(empty.error(), (402, "QUOTA_EXCEEDED".to_owned()));
    data_dir.shown(&grant).await;
    assert_eq!(serving.get("/v2/scenarios/events", key).await.status.as_u16(), 200);
    assert_eq!(data_dir.shown(&["credits", "show", "org_tiny"]).await["credits_used"], 3);

    let bills = data_dir.shown(&["org", "bills", "org_tiny"]).await;
    assert_eq!((&bills["org_id"], bills["bills"].as_array().map(Vec::len)), (&json!("org_tiny"), Some(1)));
    let totals = &bills["bills"][0]["totals"];
    assert_eq!((&totals["prepaid"], &totals["metered"], &totals["cents"]), (&json!(3), &json!(0), &json!(0)));

    // Revocation takes effect immediately if the service hasn't cached the key. A cached key stays valid for
    // up to 30 seconds.
    let unused = data_dir
        .shown(&["key", "create", "org_tiny", "--label", "unused", "--scopes", "scenarios:read"])
        .await;
    assert_eq!(unused["scopes"], json!(["scenarios:read"]));
    let revoke = ["key", "revoke", "org_tiny", text(&unused["key_id"])];
    assert_eq!(data_dir.shown(&revoke).await["revoked"], true);
    let dead = serving.get("/v2/scenarios/events", text(&unused["api_key"])).await;
    assert_eq!(dead.error(), (401, "UNAUTHORIZED".to_owned()));
    let again = data_dir.refused(&revoke).await;
    let advice = "`marquee key list org_tiny` lists its keys";
    assert_eq!(again, format!("marquee: org_tiny has no active key {}; {advice}\n", text(&unused["key_id"])));
    data_dir.shown(&["key", "revoke", "org_tiny", text(&new_key["key_id"])]).await;
    let listed = data_dir.shown(&["key", "list", "org_tiny"]).await;
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), 2);
    assert!(
        listed.iter().all(|key| key["revoked_at"].is_string() && key.get("api_key").is_none()),
        "{listed:?}"
    );
    serving.interrupt().await;

    let serving = data_dir.serve(&[]).await;
    assert_eq!(serving.get("/v2/scenarios/events", key).await.error(), (401, "UNAUTHORIZED".to_owned()));
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_work_on_a_stopped_services_data_folder() {
    let data_dir = TestDir::new();
    let missing = data_dir.refused(&["org", "show", "org_enterprise"]).await;
    let shown = data_dir.path().display();
    let expected = format!("marquee: data folder {shown} not found; run `marquee serve` once to create it\n");
    assert_eq!(missing, expected);
    assert!(!data_dir.path().exists());

    let serving = data_dir.serve(&[]).await;
    let id = serving.campaign().await;
    serving.interrupt().await;
    assert!(applied(&data_dir.shown(&event(&id, "purchased")).await));
    let new_key = data_dir.shown(&["key", "create", "org_enterprise", "--label", "offline"]).await;
    let subject = ["--issuer", "https://issuer.example.com", "--subject", "someone"];
    let people = async |command: &'static str| {
        data_dir.shown(&[&["org", command, "org_other"][..], &subject].concat()).await
    };
    let as_owner = async |org: &'static str| {
        data_dir.shown(&[&["org", "add-member", org, "--role", "owner"][..], &subject].concat()).await
    };
    assert_eq!(as_owner("org_sandbox").await["role"], "owner");
    assert_eq!(people("add-member").await["role"], "member", "a new member's default role");
    as_owner("org_other").await;
    assert_eq!(people("add-member").await["role"], "owner", "an existing member keeps their role");
    let listed = data_dir.shown(&["org", "members", "org_other"]).await;
    assert_eq!(listed[0]["issuer"], "https://issuer.example.com");
    assert_eq!((&listed[0]["subject"], listed.as_array().map(Vec::len)), (&json!("someone"), Some(1)));
    assert_eq!(people("remove-member").await["removed"], true);
    assert_eq!(data_dir.shown(&["org", "members", "org_other"]).await, json!([]));
    let again = data_dir.refused(&[&["org", "remove-member", "org_other"][..], &subject].concat()).await;
    let expected = "marquee: subject \"someone\" of issuer \"https://issuer.example.com\" is not a member of \
                    org_other; `marquee org members org_other` lists its members\n";
    assert_eq!(again, expected);
    let account = data_dir.shown(&["credits", "show", "org_enterprise"]).await;
    assert_eq!(account["balance"], 1_000_000 - 1 - 25);

    let serving = data_dir.serve(&[]).await;
    let read = serving.get(&format!("/v2/scenarios/campaigns/{id}"), text(&new_key["api_key"])).await;
    assert_eq!(read.data()["state"], "queued");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoke_tiles_revokes_all_tile_grants_of_an_organization() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let key = ("X-API-Key", serving.credentials.sandbox_key.as_str());
    let grants = "/v2/places/tiles/grants";
    let body = json!({ "allowed_origins": ["https://maps.example.com"] });
    for _ in 0..2 {
        assert_eq!(serving.call(Method::POST, grants, key, Some(&body)).await.status, 200);
    }
    let revoke = ["org", "revoke-tiles", "org_sandbox"];
    assert_eq!(data_dir.shown(&revoke).await, json!({ "org_id": "org_sandbox", "revoked": 2 }));
    let listed = serving.get(grants, key.1).await.data();
    assert!(
        listed.as_array().expect("a list").iter().all(|grant| grant["revoked_at"].is_string()),
        "{listed}"
    );
    assert_eq!(data_dir.shown(&revoke).await["revoked"], 0);
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn granting_credits_with_a_past_expiry_fails() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let grant = ["credits", "grant", "org_other", "--kind", "promotional", "--credits", "5", "--expires"];
    let past = data_dir.refused(&[&grant[..], &["2020-02-29"]].concat()).await;
    let expected = "marquee: --expires: 2020-02-29 is not in the future; use a date after today (UTC)\n";
    assert_eq!(past, expected);
    assert_eq!(data_dir.shown(&["credits", "show", "org_other"]).await["balance"], 1_000_000);
    let later = data_dir.shown(&[&grant[..], &["2999-12-31"]].concat()).await;
    assert_eq!(later["balance"], 1_000_005);
    let no_day = data_dir.run(&[&grant[..], &["2027-02-29"]].concat()).await;
    assert_eq!(no_day.code, Some(2));
    assert!(no_day.stderr.contains("must be a calendar date (YYYY-MM-DD)"), "{no_day:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn monthly_cap_is_for_pay_as_you_go_only_and_persists() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let set = async |arguments: &[&str]| {
        let shown =
            data_dir.shown(&[&["org", "tier", "org_sandbox", "--tier"][..], arguments].concat()).await;
        (text(&shown["tier"]).to_owned(), shown["monthly_cap"].as_u64().expect("a cap"))
    };
    assert_eq!(set(&["pay-as-you-go"]).await, ("pay_as_you_go".to_owned(), 20_000));
    assert_eq!(set(&["pay-as-you-go", "--cap", "500"]).await.1, 500);
    assert_eq!(set(&["pay-as-you-go"]).await.1, 500);
    let expected = "marquee: only pay-as-you-go organizations have a monthly cap; remove --cap\n";
    for tier in ["sandbox", "enterprise"] {
        assert_eq!(
            data_dir.refused(&["org", "tier", "org_sandbox", "--tier", tier, "--cap", "7"]).await,
            expected
        );
        assert_eq!(data_dir.refused(&["org", "create", "--tier", tier, "--cap", "7"]).await, expected);
    }
    for cap in ["0", "1000000000001", "18446744073709551615"] {
        let tier = ["org", "tier", "org_sandbox", "--tier", "pay-as-you-go", "--cap", cap];
        let refused = data_dir.run(&tier).await;
        let says_range = refused.stderr.contains("is not in 1..=1000000000000");
        assert_eq!((refused.code, says_range), (Some(2), true), "{refused:?}");
    }
    assert_eq!(data_dir.shown(&["org", "show", "org_sandbox"]).await["monthly_cap"], 500);
    assert_eq!(set(&["enterprise"]).await, ("enterprise".to_owned(), 0));
    assert_eq!(set(&["pay-as-you-go"]).await.1, 20_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn cloud_commands_report_missing_region_and_credentials() {
    let program = binary("marquee");
    for (variables, expected) in [
        (
            &[][..],
            "marquee: no AWS region was found; set AWS_REGION, or set AWS_PROFILE to a profile with a \
             region\n",
        ),
        (&[("AWS_REGION", "us-east-1")], "marquee: no AWS credentials were found ("),
    ] {
        let mut command = Command::new(program);
        command.env_clear().envs(variables.iter().copied()).env("AWS_EC2_METADATA_DISABLED", "true");
        command
            .args(["org", "show", "org_a", "--table-prefix", "marquee-"])
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let ended = Ended::from(in_time(command.output()).await.expect("the program runs"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{ended:?}");
        assert!(ended.stderr.starts_with(expected), "{ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_accept_exactly_their_listed_values() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let asset = "01920000-0000-7000-8000-000000000000";
    let send = ["measurement", "send", "--org", "org_other", "--asset", asset];
    let of_family = [&send[..], &["--type", "started", "--family"]].concat();
    let of_type = [&send[..], &["--family", "event", "--type"]].concat();
    let cases: [(&[&str], &[&str]); 6] = [
        (&["org", "create", "--tier"], &["sandbox", "pay-as-you-go", "enterprise"]),
        (&["org", "tier", "org_other", "--tier"], &["sandbox", "pay-as-you-go", "enterprise"]),
        (
            &["credits", "grant", "org_other", "--credits", "1", "--kind"],
            &["promotional", "allocated", "purchased"],
        ),
        (
            &["key", "create", "org_other", "--label", "a", "--scopes"],
            &[
                "scenarios:read",
                "scenarios:write",
                "measurements",
                "inventory",
                "analytics",
                "tiles",
                "billing",
            ],
        ),
        (&of_family, &["campaign", "event"]),
        (&of_type, &["purchased", "started", "measured", "completed", "failed"]),
    ];
    for (arguments, names) in cases {
        for other in ["anonymous", "metered", "nothing"] {
            let refused = data_dir.run(&[arguments, &[other]].concat()).await;
            let listed = format!("[possible values: {}]", names.join(", "));
            assert_eq!((refused.code, refused.stderr.contains(&listed)), (Some(2), true), "{refused:?}");
        }
        for name in names {
            let taken = data_dir.run(&[arguments, &[name]].concat()).await;
            let refused = "marquee: the event was refused: the organization has no asset with this id\n";
            let is_event = arguments[0] == "measurement";
            let expected = if is_event { (Some(1), refused) } else { (Some(0), "") };
            assert_eq!((taken.code, taken.stderr.as_str()), expected, "{arguments:?} {name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_purchase_names_variable_is_reported() {
    let data_dir = TestDir::new();
    let asset = "01990000-0000-7000-8000-000000000000";
    std::fs::create_dir_all(data_dir.path()).expect("a folder");
    let event = ["--org", "org_enterprise", "--family", "campaign", "--asset", asset, "--type", "started"];
    let mut command = data_dir.command(&[&["measurement", "send"][..], &event].concat(), &[]);
    command.env("PURCHASE_NAMES", "a,b,c,d,e");
    let ended: Ended = in_time(command.output()).await.expect("the program runs").into();
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (Some(1), "marquee: PURCHASE_NAMES is invalid: it has 5 names; the limit is 4\n")
    );
}

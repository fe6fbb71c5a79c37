//! `/v2/account/webhooks`: owners manage webhooks.

use gateway::{App, Config};
use harness::World;
use marquee::serve::Gateway;
use runtime::Random;
use serde_json::{Value, json};
use store::{MAX_WEBHOOKS, Role};

use super::{Flow, TYPES, WEBHOOKS, path_of};

const URL: &str = "https://hooks.example.com/marquee";

#[tokio::test]
async fn secret_is_returned_only_when_it_is_created() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let me = flow.world.get("/v2/account").bearer(&token).send().await.data()["person"]["member_id"].clone();
    let mut created = flow.webhook(&token, URL, &["key.revoked", "asset.deleted"]).await;
    let secret = created.as_object_mut().expect("an object").remove("secret").expect("a secret");
    let secret = secret.as_str().expect("a string");
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{}", secret.len());
    let expected = json!({
        "webhook_id": created["webhook_id"],
        "url": URL,
        "event_types": ["asset.deleted", "key.revoked"],
        "previous_secret_expires_at": null,
        "created_at": "2026-11-20T09:00:30.000Z",
        "created_by": { "member_id": me, "name": null, "email": "owner-of-org_a@example.com" },
        "disabled_at": null,
        "disabled_reason": null,
        "enabled": true,
    });
    assert_eq!(created, expected);
    let listed = flow.world.get(WEBHOOKS).bearer(&token).send().await;
    assert_eq!(listed.data(), json!([expected]));
    assert!(!listed.text().contains(&secret[6..]));
    assert_eq!(flow.world.account(&org).await.totals.used, 0, "managing webhooks is free");
}

#[tokio::test]
async fn url_must_be_public_and_encrypted() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    for url in [
        "http://hooks.example.com/",
        "https://hooks.example.com:8443/",
        "https://10.0.0.1/",
        "https://user:password@hooks.example.com/",
        "hooks.example.com",
        "",
    ] {
        let body = json!({ "url": url, "event_types": ["asset.deleted"] });
        let refused = flow.world.post(WEBHOOKS).bearer(&token).json(&body).send().await;
        assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()), "{url}");
        assert_eq!(refused.violations()[0].0, "/url", "{url}");
    }
}

#[tokio::test]
async fn only_the_local_process_accepts_urls_of_this_machine() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let created = flow.webhook(&token, URL, &TYPES).await;
    let config = Config { allows_local_webhooks: false, ..(*flow.world.app.config).clone() };
    let app = App::new(config, flow.world.clock.clone(), Random::seeded(5));
    let cloud = Gateway::new(&app, harness::sample()).into_router();
    let local = json!({ "url": "http://127.0.0.1:8080/", "event_types": ["asset.deleted"] });
    let refused = flow.world.post(WEBHOOKS).bearer(&token).json(&local).send_to(cloud.clone()).await;
    assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()));
    let edit = json!({ "url": "http://localhost/" });
    let refused = flow.world.patch(&path_of(&created)).bearer(&token).json(&edit).send_to(cloud).await;
    assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()));
    assert_eq!(flow.world.post(WEBHOOKS).bearer(&token).json(&local).send().await.status, 200);
}

#[tokio::test]
async fn edit_changes_only_the_given_members() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let created = flow.webhook(&token, URL, &["asset.deleted"]).await;
    let edit = |body: Value| {
        let call = flow.world.patch(&path_of(&created)).bearer(&token).json(&body);
        async move { call.send().await }
    };
    let edited = edit(json!({ "event_types": ["key.created"] })).await.data();
    assert_eq!((&edited["url"], &edited["event_types"]), (&json!(URL), &json!(["key.created"])));
    let edited = edit(json!({ "url": "https://example.org/" })).await.data();
    assert_eq!(
        (&edited["url"], &edited["event_types"]),
        (&json!("https://example.org/"), &json!(["key.created"]))
    );
    let unchanged = edit(json!({})).await;
    assert_eq!((unchanged.status.as_u16(), unchanged.data()), (200, edited));
    for invalid in [
        json!({ "event_types": [] }),
        json!({ "event_types": ["asset.renamed"] }),
        json!({ "event_types": ["key.created", "key.created"] }),
        json!({ "enabled": "no" }),
        json!({ "secret": "whsec_" }),
    ] {
        assert_eq!(edit(invalid.clone()).await.error(), (400, "VALIDATION_ERROR".to_owned()), "{invalid}");
    }
}

#[tokio::test]
async fn simultaneous_rotations_keep_the_last_two_secrets() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let path = format!("{}/secret", path_of(&flow.webhook(&token, URL, &["asset.deleted"]).await));
    let rotate = || flow.world.post(&path).bearer(&token).send();
    let (one, other) = tokio::join!(rotate(), rotate());
    let owner = store::Webhooks::new(flow.world.app.dynamo.clone());
    let stored = owner.list(&org.id).await.expect("a response").remove(0);
    let mut kept =
        [Some(stored.secret), stored.previous_secret].map(|secret| secret.expect("a secret").reveal());
    let mut returned =
        [one, other].map(|answer| answer.data()["secret"].as_str().expect("a secret").to_owned());
    kept.sort();
    returned.sort();
    assert_eq!(kept, returned);
}

#[tokio::test]
async fn organization_has_a_maximum_number_of_webhooks() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let mut last = Value::Null;
    for _ in 0..MAX_WEBHOOKS {
        last = flow.webhook(&token, URL, &["asset.deleted"]).await;
    }
    let body = json!({ "url": URL, "event_types": ["asset.deleted"] });
    let refused = flow.world.post(WEBHOOKS).bearer(&token).json(&body).send().await;
    assert_eq!(refused.error(), (409, "LIMIT_REACHED".to_owned()));
    assert_eq!(flow.world.delete(&path_of(&last)).bearer(&token).send().await.status, 204);
    flow.webhook(&token, URL, &["asset.deleted"]).await;
}

#[tokio::test]
async fn only_owners_of_the_organization_manage_its_webhooks() {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let webhook = flow.webhook(&token, URL, &["asset.deleted"]).await;
    let test = flow.world.post(&format!("{}/test", path_of(&webhook))).bearer(&token).send().await.data();
    let other = flow.world.org("org_b").await;
    let stranger = flow.world.owner_token(&other).await;
    let member = flow.world.person("member");
    flow.world.member(&org, &member, Role::Member).await;
    let member = flow.world.token(&member);
    let path = path_of(&webhook);
    let delivery = test["delivery_id"].as_str().expect("an ID");
    let world = &flow.world;
    let calls = |token: &str| {
        [
            world.patch(&path).bearer(token).json(&json!({ "enabled": false })).send(),
            world.post(&format!("{path}/secret")).bearer(token).send(),
            world.post(&format!("{path}/test")).bearer(token).send(),
            world.get(&format!("{path}/deliveries")).bearer(token).send(),
            world.post(&format!("{path}/deliveries/{delivery}/redeliver")).bearer(token).send(),
            world.delete(&path).bearer(token).send(),
        ]
    };
    for call in calls(&stranger) {
        assert_eq!(call.await.error(), (404, "NOT_FOUND".to_owned()));
    }
    for call in calls(&member) {
        assert_eq!(call.await.error(), (403, "FORBIDDEN".to_owned()));
    }
    let body = json!({ "url": URL, "event_types": ["asset.deleted"] });
    for call in [world.get(WEBHOOKS), world.post(WEBHOOKS).json(&body)] {
        assert_eq!(call.bearer(&member).send().await.error(), (403, "FORBIDDEN".to_owned()));
    }
    assert_eq!(world.get(WEBHOOKS).bearer(&stranger).send().await.data(), json!([]));
    assert_eq!(flow.read(&token, &webhook).await["enabled"], true);
}

#[tokio::test]
async fn webhooks_of_a_removed_owner_are_listed_and_can_be_deleted() {
    let (world, org) = World::with_org().await;
    let flow = Flow { records: world.records(), world };
    let token = flow.world.owner_token(&org).await;
    let leaving = flow.world.person("leaving");
    flow.world.member(&org, &leaving, Role::Owner).await;
    let theirs = flow.webhook(&flow.world.token(&leaving), URL, &["asset.deleted"]).await;
    let path = format!("/v2/account/members/{}", leaving.subject.member_id());
    let read = flow.world.get(&path).bearer(&token).send().await.data();
    assert_eq!(read["webhooks"][0]["webhook_id"], theirs["webhook_id"]);
    let removed = flow.world.delete(&path).bearer(&token).send().await.data();
    assert_eq!(removed["webhooks"][0]["webhook_id"], theirs["webhook_id"]);
    assert_eq!(removed["revoked"]["webhooks"], json!([]));
    let left = flow.read(&token, &theirs).await;
    assert_eq!((&left["enabled"], &left["created_by"]["email"]), (&json!(true), &Value::Null));
    let again = flow.world.delete(&format!("{path}?revoke=webhooks")).bearer(&token).send().await.data();
    assert_eq!(again["revoked"]["webhooks"][0]["webhook_id"], theirs["webhook_id"]);
    assert_eq!(flow.world.get(WEBHOOKS).bearer(&token).send().await.data(), json!([]));
}

//! The messages that are delivered to webhooks.

use accounting::Tier;
use harness::{Receiver, World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{Flow, TYPES, WEBHOOKS, path_of, receiving};

#[tokio::test]
async fn receiver_gets_a_signed_message_about_each_subscribed_change() {
    let (mut flow, org, token, receiver, webhook) =
        receiving(&["asset.state_changed", "asset.deleted"]).await;
    let path = flow.world.draft(&org, Family::Campaign).await;
    flow.world.bring_to(&org, &path, "queued").await;
    flow.world.delete(&path).key(&org.key).send().await;
    assert_eq!(flow.deliver_all().await, []);
    let received = receiver.take();
    let changes = flow.page(&org, "").await["changes"].clone();
    assert_eq!(received.len(), 2);
    for (delivery, change) in received.iter().zip([&changes[1], &changes[2]]) {
        let expected = json!({
            "type": change["type"], "timestamp": change["timestamp"], "data": change["data"],
        });
        assert_eq!(delivery.json(), expected);
        assert_eq!(delivery.header("webhook-id"), change["change_id"]);
        assert_eq!(delivery.header("webhook-timestamp"), "1795165230");
        assert_eq!(delivery.header("content-type"), "application/json");
        assert!(delivery.is_signed_with(webhook["secret"].as_str().expect("a secret")));
    }
    let logged = flow.deliveries(&token, &webhook).await;
    let expected = json!({
        "delivery_id": changes[2]["change_id"],
        "type": "asset.deleted",
        "created_at": changes[2]["timestamp"],
        "state": "succeeded",
        "attempts": 1,
        "last_attempt_at": "2026-11-20T09:00:30.000Z",
        "last_status": 204,
        "last_error": null,
        "next_attempt_at": null,
    });
    assert_eq!(logged.len(), 2);
    assert!(logged.contains(&expected), "{logged:?}");
}

#[tokio::test]
async fn owners_are_notified_about_keys() {
    let (mut flow, _, token, receiver, _) = receiving(&["key.created", "key.revoked"]).await;
    let body = json!({ "label": "nightly import", "scopes": ["billing"] });
    let key = flow.world.post("/v2/account/keys").bearer(&token).json(&body).send().await.data();
    let path = format!("/v2/account/keys/{}", key["key_id"].as_str().expect("an ID"));
    for _ in 0..2 {
        assert_eq!(flow.world.delete(&path).bearer(&token).send().await.status, 204);
    }
    flow.deliver_all().await;
    let received: Vec<Value> = receiver.take().iter().map(harness::ReceivedDelivery::json).collect();
    assert_eq!(received.len(), 2);
    for (message, expected) in received.iter().zip(["key.created", "key.revoked"]) {
        assert_eq!(message["type"], expected);
        let data =
            json!({ "key_id": key["key_id"], "label": "nightly import", "last_four": key["last_four"] });
        assert_eq!(message["data"], data, "the key itself is never sent");
    }
}

#[tokio::test]
async fn owners_are_notified_once_about_low_credits() {
    let world = World::new().await;
    let mut flow = Flow { records: world.records(), world };
    let org = flow.world.org_with("org_a", Tier::Enterprise, 100).await;
    let token = flow.world.owner_token(&org).await;
    let receiver = Receiver::start().await;
    flow.webhook(&token, &receiver.url, &["credits.low"]).await;
    let granted = flow.world.account(&org).await.totals.granted;
    let mut messages = Vec::new();
    while flow.world.account(&org).await.left() > 0 {
        let listed = flow.world.get(samples::library(Family::Campaign)).key(&org.key).send().await;
        assert_eq!(listed.status, 200, "{}", listed.text());
        flow.deliver_all().await;
        messages.extend(receiver.take());
    }
    let data: Vec<Value> = messages.iter().map(|message| message.json()["data"].clone()).collect();
    assert_eq!(data.len(), 3, "{data:?}");
    for (data, percent) in data.iter().zip([25, 10, 0]) {
        assert_eq!(data["percent_left"], percent);
        assert_eq!(data["balance"], granted * percent / 100);
    }
}

#[tokio::test]
async fn messages_go_only_to_the_organizations_webhooks() {
    let (mut flow, _, _, receiver, _) = receiving(&TYPES).await;
    let other = flow.world.org("org_b").await;
    flow.world.draft(&other, Family::Event).await;
    flow.deliver_all().await;
    assert!(receiver.take().is_empty());
}

#[tokio::test]
async fn test_message_has_its_own_type() {
    let (mut flow, _, token, receiver, webhook) = receiving(&["asset.deleted"]).await;
    let path = format!("{}/test", path_of(&webhook));
    let delivery = flow.world.post(&path).bearer(&token).send().await.data();
    assert_eq!((&delivery["type"], &delivery["state"]), (&json!("webhook.test"), &json!("pending")));
    flow.deliver_all().await;
    let [message] = receiver.take().try_into().expect("one message");
    assert_eq!(message.header("webhook-id"), delivery["delivery_id"]);
    assert_eq!(message.json()["data"], json!({ "webhook_id": webhook["webhook_id"] }));
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!((&logged["delivery_id"], &logged["state"]), (&delivery["delivery_id"], &json!("succeeded")));
}

#[tokio::test]
async fn previous_secret_also_signs_for_24_hours() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    let path = format!("{}/secret", path_of(&webhook));
    let rotated = flow.world.post(&path).bearer(&token).send().await.data();
    let [old, new] = [&webhook, &rotated].map(|webhook| webhook["secret"].as_str().expect("a secret"));
    assert_ne!(old, new);
    assert_eq!(rotated["previous_secret_expires_at"], "2026-11-21T09:00:30.000Z");
    for (hours, is_signed_with_old) in [(23, true), (1, false)] {
        flow.world.clock.advance(hours * 60 * 60 * 1000);
        flow.world.draft(&org, Family::Event).await;
        flow.deliver_all().await;
        let [message] = receiver.take().try_into().expect("one message");
        assert_eq!((message.is_signed_with(new), message.is_signed_with(old)), (true, is_signed_with_old));
    }
}

#[tokio::test]
async fn deliveries_are_listed_newest_first_for_30_days() {
    let (mut flow, org, token, _receiver, webhook) = receiving(&["asset.created"]).await;
    for _ in 0..3 {
        flow.world.draft(&org, Family::Event).await;
        flow.world.clock.advance(1_000);
    }
    flow.deliver_all().await;
    let all = flow.deliveries(&token, &webhook).await;
    let times: Vec<_> = all.iter().map(|delivery| delivery["created_at"].as_str().expect("a time")).collect();
    assert!(times.len() == 3 && times.is_sorted_by(|one, next| one > next), "{times:?}");
    let before = all[0]["delivery_id"].as_str().expect("an ID");
    let path = format!("{}/deliveries?limit=1&before={before}", path_of(&webhook));
    assert_eq!(flow.world.get(&path).bearer(&token).send().await.data(), json!([all[1]]));
    let invalid = format!("{}/deliveries?before=msg_1", path_of(&webhook));
    let refused = flow.world.get(&invalid).bearer(&token).send().await;
    assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()));
    flow.world.clock.advance(30 * 24 * 60 * 60 * 1000);
    let token = flow.world.owner_token(&org).await;
    assert_eq!(flow.deliveries(&token, &webhook).await, Vec::<Value>::new());
    assert_eq!(flow.world.get(WEBHOOKS).bearer(&token).send().await.status, 200);
}

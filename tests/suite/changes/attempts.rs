//! Delivery attempts: when they are retried and when they stop.

use changes::RETRY_SECONDS;
use harness::{Receiver, TestOrg};
use serde_json::{Value, json};
use store::{Deliveries, Family};

use super::{Flow, path_of, receiving};

/// Creates a draft whose first delivery attempt fails, and returns the message for the retry.
async fn failed_once(flow: &mut Flow, org: &TestOrg) -> changes::Later {
    flow.world.draft(org, Family::Event).await;
    let [later] = flow.deliver_all().await.try_into().expect("a retry");
    later
}

#[tokio::test]
async fn failed_attempts_are_repeated_for_a_day_and_then_the_webhook_is_disabled() {
    let (mut flow, org, _, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500, 302, 404, 429, 503, 400, 500, 301]);
    let mut next = Some(failed_once(&mut flow, &org).await);
    let mut seconds = Vec::new();
    while let Some(later) = next {
        seconds.push((later.at.unix_millis() - flow.world.clock.now().unix_millis()) / 1000);
        next = flow.retry(later).await;
    }
    assert_eq!(seconds, RETRY_SECONDS);
    let received = receiver.take();
    assert_eq!(received.len(), 8);
    let ids: std::collections::BTreeSet<_> =
        received.iter().map(|message| message.header("webhook-id")).collect();
    assert_eq!(ids.len(), 1, "all attempts have the same ID");
    // The first token has expired.
    let token = flow.world.owner_token(&org).await;
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    let shown = (&logged["state"], &logged["attempts"], &logged["last_status"], &logged["next_attempt_at"]);
    assert_eq!(shown, (&json!("failed"), &json!(8), &json!(301), &Value::Null));
    let webhook = flow.read(&token, &webhook).await;
    assert_eq!((&webhook["enabled"], &webhook["disabled_reason"]), (&json!(false), &json!("failures")));
    // A disabled webhook gets no new deliveries.
    flow.world.draft(&org, Family::Event).await;
    assert_eq!(flow.record().await, []);
    let enabled = flow.world.patch(&path_of(&webhook)).bearer(&token).json(&json!({ "enabled": true }));
    let enabled = enabled.send().await.data();
    assert_eq!((&enabled["enabled"], &enabled["disabled_at"]), (&json!(true), &Value::Null));
    flow.world.draft(&org, Family::Event).await;
    assert_eq!(flow.deliver_all().await, []);
    assert_eq!(receiver.take().len(), 1);
}

#[tokio::test]
async fn webhook_stays_enabled_if_another_delivery_succeeded_in_the_meantime() {
    let (mut flow, org, _, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500]);
    let mut next = Some(failed_once(&mut flow, &org).await);
    while let Some(later) = next {
        flow.world.draft(&org, Family::Campaign).await;
        receiver.respond_with(&[200]);
        flow.deliver_all().await;
        receiver.respond_with(&[500]);
        next = flow.retry(later).await;
    }
    let token = flow.world.owner_token(&org).await;
    assert_eq!(flow.read(&token, &webhook).await["enabled"], true);
}

#[tokio::test]
async fn retry_that_succeeds_ends_the_delivery() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500, 200]);
    let later = failed_once(&mut flow, &org).await;
    // A message that arrives early is postponed.
    assert_eq!(flow.deliver(&later.message).await, Some(later.clone()));
    assert_eq!(flow.retry(later).await, None);
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!((&logged["state"], &logged["attempts"]), (&json!("succeeded"), &json!(2)));
    assert_eq!(receiver.take().len(), 2);
}

#[tokio::test]
async fn repeated_messages_make_no_further_attempts() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500, 200]);
    flow.world.draft(&org, Family::Event).await;
    let [message] = flow.record().await.try_into().expect("one message");
    let (one, other) = tokio::join!(flow.deliver(&message), flow.deliver(&message));
    assert_eq!(receiver.take().len(), 1, "simultaneous messages make one attempt");
    let later = one.or(other).expect("a retry");
    let spare = flow.deliver(&message).await.expect("a spare message");
    assert!(spare.message.is_spare && spare.at > later.at);
    assert_eq!(flow.retry(later.clone()).await, None);
    for message in [&message, &later.message, &spare.message] {
        assert_eq!(flow.deliver(message).await, None);
    }
    assert_eq!(receiver.take().len(), 1);
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!(logged["attempts"], 2);
}

#[tokio::test]
async fn spare_message_continues_if_the_next_message_was_never_sent() {
    let (mut flow, org, _, receiver, _) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500, 500]);
    flow.world.draft(&org, Family::Event).await;
    let [message] = flow.record().await.try_into().expect("one message");
    // The process stopped right after the attempt, so the queue redelivers the message.
    flow.deliver(&message).await.expect("a retry");
    let spare = flow.deliver(&message).await.expect("a spare message");
    let later = flow.retry(spare.clone()).await.expect("a retry");
    assert!(!later.message.is_spare);
    assert_eq!(flow.deliver(&spare.message).await, None, "the other message continues");
    assert_eq!(flow.retry(later).await, None);
    assert_eq!(receiver.take().len(), 3);
}

#[tokio::test]
async fn receiver_that_returns_410_disables_the_webhook_immediately() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[410]);
    flow.world.draft(&org, Family::Event).await;
    assert_eq!(flow.deliver_all().await, []);
    let webhook = flow.read(&token, &webhook).await;
    assert_eq!((&webhook["enabled"], &webhook["disabled_reason"]), (&json!(false), &json!("gone")));
}

#[tokio::test]
async fn receiver_that_does_not_respond_is_logged_with_the_reason() {
    let (mut flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let webhook = flow.webhook(&token, "http://127.0.0.1:1/", &["asset.created"]).await;
    failed_once(&mut flow, &org).await;
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!((&logged["state"], &logged["last_status"]), (&json!("pending"), &Value::Null));
    let error = logged["last_error"].as_str().expect("a reason");
    assert!(error.contains("connect"), "{error}");
}

#[tokio::test]
async fn suspension_pauses_deliveries() {
    let (mut flow, org, _, receiver, _) = receiving(&["asset.created"]).await;
    flow.world.draft(&org, Family::Event).await;
    flow.world.administrator.suspend(&org.id).await.expect("a suspension");
    let [later] = flow.deliver_all().await.try_into().expect("a later check");
    let later = flow.retry(later).await.expect("a later check");
    assert!(receiver.take().is_empty());
    flow.world.administrator.resume(&org.id).await.expect("a resumption");
    assert_eq!(flow.retry(later).await, None);
    assert_eq!(receiver.take().len(), 1);
}

#[tokio::test]
async fn delivery_can_be_requested_again_once_it_has_ended() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500]);
    let later = failed_once(&mut flow, &org).await;
    let [pending] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    let id = pending["delivery_id"].as_str().expect("an ID");
    let path = format!("{}/deliveries/{id}/redeliver", path_of(&webhook));
    let again = || flow.world.post(&path).bearer(&token).send();
    assert_eq!(again().await.error(), (409, "STATE_CONFLICT".to_owned()));
    assert_eq!(flow.retry(later).await, None);
    let requested = again().await.data();
    assert_eq!((&requested["state"], &requested["attempts"]), (&json!("pending"), &json!(0)));
    assert_eq!(flow.deliver_all().await, []);
    let received = receiver.take();
    assert_eq!(received.len(), 3);
    assert!(received.iter().all(|message| message.header("webhook-id") == id));
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!((&logged["state"], &logged["attempts"]), (&json!("succeeded"), &json!(1)));
}

#[tokio::test]
async fn result_of_the_previous_attempt_is_cleared_when_an_attempt_starts() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500]);
    let message = failed_once(&mut flow, &org).await.message;
    let [failed] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!(failed["last_status"], 500);
    // A process claims the attempt, but stops before sending the message.
    let deliveries = Deliveries::new(flow.world.app.dynamo.clone());
    let now = flow.world.clock.now();
    let read = deliveries.read(&org.id, &message.webhook_id, &message.delivery_id, now).await;
    let delivery = read.expect("a response").expect("the delivery");
    let claimed = deliveries.claim(&org.id, &message.webhook_id, &delivery, now, now.plus_seconds(60)).await;
    claimed.expect("a response").expect("the attempt isn't claimed yet");
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!((&logged["state"], &logged["attempts"]), (&json!("pending"), &json!(2)));
    assert_eq!((&logged["last_status"], &logged["last_error"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn delivery_whose_message_was_lost_can_be_requested_again() {
    let (mut flow, org, _, receiver, webhook) = receiving(&["asset.created"]).await;
    flow.world.draft(&org, Family::Event).await;
    let [lost] = flow.record().await.try_into().expect("one message");
    let path = format!("{}/deliveries/{}/redeliver", path_of(&webhook), lost.delivery_id);
    for (seconds, status) in [(3600, 409), (1, 200)] {
        flow.world.clock.advance(seconds * 1000);
        let token = flow.world.owner_token(&org).await;
        assert_eq!(flow.world.post(&path).bearer(&token).send().await.status, status);
    }
    assert_eq!(flow.deliver_all().await, []);
    // The delivery has already ended, so the first message has no effect.
    assert_eq!(flow.deliver(&lost).await, None);
    assert_eq!(receiver.take().len(), 1);
}

#[tokio::test]
async fn deleted_and_disabled_webhooks_end_their_pending_deliveries() {
    let (mut flow, org, token, receiver, webhook) = receiving(&["asset.created"]).await;
    receiver.respond_with(&[500, 500]);
    let later = failed_once(&mut flow, &org).await;
    let disabled = flow.world.patch(&path_of(&webhook)).bearer(&token).json(&json!({ "enabled": false }));
    assert_eq!(disabled.send().await.data()["disabled_reason"], "owner");
    assert_eq!(flow.retry(later).await, None);
    let [logged] = flow.deliveries(&token, &webhook).await.try_into().expect("one delivery");
    assert_eq!(
        (&logged["state"], &logged["last_error"]),
        (&json!("failed"), &json!("the webhook is disabled"))
    );
    let other = Receiver::start().await;
    let second = flow.webhook(&token, &other.url, &["asset.created"]).await;
    other.respond_with(&[500]);
    let later = failed_once(&mut flow, &org).await;
    assert_eq!(flow.world.delete(&path_of(&second)).bearer(&token).send().await.status, 204);
    assert_eq!(flow.retry(later).await, None);
    assert_eq!((receiver.take().len(), other.take().len()), (1, 1));
}

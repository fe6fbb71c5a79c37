//! The measurement function's Lambda events: batches from the FIFO queue, direct invocations, and the files
//! in events/.

use std::time::Duration;

use harness::{Fault, Logs, Sent, TestOrg, World, WorldOptions};
use measurement::MeasurementEvent;
use serde_json::{Value, json};
use store::Family;

use super::{balanced, seen};

/// A batch of queue messages.
#[derive(Default)]
struct Batch(Vec<Value>);

impl Batch {
    /// Adds an event to its asset's message group.
    fn with(self, id: &str, event: &MeasurementEvent) -> Self {
        let body = serde_json::to_string(event).expect("an event");
        self.with_body(id, &event.asset_id.to_string(), &body)
    }

    /// Adds a message with any body to a message group.
    fn with_body(mut self, id: &str, group: &str, body: &str) -> Self {
        self.0.push(json!({
            "messageId": id,
            "body": body,
            "attributes": { "MessageGroupId": group, "ApproximateReceiveCount": "1" },
            "messageAttributes": {},
            "eventSource": "aws:sqs",
        }));
        self
    }

    /// Delivers the batch and returns the IDs of the messages to retry.
    async fn deliver(&self, world: &World) -> Vec<String> {
        let answer = measurement::handle(&world.measurement(), json!({ "Records": self.0 }))
            .await
            .expect("a batch reports failures per message");
        let failures = answer["batchItemFailures"].as_array().expect("a list of failures").clone();
        failures.iter().map(|failure| failure["itemIdentifier"].as_str().expect("an ID").to_owned()).collect()
    }
}

async fn two_drafts(world: &World) -> (TestOrg, String, String) {
    let org = world.org("org_a").await;
    let one = world.draft(&org, Family::Campaign).await;
    let other = world.draft(&org, Family::Event).await;
    (org, one, other)
}

fn life(world: &World, org: &TestOrg, path: &str) -> [MeasurementEvent; 3] {
    ["purchased", "started", "measured"].map(|event_type| world.event(org, path, event_type, 25))
}

#[tokio::test]
async fn batch_is_applied_in_order_and_redelivery_changes_nothing() {
    let world = World::new().await;
    let (org, one, other) = two_drafts(&world).await;
    let [a, b, c] = life(&world, &org, &one);
    let [d, e, f] = life(&world, &org, &other);
    let batch =
        Batch::default().with("1", &a).with("2", &d).with("3", &b).with("4", &c).with("5", &e).with("6", &f);
    assert_eq!(batch.deliver(&world).await, [""; 0]);
    let before = (seen(&world, &org, &one).await, seen(&world, &org, &other).await);
    assert_eq!((before.0.state.as_str(), before.1.state.as_str()), ("in_flight", "in_flight"));
    let used = balanced(&world, &org).await.totals.used;
    assert_eq!(batch.deliver(&world).await, [""; 0]);
    assert_eq!(balanced(&world, &org).await.totals.used, used);
    assert_eq!((seen(&world, &org, &one).await, seen(&world, &org, &other).await), before);
}

#[tokio::test]
async fn refused_message_is_retried_with_the_rest_of_its_group_only() {
    let logs = Logs::capture();
    let world = World::new().await;
    let (org, one, other) = two_drafts(&world).await;
    let [a, b, c] = life(&world, &org, &one);
    let [d, e, _] = life(&world, &org, &other);
    let early = world.event(&org, &one, "measured", 0);
    let batch = Batch::default()
        .with("1", &a)
        .with("2", &early)
        .with("3", &d)
        .with("4", &b)
        .with("5", &e)
        .with("6", &c);
    assert_eq!(batch.deliver(&world).await, ["2", "4", "6"]);
    assert_eq!(seen(&world, &org, &one).await.state, "queued");
    assert_eq!(seen(&world, &org, &other).await.state, "in_flight");
    let refused = logs.of("measurement_refused");
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["fields"]["event_id"], early.event_id.to_string());
    // The queue has removed the refused message, so the rest of its group is delivered.
    let rest = Batch::default().with("4", &b).with("6", &c);
    assert_eq!(rest.deliver(&world).await, [""; 0]);
    assert_eq!(seen(&world, &org, &one).await.state, "in_flight");
}

#[tokio::test]
async fn unreadable_message_is_retried_and_logged() {
    let world = World::new().await;
    let (org, one, other) = two_drafts(&world).await;
    let [a, ..] = life(&world, &org, &one);
    let [d, ..] = life(&world, &org, &other);
    let group = a.asset_id.to_string();
    for body in ["", "{", "null", "[]", "{}", "purchased"] {
        let logs = Logs::capture();
        let batch = Batch::default().with_body("1", &group, body).with("2", &a).with("3", &d);
        assert_eq!(batch.deliver(&world).await, ["1", "2"], "{body}");
        assert_eq!(logs.of("measurement_unreadable").len(), 1, "{body}");
    }
    assert_eq!(seen(&world, &org, &one).await.state, "draft");
    assert_eq!(seen(&world, &org, &other).await.state, "queued");
}

#[tokio::test]
async fn messages_are_retried_in_order_after_a_database_failure() {
    let world = World::new().await;
    let (org, one, other) = two_drafts(&world).await;
    let [a, b, c] = life(&world, &org, &one);
    let [d, e, f] = life(&world, &org, &other);
    let batch =
        Batch::default().with("1", &a).with("2", &b).with("3", &d).with("4", &c).with("5", &e).with("6", &f);
    let id = one.rsplit('/').next().expect("an ID").to_owned();
    let writes = |sent: &Sent| sent.is_write();
    let mut seen_one = 0;
    world.wire.inject_faults(move |sent| {
        let is_of_one = writes(sent) && sent.body.to_string().contains(&id);
        seen_one += usize::from(is_of_one);
        if is_of_one && seen_one > 1 { Fault::AnswerLost } else { Fault::None }
    });
    assert_eq!(batch.deliver(&world).await, ["2", "4"]);
    world.wire.stop_faults().await;
    assert_eq!(seen(&world, &org, &other).await.state, "in_flight");
    let again = Batch::default().with("2", &b).with("4", &c);
    assert_eq!(again.deliver(&world).await, [""; 0]);
    let after = seen(&world, &org, &one).await;
    assert_eq!((after.state.as_str(), after.version), ("in_flight", 4));
}

#[tokio::test]
async fn messages_after_the_deadline_are_retried() {
    let options = WorldOptions { handler_deadline: Duration::ZERO, ..WorldOptions::default() };
    let late = World::with(options).await;
    let world = World::new().await;
    let (org, one, _) = two_drafts(&world).await;
    let [a, b, _] = life(&world, &org, &one);
    let batch = Batch::default().with("1", &a).with("2", &b);
    assert_eq!(batch.deliver(&late).await, ["1", "2"]);
}

#[tokio::test]
async fn empty_batch_has_no_failures() {
    let world = World::new().await;
    assert_eq!(Batch::default().deliver(&world).await, [""; 0]);
}

#[tokio::test]
async fn direct_invocation_returns_the_outcome() {
    let world = World::new().await;
    let (org, one, _) = two_drafts(&world).await;
    let [a, _, c] = life(&world, &org, &one);
    let deliver = async |event: &MeasurementEvent| {
        let payload = serde_json::to_value(event).expect("an event");
        measurement::handle(&world.measurement(), payload).await
    };
    let bought = deliver(&a).await.expect("an outcome");
    assert!(bought["outcome"] == "applied" && bought["unknown_ids"].is_u64(), "{bought}");
    assert_eq!(deliver(&a).await.expect("an outcome"), json!({ "outcome": "already_applied" }));
    let reason = "a measured event cannot be applied to an asset that is queued";
    let refused = json!({ "outcome": "refused", "reason": reason });
    assert_eq!(deliver(&c).await.expect("an outcome"), refused);
    world.wire.inject_faults(|_| Fault::RequestLost);
    let unanswered = deliver(&world.event(&org, &one, "started", 0)).await;
    world.wire.stop_faults().await;
    assert!(unanswered.is_err(), "the invocation fails, so that the caller retries");
}

#[tokio::test]
async fn event_of_a_deleted_asset_is_settled_and_reports_its_refund() {
    let world = World::new().await;
    let (org, one, other) = two_drafts(&world).await;
    for path in [&one, &other] {
        world.bring_to(&org, path, "queued").await;
        assert_eq!(world.delete(path).key(&org.key).send().await.status, 204);
    }
    let failed = world.event(&org, &one, "failed", 0);
    let payload = serde_json::to_value(&failed).expect("an event");
    let logs = Logs::capture();
    for expected in [json!({ "outcome": "deleted", "refunded": 24 }), json!({ "outcome": "already_applied" })]
    {
        let answer = measurement::handle(&world.measurement(), payload.clone()).await.expect("an outcome");
        assert_eq!(answer, expected);
    }
    let lines = logs.of("measurement");
    let fields: Vec<_> =
        lines.iter().map(|line| (&line["fields"]["outcome"], &line["fields"]["refunded"])).collect();
    assert_eq!(fields, [(&json!("deleted"), &json!(24)), (&json!("already_applied"), &Value::Null)]);
    let batch = Batch::default().with("1", &world.event(&org, &other, "failed", 0)).with("2", &failed);
    assert_eq!(batch.deliver(&world).await, [""; 0], "neither message is retried");
}

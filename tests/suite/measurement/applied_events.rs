//! The list of an asset's applied events, which `measurement show` prints.

use accounting::Meter;
use harness::{Fault, Sent, TestOrg, World};
use http::StatusCode;
use measurement::Outcome;
use serde_json::{Value, json};
use store::{AppliedEvent, AssetState, Family};

use super::{FAMILIES, altered, apply};

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

async fn applied(world: &World, org: &TestOrg, family: Family, path: &str) -> Vec<AppliedEvent> {
    let asset = path.rsplit('/').next().expect("an ID").parse().expect("an asset");
    world.administrator.applied_events(&org.id, family, asset).await.expect("a response")
}

/// An event's type, purchase (ID and meter), charge, refund, and resulting state.
type Effect<'a> = (&'a str, Option<(&'a str, &'a str)>, u64, u64, Option<AssetState>);

/// Returns the displayed members of an event, except for its ID and its times.
fn effect(event: &AppliedEvent) -> Effect<'_> {
    let purchase = event.purchase_id.as_deref().zip(event.product.as_ref().map(Meter::as_str));
    (&event.event_type, purchase, event.charged, event.refunded, event.state)
}

#[tokio::test]
async fn shows_the_effects_of_events_in_order_of_application() {
    use AssetState::{Completed, Failed, InFlight, Queued};
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        assert_eq!(applied(&world, &org, family, &path).await, [], "a draft");
        // The clock doesn't move, so the events can't be ordered by time.
        let mut sent = Vec::new();
        for event_type in ["purchased", "failed", "purchased", "started", "measured", "completed"] {
            let event = world.event(&org, &path, event_type, 25);
            let event = altered(&event, |event| event["occurred_at"] = json!("2026-11-19T08:00:00Z"));
            assert!(apply(&world, &event).await.is_applied(), "{event_type}");
            assert_eq!(apply(&world, &event).await, Outcome::AlreadyApplied, "{event_type}");
            sent.push(event);
        }
        assert!(matches!(world.measure(&org, &path, "failed").await, Outcome::Refused { .. }));
        let shown = applied(&world, &org, family, &path).await;
        let bought = format!("{family}_measurement");
        let about = Some(("p-1", bought.as_str()));
        let expected = [
            ("purchased", about, 25, 0, Some(Queued)),
            ("failed", about, 0, 24, Some(Failed)),
            ("purchased", about, 25, 0, Some(Queued)),
            ("started", about, 0, 0, Some(InFlight)),
            ("measured", about, 0, 0, Some(InFlight)),
            ("completed", about, 0, 0, Some(Completed)),
        ];
        assert_eq!(shown.iter().map(effect).collect::<Vec<_>>(), expected);
        for (event, sent) in shown.iter().zip(&sent) {
            assert_eq!((&event.id, event.occurred_at), (&sent.event_id, sent.occurred_at));
            assert_eq!(event.applied_at, world.clock.now());
        }
    }
}

#[tokio::test]
async fn shows_events_of_deleted_assets() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        world.bring_to(&org, &path, "failed").await;
        world.bring_to(&org, &path, "queued").await;
        assert_eq!(world.delete(&path).key(&org.key).send().await.status, StatusCode::NO_CONTENT);
        for (event_type, refunded) in [("started", 0), ("failed", 24), ("failed", 0)] {
            assert_eq!(world.measure(&org, &path, event_type).await, Outcome::Deleted { refunded });
        }
        let shown = applied(&world, &org, family, &path).await;
        let bought = format!("{family}_measurement");
        let about = Some(("p-1", bought.as_str()));
        let expected = [
            ("purchased", about, 25, 0, Some(AssetState::Queued)),
            ("failed", about, 0, 24, Some(AssetState::Failed)),
            ("purchased", about, 25, 0, Some(AssetState::Queued)),
            ("started", about, 0, 0, None),
            ("failed", about, 0, 24, None),
            ("failed", None, 0, 0, None),
        ];
        assert_eq!(shown.iter().map(effect).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn event_with_a_lost_answer_is_shown_once() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    world.wire.break_in_order(Sent::is_write, &[Fault::AnswerLost, Fault::ErrorBeforeCommit]);
    let event = world.event(&org, &path, "purchased", 25);
    assert!(apply(&world, &event).await.is_applied());
    world.wire.stop_faults().await;
    let shown = applied(&world, &org, Family::Campaign, &path).await;
    assert_eq!(shown.iter().map(|event| event.charged).collect::<Vec<_>>(), [25]);
}

#[tokio::test]
async fn shows_no_events_of_other_organizations_or_families() {
    let (world, org, other) = World::with_two_orgs().await;
    let path = world.draft(&org, Family::Campaign).await;
    world.bring_to(&org, &path, "queued").await;
    assert_eq!(applied(&world, &org, Family::Campaign, &path).await.len(), 1);
    assert_eq!(applied(&world, &other, Family::Campaign, &path).await, []);
    assert_eq!(applied(&world, &org, Family::Event, &path).await, []);
}

#[tokio::test]
async fn largest_event_record_fits_in_one_write_unit_and_expires_after_400_days() {
    let world = World::new().await;
    let name = "o".repeat(64);
    let org = world.org(&name).await;
    let path = world.draft(&org, Family::Campaign).await;
    let largest = altered(&world.event(&org, &path, "purchased", 25), |event| {
        event["event_id"] = json!("e".repeat(128));
        event["purchase"]["purchase_id"] = json!("\u{1f5fd}".repeat(128));
    });
    world.wire.record();
    assert!(apply(&world, &largest).await.is_applied());
    let sent = world.wire.take();
    let writes = sent.iter().find(|sent| sent.operation == "TransactWriteItems").expect("a transaction");
    let puts =
        writes.body["TransactItems"].as_array().expect("writes").iter().map(|write| &write["Put"]["Item"]);
    let is_kept = |item: &&Value| item["sk"]["S"].as_str().is_some_and(|sk| sk.starts_with("applied#"));
    let item = puts.into_iter().find(is_kept).expect("the event's record").as_object().expect("an item");
    let bytes: usize = item.iter().map(|(name, value)| name.len() + value_bytes(value)).sum();
    assert!(bytes <= 1024, "{bytes} bytes");
    let now = world.clock.now().unix_seconds();
    assert_eq!(item["ttl"]["N"], json!((now + 400 * SECONDS_A_DAY).to_string()));
}

/// Returns an upper bound on the bytes that DynamoDB counts for a string or a number.
fn value_bytes(value: &Value) -> usize {
    let text = value["S"].as_str().or(value["N"].as_str()).expect("a string or a number");
    text.len().max(1) + 1
}

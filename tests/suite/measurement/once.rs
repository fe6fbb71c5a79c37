//! Each event is applied exactly once, even if it is sent repeatedly or concurrently.

use accounting::Tier;
use harness::Fault::{self, AnswerLost, ArrivesLate, Conflict, ErrorAfterCommit, RequestLost};
use harness::{Sent, TestOrg, World, paid};
use measurement::{EventRefusal, MeasurementEvent, Outcome};
use serde_json::json;
use store::Family;

use super::{altered, apply, balanced, counted, reason, seen};

/// Asset states, each with an event that is accepted in that state.
const MOVES: [(&str, &str); 5] = [
    ("draft", "purchased"),
    ("queued", "started"),
    ("in_flight", "measured"),
    ("in_flight", "completed"),
    ("queued", "failed"),
];

async fn ready(
    world: &World,
    org: &TestOrg,
    (state, event_type): (&str, &str),
) -> (String, MeasurementEvent) {
    let path = world.draft(org, Family::Event).await;
    world.bring_to(org, &path, state).await;
    let event = world.event(org, &path, event_type, 25);
    (path, event)
}

#[tokio::test]
async fn event_sent_ten_times_concurrently_is_applied_once() {
    let (world, org) = World::with_org().await;
    for a_move in MOVES {
        let (path, event) = ready(&world, &org, a_move).await;
        let version = seen(&world, &org, &path).await.version;
        let running: Vec<_> = (0..10)
            .map(|_| {
                let (app, event) = (world.app.clone(), event.clone());
                tokio::spawn(async move { harness::apply(&app, &event).await.expect("a response") })
            })
            .collect();
        let mut applied = 0;
        for outcome in running {
            match outcome.await.expect("no panic") {
                Outcome::Applied | Outcome::Purchased { .. } => applied += 1,
                other => assert_eq!(other, Outcome::AlreadyApplied, "{a_move:?}"),
            }
        }
        assert_eq!((applied, seen(&world, &org, &path).await.version), (1, version + 1), "{a_move:?}");
        if a_move.1 != "failed" {
            continue;
        }
        assert_eq!(counted(&world, &org, Family::Event).await["failed"], 1);
    }
    balanced(&world, &org).await;
}

#[tokio::test]
async fn duplicate_purchase_that_loses_the_race_returns_already_applied() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 30).await;
    let (path, event) = ready(&world, &org, ("draft", "purchased")).await;
    let (app, twin) = (world.app.clone(), event.clone());
    let reads_account = |sent: &Sent| sent.operation == "GetItem" && sent.touches("accounts");
    world.wire.before_first(reads_account, async move {
        assert!(harness::apply(&app, &twin).await.expect("a response").is_applied());
    });
    assert_eq!(apply(&world, &event).await, Outcome::AlreadyApplied);
    assert_eq!(balanced(&world, &org).await.totals.used, paid() + 25);
    assert_eq!(seen(&world, &org, &path).await.state, "queued");
}

#[tokio::test]
async fn repeated_event_after_later_events_changes_nothing() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let life =
        ["purchased", "started", "measured", "failed", "purchased", "started", "measured", "completed"];
    let mut sent = Vec::new();
    for event_type in life {
        let event = world.event(&org, &path, event_type, 25);
        assert!(apply(&world, &event).await.is_applied());
        sent.push(event);
        let (before, account) = (seen(&world, &org, &path).await, world.account(&org).await.totals);
        for event in &sent {
            assert_eq!(apply(&world, event).await, Outcome::AlreadyApplied);
        }
        assert_eq!(world.account(&org).await.totals, account);
        assert_eq!(seen(&world, &org, &path).await, before);
    }
}

#[tokio::test]
async fn event_id_of_another_event_is_refused() {
    let (world, org, other) = World::with_two_orgs().await;
    let (_, event) = ready(&world, &org, ("draft", "purchased")).await;
    assert!(apply(&world, &event).await.is_applied());
    for (org, family) in [(&org, Family::Event), (&org, Family::Campaign), (&other, Family::Event)] {
        let path = world.draft(org, family).await;
        let same_id = altered(&world.event(org, &path, "purchased", 25), |same| {
            same["event_id"] = json!(event.event_id);
        });
        let used = world.account(org).await.totals.used;
        let taken = Outcome::Refused { reason: EventRefusal::IdTaken };
        assert_eq!(
            reason(taken.clone()),
            "a different event with this event_id was already applied; send a new event_id"
        );
        assert_eq!(apply(&world, &same_id).await, taken);
        assert_eq!(world.account(org).await.totals.used, used);
        assert_eq!(seen(&world, org, &path).await.state, "draft");
    }
}

#[tokio::test]
async fn event_id_taken_concurrently_is_refused() {
    let (world, org) = World::with_org().await;
    for a_move in MOVES {
        let (path, event) = ready(&world, &org, a_move).await;
        let (other, twin) = ready(&world, &org, a_move).await;
        let twin = altered(&twin, |twin| twin["event_id"] = json!(event.event_id));
        let before = seen(&world, &org, &path).await;
        let app = world.app.clone();
        world.wire.before_first(Sent::is_write, async move {
            assert!(harness::apply(&app, &twin).await.expect("a response").is_applied());
        });
        let taken = Outcome::Refused { reason: EventRefusal::IdTaken };
        assert_eq!(
            reason(taken.clone()),
            "a different event with this event_id was already applied; send a new event_id"
        );
        assert_eq!(apply(&world, &event).await, taken, "{a_move:?}");
        assert_eq!(seen(&world, &org, &path).await, before, "{a_move:?}");
        assert_ne!(seen(&world, &org, &other).await.version, before.version, "{a_move:?}");
        balanced(&world, &org).await;
    }
}

#[tokio::test]
async fn refused_event_can_be_sent_again() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let started = world.event(&org, &path, "started", 0);
    assert!(reason(apply(&world, &started).await).contains("draft"));
    assert!(world.measure(&org, &path, "purchased").await.is_applied());
    assert_eq!(apply(&world, &started).await, Outcome::Applied);
}

#[tokio::test]
async fn event_is_applied_once_despite_database_faults() {
    let (world, org) = World::with_org().await;
    let faults: [&[Fault]; 7] = [
        &[AnswerLost],
        &[ErrorAfterCommit],
        &[RequestLost, AnswerLost],
        &[Conflict, Conflict, Conflict, Conflict, Conflict, Conflict],
        &[ArrivesLate(1)],
        &[ArrivesLate(1_000)],
        &[ArrivesLate(1_000), ErrorAfterCommit],
    ];
    for a_move in MOVES {
        for tries in faults {
            let (path, event) = ready(&world, &org, a_move).await;
            let (before, used) = (seen(&world, &org, &path).await, world.account(&org).await.totals.used);
            world.wire.break_in_order(|sent| sent.is_write(), tries);
            assert!(apply(&world, &event).await.is_applied(), "{a_move:?} {tries:?}");
            world.wire.stop_faults().await;
            assert_eq!(apply(&world, &event).await, Outcome::AlreadyApplied, "{a_move:?} {tries:?}");
            assert_eq!(seen(&world, &org, &path).await.version, before.version + 1, "{a_move:?} {tries:?}");
            let bought = match a_move.1 {
                "purchased" => 25,
                "failed" => -24,
                _ => 0,
            };
            let read = paid();
            let now = balanced(&world, &org).await.totals.used;
            assert_eq!(
                now,
                (used + read).checked_add_signed(bought).expect("usage is not negative"),
                "{a_move:?} {tries:?}"
            );
        }
    }
}

#[tokio::test]
async fn unanswered_event_is_already_applied_on_retry() {
    let (world, org) = World::with_org().await;
    for a_move in MOVES {
        let (path, event) = ready(&world, &org, a_move).await;
        let version = seen(&world, &org, &path).await.version;
        world.wire.inject_faults(|sent| if sent.is_write() { AnswerLost } else { Fault::None });
        assert!(harness::apply(&world.app, &event).await.is_err(), "{a_move:?}");
        world.wire.stop_faults().await;
        assert_eq!(apply(&world, &event).await, Outcome::AlreadyApplied, "{a_move:?}");
        assert_eq!(seen(&world, &org, &path).await.version, version + 1, "{a_move:?}");
    }
    balanced(&world, &org).await;
}

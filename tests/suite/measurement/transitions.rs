//! The state transitions and other changes that events cause.

use harness::{World, large_spots, paid};
use measurement::{EventType, Outcome};
use serde_json::json;
use store::AssetState;
use strum::IntoEnumIterator;

use super::{FAMILIES, altered, apply, counted, reason, seen};

const EVENTS: [&str; 5] = ["purchased", "started", "measured", "completed", "failed"];

/// For each state, the resulting state after each event, in the same order as `EVENTS`. An empty string means
/// that the event is refused.
const TABLE: [(&str, [&str; 5]); 5] = [
    ("draft", ["queued", "", "", "", ""]),
    ("queued", ["", "in_flight", "", "completed", "failed"]),
    ("in_flight", ["", "", "in_flight", "completed", "failed"]),
    ("completed", ["", "", "", "", ""]),
    ("failed", ["queued", "", "", "", ""]),
];

#[test]
fn test_tables_contain_every_event_and_state() {
    assert_eq!(EventType::iter().map(|event| event.to_string()).collect::<Vec<_>>(), EVENTS);
    let states: Vec<_> = TABLE.iter().map(|(state, _)| *state).collect();
    assert_eq!(AssetState::iter().map(<&str>::from).collect::<Vec<_>>(), states);
    for event in EVENTS {
        let is_lived = LIVES.iter().any(|life| events_of(life).any(|(lived, ..)| lived == event));
        assert!(is_lived, "no sequence in LIVES contains {event}");
    }
}

#[tokio::test]
async fn events_cause_the_transitions_in_the_table() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for (state, row) in TABLE {
            for (event, next) in EVENTS.into_iter().zip(row) {
                let case = format!("{family} {state} {event}");
                let path = world.draft(&org, family).await;
                world.bring_to(&org, &path, state).await;
                let before = seen(&world, &org, &path).await;
                let mut counts = counted(&world, &org, family).await;
                world.clock.advance(1_000);
                let outcome = world.measure(&org, &path, event).await;
                let after = seen(&world, &org, &path).await;
                if next.is_empty() {
                    assert_eq!(
                        reason(outcome),
                        format!("a {event} event cannot be applied to an asset that is {state}"),
                        "{case}"
                    );
                    assert_eq!(after, before, "{case}");
                } else {
                    assert!(outcome.is_applied(), "{case}");
                    assert_eq!((after.state.as_str(), after.version), (next, before.version + 1), "{case}");
                    assert_eq!(after.updated_at, world.clock.now().to_string(), "{case}");
                    *counts.get_mut(state).expect("every state is counted") -= 1;
                    *counts.get_mut(next).expect("every state is counted") += 1;
                }
                assert_eq!(counted(&world, &org, family).await, counts, "{case}");
            }
        }
    }
}

/// Sequences of events. `@` is followed by the minute when the event happens, and `=` by the expected minute
/// of `last_measured_at`.
const LIVES: [&str; 12] = [
    "purchased@1 started@2 measured@3=3 measured@9=9",
    "purchased@1 started@2 measured@9=9 measured@3=9",
    "purchased@1 started@2 measured@3=3 completed@4=3",
    "purchased@1 completed@4=4",
    "purchased@1 started@2 completed@4=4",
    "purchased@1 failed@2 purchased@3 started@4",
    "purchased@1 started@2 measured@3=3 failed@4=3 purchased@5 started@6 measured@7=7",
    "purchased@1 started@2 measured@3=3 failed@4=3 purchased@5 completed@8=8",
    "purchased@1 started@2 measured@3=3 failed@4=3 purchased@5 started@6 completed@8=8",
    // Measurements of the failed run arrive after the next run has started.
    "purchased@1 started@2 failed@4 purchased@5 started@6 measured@3 measured@7=7 measured@3=7 completed@8=7",
    "purchased@1 failed@4 purchased@5 started@6 measured@3 completed@8=8",
    // The completion happened before the next purchase, so it doesn't set `last_measured_at` for the next
    // run.
    "purchased@1 failed@4 purchased@5 completed@3",
];

/// Splits a sequence into events. Returns each event's type and minute, and the expected minute of
/// `last_measured_at`, if any.
fn events_of(life: &str) -> impl Iterator<Item = (&str, u32, Option<u32>)> {
    life.split(' ').map(|event| {
        let (event_type, minutes) = event.split_once('@').expect("a minute");
        let (minute, measured) =
            minutes.split_once('=').map_or((minutes, None), |(at, seen)| (at, Some(seen)));
        let number = |text: &str| text.parse().expect("a number");
        (event_type, number(minute), measured.map(number))
    })
}

#[tokio::test]
async fn last_measured_at_is_the_latest_measurement_of_the_current_run() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for life in LIVES {
            let path = world.draft(&org, family).await;
            for (event_type, minute, measured) in events_of(life) {
                let event = altered(&world.event(&org, &path, event_type, 1), |event| {
                    event["occurred_at"] = json!(format!("2026-11-20T10:{minute:02}:00.1239+01:00"));
                });
                assert!(apply(&world, &event).await.is_applied());
                let expected = measured.map(|minute| format!("2026-11-20T09:{minute:02}:00.123Z"));
                assert_eq!(
                    seen(&world, &org, &path).await.last_measured_at,
                    json!(expected),
                    "{family} {life}"
                );
            }
        }
    }
}

#[tokio::test]
async fn edit_while_queued_keeps_the_state_and_the_purchase() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        world.bring_to(&org, &path, "queued").await;
        let used = world.account(&org).await.totals.used;
        let mut customer = harness::samples::body(family)["customer"].take();
        customer["customer_scenario_info"] = json!("edited while queued");
        let edited =
            world.patch(&path).key(&org.key).json(&json!({ "customer": customer })).send().await.data();
        assert_eq!((&edited["state"], &edited["customer"]), (&json!("queued"), &customer));
        for (event, state) in [("started", "in_flight"), ("measured", "in_flight"), ("failed", "failed")] {
            assert_eq!(world.measure(&org, &path, event).await, Outcome::Applied, "{family} {event}");
            let after = world.get(&path).key(&org.key).send().await.data();
            assert_eq!((&after["state"], &after["customer"]), (&json!(state), &customer), "{family} {event}");
        }
        // One edit and three reads are charged, and the purchase is refunded.
        assert_eq!(world.account(&org).await.totals.used, used + 4 * paid() - 24);
    }
}

#[tokio::test]
async fn event_keeps_the_body_of_a_large_asset() {
    let (world, org) = World::with_org().await;
    let mut body = harness::samples::campaign();
    body["spots"] = large_spots(3, 300);
    let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&body).send().await.data();
    let path = format!("/v2/scenarios/campaigns/{}", created["asset_id"].as_str().expect("an ID"));
    for event in ["purchased", "failed", "purchased", "started", "completed"] {
        assert!(world.measure(&org, &path, event).await.is_applied(), "{event}");
        let read = world.get(&path).key(&org.key).send().await.data();
        assert!(read["spots"] == body["spots"], "{event}");
    }
}

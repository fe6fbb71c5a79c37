//! Events for deleted assets, unknown assets, and assets of another organization.

use accounting::Tier;
use harness::{Sent, TestOrg, World, paid, samples};
use http::StatusCode;
use measurement::{MeasurementEvent, Outcome};
use serde_json::json;
use store::Family;

use super::{FAMILIES, altered, apply, balanced, counted, reason, seen};

async fn deleted_while(world: &World, org: &TestOrg, family: Family, state: &str) -> String {
    let path = world.draft(org, family).await;
    world.bring_to(org, &path, state).await;
    assert_eq!(world.delete(&path).key(&org.key).send().await.status, StatusCode::NO_CONTENT);
    path
}

#[tokio::test]
async fn events_of_assets_deleted_while_queued_are_acknowledged_and_refunded_once() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        // The events, with the credits that each of them refunds.
        for events in [
            [("started", 0), ("measured", 0), ("failed", 24)],
            [("failed", 24), ("failed", 0), ("started", 0)],
            [("completed", 0), ("failed", 0), ("measured", 0)],
            [("measured", 0), ("started", 0), ("completed", 0)],
        ] {
            let path = deleted_while(&world, &org, family, "queued").await;
            let deleted = "the asset was deleted, so its measurement cannot be purchased";
            let used = world.account(&org).await.totals.used;
            for (event_type, refunded) in events {
                let event = world.event(&org, &path, event_type, 0);
                let expected = Outcome::Deleted { refunded };
                assert_eq!(apply(&world, &event).await, expected, "{event_type} of {events:?}");
                assert_eq!(
                    apply(&world, &event).await,
                    Outcome::AlreadyApplied,
                    "{event_type} of {events:?}"
                );
            }
            let refunded: u64 = events.iter().map(|(_, refunded)| refunded).sum();
            assert_eq!(balanced(&world, &org).await.totals.used, used - refunded, "{events:?}");
            assert_eq!(reason(world.measure(&org, &path, "purchased").await), deleted, "{events:?}");
            assert_eq!(world.get(&path).key(&org.key).send().await.status, StatusCode::NOT_FOUND);
        }
        assert_eq!(counted(&world, &org, family).await.values().sum::<i64>(), 0);
        assert!(world.get(samples::library(family)).key(&org.key).send().await.data() == json!([]));
    }
}

#[tokio::test]
async fn concurrent_failures_of_a_deleted_asset_are_refunded_once() {
    let (world, org) = World::with_org().await;
    let path = deleted_while(&world, &org, Family::Campaign, "queued").await;
    let used = world.account(&org).await.totals.used;
    let running: Vec<_> = (0..8)
        .map(|_| {
            let (app, event) = (world.app.clone(), world.event(&org, &path, "failed", 0));
            tokio::spawn(async move { harness::apply(&app, &event).await.expect("a response") })
        })
        .collect();
    let mut refunds = Vec::new();
    for outcome in running {
        match outcome.await.expect("no panic") {
            Outcome::Deleted { refunded } => refunds.push(refunded),
            other => panic!("{other:?}"),
        }
    }
    refunds.sort_unstable();
    assert_eq!(refunds, [0, 0, 0, 0, 0, 0, 0, 24], "one of the concurrent failures reports the refund");
    assert_eq!(balanced(&world, &org).await.totals.used, used - 24);
}

#[tokio::test]
async fn assets_deleted_in_other_states_refuse_all_events() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for state in ["draft", "failed"] {
            let path = deleted_while(&world, &org, family, state).await;
            assert_refuses_all(&world, &org, &path).await;
        }
    }
}

#[tokio::test]
async fn unknown_and_foreign_assets_refuse_events() {
    let (world, org, other) = World::with_two_orgs().await;
    for (family, wrong) in [(Family::Campaign, "event"), (Family::Event, "campaign")] {
        let path = world.draft(&org, family).await;
        world.bring_to(&org, &path, "queued").await;
        let before = seen(&world, &org, &path).await;
        assert_refuses_all(&world, &other, &path).await;
        let unknown = format!("{}/0199a7c4-5d00-7000-8000-000000000009", samples::library(family));
        assert_refuses_all(&world, &org, &unknown).await;
        let misplaced =
            altered(&world.event(&org, &path, "started", 0), |event| event["family"] = json!(wrong));
        assert_eq!(reason(apply(&world, &misplaced).await), "the organization has no asset with this id");
        assert_eq!(seen(&world, &org, &path).await, before);
    }
    let unknown_org = TestOrg { id: "org_none".parse().expect("an ID"), ..world.org("org_any").await };
    let path = world.draft(&org, Family::Event).await;
    assert_refuses_all(&world, &unknown_org, &path).await;
}

async fn assert_refuses_all(world: &World, org: &TestOrg, path: &str) {
    for event_type in ["purchased", "started", "measured", "completed", "failed"] {
        let outcome = world.measure(org, path, event_type).await;
        assert_eq!(reason(outcome), "the organization has no asset with this id", "{event_type}");
    }
}

#[tokio::test]
async fn delete_after_a_concurrent_failure_refunds_once() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Event).await;
    world.bring_to(&org, &path, "queued").await;
    let (app, failed) = (world.app.clone(), world.event(&org, &path, "failed", 0));
    world.wire.before_first(writes_asset, async move {
        assert_eq!(harness::apply(&app, &failed).await.expect("a response"), Outcome::Applied);
    });
    assert_eq!(world.delete(&path).key(&org.key).send().await.status, StatusCode::NO_CONTENT);
    assert_eq!(balanced(&world, &org).await.totals.used, paid() + 25 - 24 + paid());
    assert_refuses_all(&world, &org, &path).await;
}

#[tokio::test]
async fn event_after_a_concurrent_delete_uses_the_tombstone() {
    // `bought` is the cost of the purchase after any refund. Creating and deleting the draft are charged
    // separately.
    for (event_type, bought) in [("failed", 1), ("started", 25), ("completed", 25)] {
        let (world, org) = World::with_org_of(Tier::Enterprise, 100).await;
        let path = world.draft(&org, Family::Campaign).await;
        world.bring_to(&org, &path, "queued").await;
        world.delete(&path).key(&org.key).send_before(writes_asset, 204).await;
        let event: MeasurementEvent = world.event(&org, &path, event_type, 0);
        let expected = Outcome::Deleted { refunded: 25 - bought };
        assert_eq!(apply(&world, &event).await, expected, "{event_type}");
        assert_eq!(balanced(&world, &org).await.totals.used, 2 * paid() + bought, "{event_type}");
        assert_eq!(counted(&world, &org, Family::Campaign).await.values().sum::<i64>(), 0, "{event_type}");
    }
}

fn writes_asset(sent: &Sent) -> bool {
    sent.is_write() && sent.touches("assets")
}

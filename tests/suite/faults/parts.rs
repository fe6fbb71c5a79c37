//! Reads of assets whose bodies are stored in several items, while another call replaces the asset.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use harness::{Fault, Sent, TestOrg, World, WorldOptions, large_spots, paid, samples, version};
use serde_json::{Value, json};
use store::Family;

/// A change to a large campaign after its main item is read and before its parts are read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meanwhile {
    /// The new version has the same number of parts.
    Replaced,
    /// The new version has more parts.
    Grown,
    /// The new version fits in the main item, so it has no parts.
    Shrunk,
    /// The campaign is deleted.
    Deleted,
}

const ALL: [Meanwhile; 4] = [Meanwhile::Replaced, Meanwhile::Grown, Meanwhile::Shrunk, Meanwhile::Deleted];

#[tokio::test]
async fn read_during_a_replacement_returns_the_new_version() {
    let (world, org) = patient_world().await;
    for meanwhile in ALL {
        let (path, spots) = raced(&world, &org, meanwhile).await;
        let answer = world.get(&path).key(&org.key).send().await;
        match meanwhile {
            Meanwhile::Deleted => assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned())),
            _ => {
                assert!(answer.data()["spots"] == spots && answer.header("etag") == "\"2\"", "{meanwhile:?}")
            }
        }
        world.delete(&path).key(&org.key).send().await;
    }
}

#[tokio::test]
async fn list_during_a_replacement_returns_the_new_version() {
    let (world, org) = patient_world().await;
    for meanwhile in ALL {
        let (path, spots) = raced(&world, &org, meanwhile).await;
        let listed = world.get(samples::library(Family::Campaign)).key(&org.key).send().await.data();
        let listed = listed.as_array().expect("a list");
        match meanwhile {
            Meanwhile::Deleted => assert!(listed.is_empty(), "{meanwhile:?}"),
            _ => assert!(listed.len() == 1 && listed[0]["spots"] == spots, "{meanwhile:?}"),
        }
        world.delete(&path).key(&org.key).send().await;
    }
}

#[tokio::test]
async fn edit_during_a_replacement_is_applied_to_the_new_version() {
    let (world, org) = patient_world().await;
    for meanwhile in ALL {
        let (path, spots) = raced(&world, &org, meanwhile).await;
        let edit = json!({ "campaign": { "name": "mine" } });
        let answer = world.patch(&path).key(&org.key).json(&edit).send().await;
        if meanwhile == Meanwhile::Deleted {
            assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()));
            continue;
        }
        assert_eq!(answer.header("etag"), "\"3\"", "{meanwhile:?}");
        let after = world.get(&path).key(&org.key).send().await.data();
        assert!(after["spots"] == spots && after["campaign"]["name"] == "mine", "{meanwhile:?}");
    }
}

#[tokio::test]
async fn read_that_always_races_with_edits_returns_503_uncharged() {
    let (world, org) = patient_world().await;
    let path = large(&world, &org).await;
    let (other, key, edited) = (world.clone(), org.key.clone(), path.clone());
    let editing = Arc::new(AtomicBool::new(false));
    let mut edits = 0;
    world.wire.interleave(move |sent| {
        // The edits read the parts, too, but aren't interrupted.
        if !is_read_of_parts(sent) || editing.swap(true, Ordering::SeqCst) {
            return None;
        }
        let (other, key, edited, editing) = (other.clone(), key.clone(), edited.clone(), editing.clone());
        edits += 1;
        let edit = json!({ "campaign": { "reference": format!("edit {edits}") } });
        Some(Box::pin(async move {
            assert_eq!(other.patch(&edited).key(&key).json(&edit).send().await.status, 200);
            editing.store(false, Ordering::SeqCst);
        }))
    });
    let answer = world.get(&path).key(&org.key).send().await;
    world.wire.stop_faults().await;
    assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()));
    assert!(answer.number("retry-after") >= 1 && answer.header("x-credits-used") == "0");
    let after = world.get(&path).key(&org.key).send().await;
    let edits = version(&after) - 1;
    assert_eq!(after.data()["campaign"]["reference"], format!("edit {edits}"));
    // The draft, the edits, and the last read are charged.
    assert_eq!(world.account(&org).await.totals.used, (1 + edits + 1) * paid());
}

#[tokio::test]
async fn throttled_parts_are_requested_at_most_twenty_times() {
    let (world, org) = patient_world().await;
    let path = large(&world, &org).await;
    for (throttled, status, requests) in [(1, 200, 2), (19, 200, 20), (20, 503, 20), (usize::MAX, 503, 20)] {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        world.wire.inject_faults(move |sent| {
            let is_throttled = is_read_of_parts(sent) && counted.fetch_add(1, Ordering::SeqCst) < throttled;
            if is_throttled { Fault::Unprocessed } else { Fault::None }
        });
        let answer = world.get(&path).key(&org.key).send().await;
        world.wire.stop_faults().await;
        assert_eq!(answer.status, status, "{throttled}: {answer:?}");
        assert_eq!(calls.load(Ordering::SeqCst), requests, "{throttled}");
        assert_eq!(answer.header("x-credits-used"), if status == 200 { "1" } else { "0" }, "{throttled}");
    }
}

async fn patient_world() -> (Arc<World>, TestOrg) {
    let attempt_timeout = Duration::from_secs(60);
    let world = World::with(WorldOptions { attempt_timeout, ..WorldOptions::default() }).await;
    let org = world.org("org_a").await;
    (Arc::new(world), org)
}

/// Creates a large campaign and schedules a change between the next read of its main item and the read of
/// its parts. Returns the campaign's path, and its spots after the change.
async fn raced(world: &World, org: &TestOrg, meanwhile: Meanwhile) -> (String, Value) {
    let path = large(world, org).await;
    let spots = match meanwhile {
        Meanwhile::Replaced => large_spots(2, 300),
        Meanwhile::Grown => large_spots(2, 700),
        Meanwhile::Shrunk | Meanwhile::Deleted => json!([{ "display_id": "1", "spot_id": 1 }]),
    };
    let (call, status) = match meanwhile {
        Meanwhile::Deleted => (world.delete(&path), 204),
        _ => (world.patch(&path).json(&json!({ "spots": spots })), 200),
    };
    call.key(&org.key).send_before(is_read_of_parts, status).await;
    (path, spots)
}

async fn large(world: &World, org: &TestOrg) -> String {
    let mut body = samples::campaign();
    body["spots"] = large_spots(1, 300);
    let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&body).send().await.data();
    let id = created["asset_id"].as_str().expect("an asset ID");
    format!("/v2/scenarios/campaigns/{id}")
}

fn is_read_of_parts(sent: &Sent) -> bool {
    sent.operation == "BatchGetItem" && sent.body.to_string().contains("chunk#")
}

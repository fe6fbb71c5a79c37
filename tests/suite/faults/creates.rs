//! Each idempotency key creates one asset and one charge, even if requests are concurrent or responses are
//! lost.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use accounting::Credits;
use harness::Fault::{
    self, AnswerLost, ArrivesLate, Conflict, ErrorAfterCommit, ErrorBeforeCommit, RequestLost,
};
use harness::{Answer, Sent, TestOrg, World, WorldOptions, paid, samples};
use serde_json::{Value, json};
use store::Family;
use tokio::task::JoinSet;

/// The faults in a create call's successive writes. Each row is one scenario. The SDK sends the transaction
/// up to four times, and the later faults apply to the write that determines the transaction's outcome.
const DROPPED: [&[Fault]; 10] = [
    &[AnswerLost],
    &[ErrorAfterCommit, AnswerLost, AnswerLost],
    &[AnswerLost, AnswerLost, AnswerLost, AnswerLost],
    &[AnswerLost, AnswerLost, AnswerLost, AnswerLost, AnswerLost, AnswerLost],
    &[RequestLost, RequestLost, RequestLost, RequestLost],
    &[ErrorBeforeCommit, RequestLost, AnswerLost, RequestLost, RequestLost],
    &[
        RequestLost,
        RequestLost,
        RequestLost,
        RequestLost,
        AnswerLost,
        AnswerLost,
        AnswerLost,
        AnswerLost,
        AnswerLost,
    ],
    &[ArrivesLate(30), ArrivesLate(40), ArrivesLate(50), ArrivesLate(60)],
    &[ArrivesLate(1), ArrivesLate(2), ArrivesLate(1_000), ArrivesLate(2)],
    &[Conflict, AnswerLost, Conflict, ArrivesLate(3), Conflict, AnswerLost],
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_concurrent_creates_make_one_asset_and_one_charge() {
    let world = World::new().await;
    for family in [Family::Campaign, Family::Event] {
        let org = world.org(&format!("org_{family}")).await;
        let mut routers = Vec::new();
        for seed in 0..3 {
            // The seeds are different, because two processes with the same random tokens would look like one
            // process that retries.
            routers.push(world.another_process(100 * (1 + family as u64) + seed).await.1);
        }
        let mut calls = JoinSet::new();
        for number in 0..50 {
            let router = routers[number % routers.len()].clone();
            calls.spawn(post(&world, &org, family, "k-1").send_to(router));
        }
        let answers = calls.join_all().await;
        let ids: BTreeSet<_> = answers.iter().map(|answer| answer.data()["asset_id"].to_string()).collect();
        assert_eq!(ids.len(), 1, "{ids:?}");
        let paying: Vec<_> = answers.iter().filter(|answer| answer.credits_used() > 0).collect();
        assert_eq!((paying.len(), paying[0].credits_used()), (1, paid()));
        for answer in &answers {
            let replayed = answer.header("idempotency-replayed") == "true";
            assert_eq!(replayed, answer.credits_used() == 0, "only the request that creates the asset pays");
        }
        assert_eq!(listed(&world, &org, family).await.len(), 1);
        assert_charged(&world, &org, 1, 50).await;
    }
}

#[tokio::test]
async fn concurrent_creates_with_one_key_and_different_bodies_return_200_and_a_charged_409() {
    let (world, org) = World::with_org().await;
    let library = samples::library(Family::Event);
    let other = json!({ "name": "another", "description": "one" });
    let mut other_body = samples::event();
    other_body.as_object_mut().expect("an object").extend(other.as_object().expect("an object").clone());
    let (first, second) = tokio::join!(
        post(&world, &org, Family::Event, "k-1").send(),
        world.post(library).key(&org.key).header("idempotency-key", "k-1").json(&other_body).send(),
    );
    let statuses: BTreeSet<_> = [&first, &second].map(|answer| answer.status.as_u16()).into();
    assert_eq!(statuses, BTreeSet::from([200, 409]));
    assert_eq!((first.credits_used(), second.credits_used()), (paid(), paid()));
    assert_eq!(listed(&world, &org, Family::Event).await.len(), 1);
}

#[tokio::test]
async fn lost_responses_leave_one_asset_and_one_charge_per_key() {
    let attempt_timeout = Duration::from_millis(500);
    let world = World::with(WorldOptions { attempt_timeout, ..WorldOptions::default() }).await;
    let org = world.org("org_a").await;
    let (mut created, mut retries) = (BTreeMap::new(), 0);
    for number in 0..200_usize {
        let key = format!("k-{number}");
        let family = if number % 2 == 0 { Family::Campaign } else { Family::Event };
        let mut tries = 0;
        let answer = loop {
            // For every third key, responses to the charge are lost, too.
            let charge_faults: &[Fault] =
                if number % 3 == 0 { &[AnswerLost, RequestLost, AnswerLost] } else { &[] };
            if tries < 2 {
                break_wire(&world, DROPPED[number / 2 % DROPPED.len()], charge_faults);
            }
            tries += 1;
            let answer = post(&world, &org, family, &key).send().await;
            if answer.status == 200 {
                break answer;
            }
            assert_eq!((answer.error().0, answer.credits_used()), (503, 0), "{number}: {}", answer.text());
            retries += 1;
            world.wire.stop_faults().await;
        };
        world.wire.stop_faults().await;
        let id = answer.data()["asset_id"].to_string();
        // The client retries even after a 200, because it may not have received the response.
        let again = post(&world, &org, family, &key).send().await;
        assert_eq!((again.data()["asset_id"].to_string(), again.credits_used()), (id.clone(), 0), "{number}");
        assert!(created.insert(id, key).is_none(), "{number}: another key returned this asset");
    }
    let stored = [Family::Campaign, Family::Event];
    let mut ids = BTreeSet::new();
    for family in stored {
        ids.extend(listed(&world, &org, family).await);
    }
    assert_eq!(ids, created.into_keys().collect());
    assert!(retries > 20, "expected more than 20 failed calls, got {retries}");
    let account = world.account(&org).await;
    // One charge for each key, and two for list pages.
    assert_eq!(account.totals.used, (200 + 2) * paid());
    assert_eq!(account.totals.granted, account.left() + account.totals.used + account.totals.expired);
}

#[tokio::test]
async fn create_that_arrives_after_its_timeout_is_rejected() {
    let (world, org) = World::with_org().await;
    break_wire(&world, &[ArrivesLate(1_000); 4], &[]);
    let given_up = post(&world, &org, Family::Campaign, "k-1").send().await;
    assert_eq!((given_up.error().0, given_up.credits_used()), (503, 0));
    // The late attempts arrive now.
    world.wire.stop_faults().await;
    assert_eq!(listed(&world, &org, Family::Campaign).await, BTreeSet::new());
    let created = post(&world, &org, Family::Campaign, "k-1").send().await;
    assert_eq!((created.credits_used(), created.header("idempotency-replayed")), (paid(), ""));
    assert_eq!(listed(&world, &org, Family::Campaign).await.len(), 1);
}

#[tokio::test]
async fn key_of_a_failed_create_can_be_reused_by_a_process_with_a_slow_clock() {
    let (world, org) = World::with_org().await;
    break_wire(&world, &[ArrivesLate(1_000); 4], &[]);
    assert_eq!(post(&world, &org, Family::Campaign, "k-1").send().await.error().0, 503);
    world.wire.stop_faults().await;
    world.clock.advance(-2_000);
    let created = post(&world, &org, Family::Campaign, "k-1").send().await;
    assert_eq!((created.status.as_u16(), created.header("idempotency-replayed")), (200, ""));
    assert_eq!(listed(&world, &org, Family::Campaign).await.len(), 1);
}

#[tokio::test]
async fn late_attempts_of_a_create_that_failed_twice_are_rejected() {
    let (world, org) = World::with_org().await;
    break_wire(&world, &[ArrivesLate(1_000); 4], &[]);
    assert_eq!(post(&world, &org, Family::Event, "k-1").send().await.error().0, 503);
    break_wire(&world, &[ArrivesLate(1_000); 4], &[]);
    assert_eq!(post(&world, &org, Family::Event, "k-1").send().await.error().0, 503);
    world.wire.stop_faults().await;
    assert_eq!(listed(&world, &org, Family::Event).await, BTreeSet::new());
    assert_eq!(world.account(&org).await.totals.used, paid(), "only the list call is charged");
}

fn post<'a>(world: &'a World, org: &TestOrg, family: Family, key: &str) -> harness::Call<'a> {
    let call = world.post(samples::library(family)).key(&org.key).header("idempotency-key", key);
    call.json(&samples::body(family))
}

/// Applies faults to the next asset writes and the next account writes, in order.
fn break_wire(world: &World, create_faults: &'static [Fault], charge_faults: &'static [Fault]) {
    let (mut create_faults, mut charge_faults) =
        (create_faults.iter().copied(), charge_faults.iter().copied());
    world.wire.inject_faults(move |sent: &Sent| match sent {
        sent if sent.is_write() && sent.touches("assets") => create_faults.next().unwrap_or(Fault::None),
        sent if sent.is_write() && sent.touches("accounts") => charge_faults.next().unwrap_or(Fault::None),
        _ => Fault::None,
    });
}

/// Reads all pages of a library and returns the IDs of its assets.
async fn listed(world: &World, org: &TestOrg, family: Family) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut cursor = String::new();
    loop {
        let path = format!("{}?limit=100{cursor}", samples::library(family));
        let page: Answer = world.get(&path).key(&org.key).send().await;
        let data = page.data();
        ids.extend(data.as_array().expect("a list").iter().map(|asset| asset["asset_id"].to_string()));
        match page.json()["pagination"]["cursor"].clone() {
            Value::String(next) => cursor = format!("&cursor={next}"),
            _ => return ids,
        }
    }
}

/// Asserts that an account has paid for `charges` create calls and one list call, and that the usage counts
/// `creates` create calls, including replays.
async fn assert_charged(world: &World, org: &TestOrg, charges: Credits, creates: i64) {
    let account = world.account(org).await;
    assert_eq!(account.totals.used, (charges + 1) * paid());
    assert_eq!(account.totals.granted, account.left() + account.totals.used + account.totals.expired);
    let calls: i64 = account.today.usage.values().map(|line| line.calls).sum();
    assert_eq!(calls, creates + 1, "replays should count as calls");
}

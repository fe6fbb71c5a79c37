//! `POST .../batch`.

use accounting::{Credits, PrepaidKind, Tier};
use harness::{Answer, Fault, Sent, TestOrg, World, paid, samples};
use serde_json::{Value, json};
use store::Family;
use tokio::task::JoinSet;

use super::{FAMILIES, changed, read, split, summary};

const NAME: &str = "/customer/customer_scenario_name";

fn path(family: Family) -> String {
    format!("{}/batch", samples::library(family))
}

fn create(family: Family, key: &str) -> Value {
    json!({ "operation": "create", "idempotency_key": key, "body": samples::body(family) })
}

fn delete(key: &str, asset: &Value) -> Value {
    json!({ "operation": "delete", "idempotency_key": key, "asset_id": asset })
}

fn patch(family: Family, key: &str, asset: &Value, version: u64) -> Value {
    let body =
        json!({ "customer": changed(&samples::body(family), NAME, Some(json!("renamed")))["customer"] });
    json!({
        "operation": "patch", "idempotency_key": key, "asset_id": asset, "version": version, "body": body,
    })
}

async fn send(world: &World, org: &TestOrg, family: Family, operations: &[Value]) -> Answer {
    world.post(&path(family)).key(&org.key).json(&json!({ "operations": operations })).send().await
}

async fn balance(world: &World, org: &TestOrg) -> Credits {
    world.account(org).await.balance(None, world.clock.now())
}

/// Returns each result's status, its price, and whether it was replayed.
fn outcomes(answer: &Answer) -> Vec<(u64, u64, bool)> {
    let results = answer.data();
    let results = results.as_array().unwrap_or_else(|| panic!("no results: {}", answer.text())).iter();
    let outcome = |result: &Value| {
        let status = result["status"].as_u64().expect("a status");
        let credits = result["credits_used"].as_u64().expect("a price");
        (status, credits, result["replayed"].as_bool().expect("a flag"))
    };
    results.map(outcome).collect()
}

#[tokio::test]
async fn each_operation_has_its_own_result_and_price() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let old = world.draft(&org, family).await;
        let old = json!(old.rsplit('/').next());
        let unknown = json!("01990000-0000-7000-8000-000000000000");
        let invalid = changed(&create(family, "4"), "/body/customer", None);
        let replacing = changed(&create(family, "1"), "/operation", Some(json!("replace")));
        let replacing = changed(&replacing, "/body/customer/customer_scenario_id", Some(json!("own-1")));
        let operations = [
            create(family, "0"),
            replacing,
            patch(family, "2", &old, 1),
            patch(family, "3", &old, 1),
            invalid,
            delete("5", &unknown),
            delete("6", &old),
        ];
        let before = (balance(&world, &org).await, world.account(&org).await.window.calls);
        let answer = send(&world, &org, family, &operations).await;
        let statuses = [200, 200, 200, 412, 400, 404, 204];
        assert_eq!(outcomes(&answer), statuses.map(|status| (status, paid(), false)));
        let results = answer.data();
        assert_eq!((&results[2]["version"], &results[2]["state"]), (&json!(2), &json!("draft")));
        assert_eq!((&results[3]["version"], &results[3]["asset_id"]), (&json!(2), &Value::Null));
        let violation = &results[4]["error"]["errors"][0];
        assert_eq!(violation["pointer"], "/body/customer", "{violation}");
        assert_eq!(results[6]["asset_id"], old);
        assert_eq!(answer.credits_used(), 7 * paid());
        let after = (balance(&world, &org).await, world.account(&org).await.window.calls);
        assert_eq!((answer.credits_remaining(), before.0 - after.0), (after.0, 7 * paid()));
        assert_eq!(after.1 - before.1, 1, "a batch is one call of the minute");
        for (result, expected) in [(&results[0], &operations[0]), (&results[1], &operations[1])] {
            let id = result["asset_id"].as_str().expect("an ID");
            let asset = read(&world, &org, &format!("{}/{id}", samples::library(family))).await;
            assert_eq!(split(&asset.data()).1, expected["body"]);
        }
        assert_eq!(summary(&world, &org, family).await["total"], 2);
    }
}

#[tokio::test]
async fn repeated_batch_changes_nothing_and_is_free() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let old = world.draft(&org, family).await;
        let old = json!(old.rsplit('/').next());
        let gone = json!(world.draft(&org, family).await.rsplit('/').next());
        let mut operations = vec![create(family, "0"), patch(family, "1", &old, 1), delete("2", &gone)];
        let first = send(&world, &org, family, &operations).await;
        let before = balance(&world, &org).await;
        let again = send(&world, &org, family, &operations).await;
        assert_eq!(outcomes(&again), [(200, 0, true), (200, 0, true), (204, 0, true)]);
        for (first, again) in
            [0, 1, 2].map(|place| (first.data()[place].clone(), again.data()[place].clone()))
        {
            assert_eq!([&first["asset_id"], &first["version"]], [&again["asset_id"], &again["version"]]);
        }
        assert_eq!((again.credits_used(), balance(&world, &org).await), (0, before));
        assert_eq!(summary(&world, &org, family).await["total"], 2);
        // The same keys with different content.
        operations[1]["version"] = json!(2);
        operations[2] = delete("2", &old);
        let other = send(&world, &org, family, &operations).await;
        assert_eq!(outcomes(&other), [(200, 0, true), (409, paid(), false), (409, paid(), false)]);
        assert_eq!(other.data()[1]["error"]["code"], "IDEMPOTENCY_KEY_REUSED");
        assert_eq!(summary(&world, &org, family).await["total"], 2);
    }
}

#[tokio::test]
async fn batch_that_runs_out_of_credits_is_completed_by_repeating_it() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let family = Family::Campaign;
    let body = |count: u64, first: u64| -> Vec<Value> {
        (0..count).map(|number| create(family, &format!("{}", first + number))).collect()
    };
    let mut left = balance(&world, &org).await - 3 * paid();
    let mut first = 1_000;
    while left > 0 {
        // Small batches stay within the deadline, even on a slow machine.
        let count = (left / paid()).min(25);
        assert_eq!(send(&world, &org, family, &body(count, first)).await.credits_used(), count * paid());
        (left, first) = (left - count * paid(), first + count);
        world.clock.advance(60_000);
    }
    let short = send(&world, &org, family, &body(5, 0)).await;
    let (done, refused) = ((200, paid(), false), (402, 0, false));
    assert_eq!(outcomes(&short), [done, done, done, refused, refused]);
    assert_eq!(short.data()[3]["error"]["code"], "QUOTA_EXCEEDED");
    assert_eq!((short.credits_used(), short.credits_remaining()), (3 * paid(), 0));
    world.administrator.grant(&org.id, PrepaidKind::Purchased, 2 * paid(), None).await.expect("a grant");
    let completed = send(&world, &org, family, &body(5, 0)).await;
    let replayed = (200, 0, true);
    assert_eq!(outcomes(&completed), [replayed, replayed, replayed, done, done]);
}

#[tokio::test]
async fn operation_without_an_answer_is_refunded_and_can_be_repeated() {
    let (world, org) = World::with_org().await;
    let operations: Vec<Value> = (0..4).map(|key| create(Family::Event, &format!("{key}"))).collect();
    for fault in [Fault::RequestLost, Fault::AnswerLost, Fault::ErrorBeforeCommit, Fault::ErrorAfterCommit] {
        for operation in ["GetItem", "UpdateItem", "TransactWriteItems"] {
            let before = balance(&world, &org).await;
            let keyed: Vec<Value> = operations
                .iter()
                .enumerate()
                .map(|(place, create)| {
                    let key = format!("{fault:?}-{operation}-{place}");
                    changed(create, "/idempotency_key", Some(json!(key)))
                })
                .collect();
            // The fault applies to the third matching database request of the batch.
            let mut seen = 0;
            world.wire.inject_faults(move |sent: &Sent| {
                let is_asset = sent.operation == "TransactWriteItems" || sent.touches("assets");
                let counted = sent.operation == operation && (is_asset || operation == "UpdateItem");
                seen += usize::from(counted);
                if counted && seen == 3 { fault } else { Fault::None }
            });
            let answer = send(&world, &org, Family::Event, &keyed).await;
            world.wire.stop_faults().await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            let used: u64 = outcomes(&answer).iter().map(|(_, credits, _)| credits).sum();
            assert_eq!((answer.credits_used(), before - balance(&world, &org).await), (used, used));
            let again = send(&world, &org, Family::Event, &keyed).await;
            assert!(outcomes(&again).iter().all(|(status, ..)| *status == 200), "{}", again.text());
            let total = before - balance(&world, &org).await;
            assert_eq!(total, 4 * paid(), "{fault:?} of {operation}");
        }
    }
    assert_eq!(summary(&world, &org, Family::Event).await["total"], 48);
}

#[tokio::test]
async fn simultaneous_edits_reuse_an_expired_key_only_once() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let asset = world.draft(&org, family).await;
        let id = json!(asset.rsplit('/').next());
        let operation = changed(&patch(family, "night", &id, 1), "/version", None);
        assert_eq!(
            outcomes(&send(&world, &org, family, std::slice::from_ref(&operation)).await),
            [(200, paid(), false)]
        );
        world.clock.advance(24 * 60 * 60 * 1000);
        let undo = json!({ "customer": samples::body(family)["customer"] });
        assert_eq!(world.patch(&asset).key(&org.key).json(&undo).send().await.status, 200);
        let before = balance(&world, &org).await;
        let batch = || world.post(&path(family)).key(&org.key).json(&json!({ "operations": [operation] }));
        // The second batch arrives after the first one has looked up the key.
        batch().send_before(|sent: &Sent| sent.operation == "TransactWriteItems", 200).await;
        assert_eq!(outcomes(&batch().send().await), [(200, 0, true)]);
        assert_eq!(before - balance(&world, &org).await, paid());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn simultaneous_batches_with_the_same_keys_create_each_asset_once() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let operations: Vec<Value> = (0..5).map(|key| create(family, &format!("{key}"))).collect();
        let before = balance(&world, &org).await;
        let mut calls = JoinSet::new();
        for seed in 0..6 {
            let (_, router) = world.another_process(100 * (1 + family as u64) + seed).await;
            let call = world.post(&path(family)).key(&org.key).json(&json!({ "operations": operations }));
            calls.spawn(call.send_to(router));
        }
        for answer in calls.join_all().await {
            assert!(
                outcomes(&answer).iter().all(|(status, ..)| [200, 503].contains(status)),
                "{}",
                answer.text()
            );
        }
        assert_eq!(outcomes(&send(&world, &org, family, &operations).await), [(200, 0, true); 5]);
        assert_eq!(before - balance(&world, &org).await, 5 * paid());
        assert_eq!(summary(&world, &org, family).await["total"], 5);
    }
}

#[tokio::test]
async fn malformed_batch_is_free_and_performs_nothing() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let valid = create(family, "0");
        let second =
            |pointer: &str, value: Option<Value>| vec![valid.clone(), changed(&valid, pointer, value)];
        let cases = [
            (vec![], "/operations", "1 to 100 items, but has 0"),
            (vec![valid.clone(); 101], "/operations", "1 to 100 items, but has 101"),
            (second("/operation", None), "/operations/1/operation", "required"),
            (second("/operation", Some(json!("upsert"))), "/operations/1/operation", "upsert"),
            (second("/idempotency_key", None), "/operations/1/idempotency_key", "required"),
            (second("/idempotency_key", Some(json!(""))), "/operations/1/idempotency_key", "1 to 255"),
            (second("/etag", Some(json!("1"))), "/operations/1/etag", "unknown member"),
            (second("/body", None), "/operations/1", "must have body"),
            (second("/version", Some(json!(1))), "/operations/1", "no asset_id or version"),
            (second("/operation", Some(json!("patch"))), "/operations/1", "must have asset_id and body"),
            (second("/operation", Some(json!("delete"))), "/operations/1", "no body"),
            (vec![delete("1", &json!("no-id"))], "/operations/0/asset_id", "must be a UUID"),
            (vec![patch(family, "1", &json!("no-id"), 0)], "/operations/0/version", "at least 1"),
        ];
        for (operations, pointer, detail) in cases {
            let answer = send(&world, &org, family, &operations).await;
            let found = answer.violations();
            assert!(
                found.iter().any(|(at, text)| at == pointer && text.contains(detail)),
                "{pointer} {detail}: {found:?}"
            );
            assert_eq!((answer.status.as_u16(), answer.credits_used()), (400, 0));
        }
        assert_eq!(summary(&world, &org, family).await["total"], 0);
    }
}

#[tokio::test]
async fn batch_never_reaches_another_organization() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let theirs = json!(world.draft(&other, family).await.rsplit('/').next());
        let answer =
            send(&world, &org, family, &[delete("0", &theirs), patch(family, "1", &theirs, 1)]).await;
        assert_eq!(outcomes(&answer), [(404, paid(), false); 2]);
        assert_eq!(summary(&world, &other, family).await["total"], 1);
    }
}

#[tokio::test]
async fn batch_can_create_a_hundred_assets() {
    let (world, org) = World::with_org().await;
    let operations: Vec<Value> = (0..100).map(|key| create(Family::Campaign, &format!("{key}"))).collect();
    let answer = send(&world, &org, Family::Campaign, &operations).await;
    assert_eq!(outcomes(&answer), vec![(200, paid(), false); 100]);
    assert_eq!(summary(&world, &org, Family::Campaign).await["total"], 100);
}

//! Changes are recorded once and in order, even if several processes handle the same records repeatedly.

use std::collections::BTreeSet;

use harness::Fault::{AnswerLost, ErrorAfterCommit, RequestLost};
use marquee::webhooks::record_batch;
use serde_json::{Value, json};
use store::Family;

use super::{Flow, types_of};

/// Takes the records of all writes so far, each as a separate batch.
fn single(flow: &mut Flow) -> Vec<Value> {
    let batch = flow.records.take().expect("records");
    let records = batch["Records"].as_array().expect("a list").iter();
    records.map(|record| json!({ "Records": [record] })).collect()
}

#[tokio::test]
async fn repeated_records_are_recorded_once() {
    let (mut flow, org) = Flow::with_org().await;
    let path = flow.world.draft(&org, Family::Campaign).await;
    flow.world.bring_to(&org, &path, "in_flight").await;
    let batches = single(&mut flow);
    assert_eq!(batches.len(), 3);
    // The stream repeats the second record and then everything from the start.
    for index in [0, 1, 1, 0, 1, 2, 0, 1, 2] {
        record_batch(&flow.world.app, batches[index].clone()).await.expect("the database responds");
    }
    let expected = ["asset.created", "asset.state_changed", "asset.state_changed"];
    assert_eq!(types_of(&flow.page(&org, "").await["changes"]), expected);
}

#[tokio::test]
async fn processes_that_record_different_partitions_share_one_sequence() {
    let (mut flow, org) = Flow::with_org().await;
    for _ in 0..5 {
        flow.world.draft(&org, Family::Campaign).await;
        flow.world.draft(&org, Family::Event).await;
    }
    let batches = single(&mut flow);
    let of = |family: &str| -> Vec<Value> {
        let is_of = |batch: &&Value| {
            let key = batch["Records"][0]["dynamodb"]["Keys"]["pk"]["S"].as_str().expect("a key");
            key.starts_with(family)
        };
        batches.iter().filter(is_of).cloned().collect()
    };
    let process = |batches: Vec<Value>| {
        let app = flow.world.app.clone();
        tokio::spawn(async move {
            for batch in batches {
                record_batch(&app, batch).await.expect("the database responds");
            }
        })
    };
    // Two processes receive the same campaign records, as happens after a lost acknowledgment.
    for running in [process(of("campaign")), process(of("event")), process(of("campaign"))] {
        running.await.expect("no panic");
    }
    let page = flow.page(&org, "?limit=100").await;
    let numbers: Vec<_> = page["changes"].as_array().expect("a list").iter().map(number_of).collect();
    assert_eq!(numbers.len(), 10);
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
}

/// Returns the number at the end of a change's ID.
fn number_of(change: &Value) -> u64 {
    let id = change["change_id"].as_str().expect("an ID");
    id.rsplit('_').next().expect("a number").parse().expect("a number")
}

#[tokio::test]
async fn lost_requests_and_answers_neither_lose_nor_repeat_a_change() {
    for fault in [RequestLost, AnswerLost, ErrorAfterCommit] {
        let (mut flow, org) = Flow::with_org().await;
        flow.world.draft(&org, Family::Event).await;
        let batch = flow.records.take().expect("records");
        let is_transaction = |sent: &harness::Sent| sent.operation == "TransactWriteItems";
        flow.world.wire.break_in_order(is_transaction, &[fault]);
        while record_batch(&flow.world.app, batch.clone()).await.is_err() {}
        assert_eq!(types_of(&flow.page(&org, "").await["changes"]), ["asset.created"], "{fault:?}");
    }
}

#[tokio::test]
async fn records_of_one_library_that_arrive_out_of_order_are_all_recorded() {
    let (mut flow, org) = Flow::with_org().await;
    for _ in 0..3 {
        flow.world.draft(&org, Family::Event).await;
    }
    let batches = single(&mut flow);
    // A library's items can be in several shards of the stream, which are read concurrently.
    for index in [2, 0, 1, 0] {
        record_batch(&flow.world.app, batches[index].clone()).await.expect("the database responds");
    }
    let page = flow.page(&org, "").await;
    let ids: BTreeSet<_> = page["changes"].as_array().expect("a list").iter().map(asset_of).collect();
    assert_eq!((page["changes"].as_array().map(Vec::len), ids.len()), (Some(3), 3));
}

fn asset_of(change: &Value) -> &str {
    change["data"]["asset_id"].as_str().expect("an ID")
}

#[tokio::test]
async fn batch_can_be_larger_than_a_transaction() {
    let (mut flow, org) = Flow::with_org().await;
    for _ in 0..60 {
        flow.world.draft(&org, Family::Event).await;
    }
    let batch = flow.records.take().expect("records");
    for _ in 0..2 {
        record_batch(&flow.world.app, batch.clone()).await.expect("the database responds");
    }
    let page = flow.page(&org, "?limit=100").await;
    let numbers: Vec<_> = page["changes"].as_array().expect("a list").iter().map(number_of).collect();
    assert!(numbers.len() == 60 && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
}

#[tokio::test]
async fn unreadable_record_does_not_block_later_records() {
    let (mut flow, org) = Flow::with_org().await;
    flow.world.draft(&org, Family::Event).await;
    let mut batch = flow.records.take().expect("records");
    let mut unreadable = batch["Records"][0].clone();
    let mut of_another_form = unreadable.clone();
    unreadable["dynamodb"]["NewImage"]["state"] = json!({ "S": "lost" });
    of_another_form["dynamodb"]["NewImage"]["by_hand"] = json!({ "NULL": true });
    let records = batch["Records"].as_array_mut().expect("a list");
    records.splice(0..0, [unreadable, of_another_form]);
    record_batch(&flow.world.app, batch).await.expect("the database responds");
    assert_eq!(types_of(&flow.page(&org, "").await["changes"]), ["asset.created"]);
}

//! `PUT .../by-customer-scenario-id/{customer_scenario_id}`.

use harness::{Answer, Sent, TestOrg, World, paid, samples};
use serde_json::{Value, json};
use store::Family;
use tokio::task::JoinSet;

use super::{FAMILIES, changed, create, list, read, split, stored_keys, summary};

const OWN: &str = "/customer/customer_scenario_id";

fn path(family: Family, id: &str) -> String {
    let encoded: String = id.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("{}/by-customer-scenario-id/{encoded}", samples::library(family))
}

fn body(family: Family, id: &str) -> Value {
    changed(&samples::body(family), OWN, Some(json!(id)))
}

fn unnamed(family: Family, id: &str) -> Value {
    changed(&body(family, id), if family == Family::Campaign { "/campaign" } else { "/name" }, None)
}

async fn put(world: &World, org: &TestOrg, family: Family, id: &str) -> Answer {
    world.put(&path(family, id)).key(&org.key).json(&body(family, id)).send().await
}

#[tokio::test]
async fn creates_an_asset_and_then_replaces_it_as_a_whole() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        for id in ["one", "s/2 é&", ".", "links"] {
            assert_eq!(put(&world, &other, family, id).await.data()["version"], 1);
            let created = put(&world, &org, family, id).await;
            assert_eq!(
                (created.status.as_u16(), created.credits_used()),
                (200, paid()),
                "{}",
                created.text()
            );
            let asset = created.data();
            let location = created.header("location").to_owned();
            assert!(location.ends_with(asset["asset_id"].as_str().expect("an ID")), "{location}");
            assert_eq!((&asset["version"], created.header("etag")), (&json!(1), "\"1\""));
            let same = put(&world, &org, family, id).await;
            assert_eq!((same.data(), same.header("location"), same.credits_used()), (asset, "", paid()));
            let replace = world.put(&path(family, id)).key(&org.key).json(&unnamed(family, id));
            let replaced = replace.header("if-match", "\"1\"").send().await.data();
            assert_eq!(replaced["version"], 2);
            assert_eq!(split(&replaced).1, unnamed(family, id), "omitted members are cleared");
        }
        assert_eq!(summary(&world, &org, family).await["total"], 4);
    }
}

#[tokio::test]
async fn two_concurrent_puts_create_one_asset() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        // The second call arrives after the first one has found no asset with this ID.
        let creates =
            |sent: &Sent| sent.operation == "TransactWriteItems" && sent.body.to_string().contains("put#");
        world
            .put(&path(family, "one"))
            .key(&org.key)
            .json(&body(family, "one"))
            .send_before(creates, 200)
            .await;
        let first = world.put(&path(family, "one")).key(&org.key).json(&unnamed(family, "one")).send().await;
        assert_eq!((first.data()["version"].clone(), first.header("location")), (json!(2), ""));
        assert_eq!(
            list(&world, &org, family, "?customer_scenario_id=one").await.data(),
            json!([first.data()])
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_concurrent_puts_create_one_asset() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let mut calls = JoinSet::new();
        for seed in 0..20 {
            let (_, router) = world.another_process(100 * (1 + family as u64) + seed).await;
            let call = world.put(&path(family, "one")).key(&org.key).json(&body(family, "one"));
            calls.spawn(call.send_to(router));
        }
        let answers = calls.join_all().await;
        let new: Vec<_> = answers.iter().filter(|answer| !answer.header("location").is_empty()).collect();
        assert_eq!(new.len(), 1);
        for answer in &answers {
            assert_eq!(answer.data()["asset_id"], new[0].data()["asset_id"], "{}", answer.text());
        }
        assert_eq!(summary(&world, &org, family).await["total"], 1);
    }
}

#[tokio::test]
async fn put_starts_over_if_its_asset_is_deleted_or_moved_meanwhile() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for edit in [None, Some(body(family, "other"))] {
            let created = put(&world, &org, family, "one").await.data();
            let id = created["asset_id"].as_str().expect("an ID").to_owned();
            let asset = format!("{}/{id}", samples::library(family));
            let change = match &edit {
                None => (world.delete(&asset).key(&org.key), 204),
                Some(edit) => (world.patch(&asset).key(&org.key).json(edit), 200),
            };
            let reads_head = move |sent: &Sent| {
                sent.operation == "GetItem" && sent.body.to_string().contains(&format!("asset#{id}"))
            };
            change.0.send_before(reads_head, change.1).await;
            let put =
                world.put(&path(family, "one")).key(&org.key).json(&unnamed(family, "one")).send().await;
            assert_eq!((put.data()["version"].clone(), put.credits_used()), (json!(1), paid()));
            assert_ne!(put.data()["asset_id"], created["asset_id"]);
            let id = put.data()["asset_id"].as_str().expect("an ID").to_owned();
            let asset = format!("{}/{id}", samples::library(family));
            assert_eq!(world.delete(&asset).key(&org.key).send().await.status, 204);
        }
    }
}

#[tokio::test]
async fn several_assets_with_the_id_return_409_and_stay_unchanged() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for _ in 0..2 {
            create(&world, &org, family, &body(family, "one")).await;
        }
        let before = list(&world, &org, family, "").await.data();
        let answer = world.put(&path(family, "one")).key(&org.key).json(&unnamed(family, "one")).send().await;
        assert_eq!(answer.error(), (409, "AMBIGUOUS_SCENARIO_ID".to_owned()));
        assert_eq!(answer.credits_used(), paid());
        assert_eq!(list(&world, &org, family, "").await.data(), before);
    }
}

#[tokio::test]
async fn refused_put_changes_nothing() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let call = || world.put(&path(family, "one")).key(&org.key);
        call().json(&body(family, "two")).send().await.assert_invalid(&[(OWN, "in the path")], "another ID");
        let unreadable = format!("{}/by-customer-scenario-id/%FF", samples::library(family));
        let answer = world.put(&unreadable).key(&org.key).json(&body(family, "two")).send().await;
        answer.assert_invalid(&[(OWN, "UTF-8")], "no UTF-8");
        let missing = call().json(&body(family, "one")).header("if-match", "*").send().await;
        assert_eq!((missing.error(), missing.header("etag")), ((412, "PRECONDITION_FAILED".to_owned()), ""));
        assert_eq!(summary(&world, &org, family).await["total"], 0);
        assert_eq!(stored_keys(&world, &org, family).await, Vec::<String>::new());
        let created = put(&world, &org, family, "one").await.data();
        let asset = format!("{}/{}", samples::library(family), created["asset_id"].as_str().expect("an ID"));
        let stale = call().json(&unnamed(family, "one")).header("if-match", "\"7\"").send().await;
        assert_eq!((stale.error(), stale.header("etag")), ((412, "PRECONDITION_FAILED".to_owned()), "\"1\""));
        world.bring_to(&org, &asset, "in_flight").await;
        let locked = call().json(&unnamed(family, "one")).send().await;
        assert_eq!(locked.error(), (400, "ASSET_NOT_EDITABLE".to_owned()));
        assert_eq!(split(&read(&world, &org, &asset).await.data()).1, body(family, "one"));
    }
}

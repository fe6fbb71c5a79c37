//! Assets that change while a list is read.

use harness::{Sent, World};
use serde_json::json;
use store::Family;

use super::large::campaign;
use super::{FAMILIES, create, list};

fn reads_chunks(sent: &Sent) -> bool {
    sent.operation == "BatchGetItem" && sent.body.to_string().contains("chunk#")
}

#[tokio::test]
async fn state_list_omits_assets_that_move_between_reading_head_and_chunks() {
    let (world, org) = World::with_org().await;
    let stays = world.draft(&org, Family::Campaign).await;
    let created = create(&world, &org, Family::Campaign, &campaign(21, 1_000_000)).await.data();
    let moves = format!("/v2/scenarios/campaigns/{}", created["asset_id"].as_str().expect("an ID"));
    let edit = json!({ "spots": campaign(22, 1_000_000)["spots"] });
    let (app, router) = world.another_process(world.app.random.below(u64::MAX)).await;
    let event = world.event(&org, &moves, "purchased", 25);
    let edit = world.patch(&moves).key(&org.key).json(&edit).send_to(router);
    world.wire.before_first(reads_chunks, async move {
        assert_eq!(edit.await.status, 200);
        assert!(harness::apply(&app, &event).await.expect("a response").is_applied());
    });
    let page = list(&world, &org, Family::Campaign, "?state=draft").await.data();
    assert_eq!(page.as_array().map(Vec::len), Some(1));
    assert!(stays.ends_with(page[0]["asset_id"].as_str().expect("an ID")));
    assert_eq!(list(&world, &org, Family::Campaign, "?state=queued").await.data()[0]["state"], "queued");
}

#[tokio::test]
async fn page_ends_before_an_asset_that_outgrows_it() {
    let (world, org) = World::with_org().await;
    let mut paths = Vec::new();
    for seed in 0..3 {
        let created = create(&world, &org, Family::Campaign, &campaign(30 + seed, 1_000_000)).await.data();
        paths.push(format!("/v2/scenarios/campaigns/{}", created["asset_id"].as_str().expect("an ID")));
        world.clock.advance(10);
    }
    let edit = json!({ "spots": campaign(40, 4_000_000)["spots"] });
    // The newest asset comes first, so the oldest is read last.
    let mut reads = 0;
    let oldest_is_read = move |sent: &Sent| {
        reads += usize::from(reads_chunks(sent));
        reads == 3
    };
    world.patch(&paths[0]).key(&org.key).json(&edit).send_before(oldest_is_read, 200).await;
    let answer = list(&world, &org, Family::Campaign, "").await;
    assert!(store::escaped_len(&answer.body) < 6_000_000);
    assert_eq!(answer.data().as_array().map(Vec::len), Some(2));
    let pagination = answer.json()["pagination"].take();
    assert_eq!(pagination["has_more"], true);
    let cursor = pagination["cursor"].as_str().expect("a cursor");
    let rest = list(&world, &org, Family::Campaign, &format!("?cursor={cursor}")).await.data();
    assert!(paths[0].ends_with(rest[0]["asset_id"].as_str().expect("an ID")));
}

#[tokio::test]
async fn state_list_omits_assets_that_move_while_listed() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let (stays, moves) = (world.draft(&org, family).await, world.draft(&org, family).await);
        let (app, _) = world.another_process(world.app.random.below(u64::MAX)).await;
        let event = world.event(&org, &moves, "purchased", 25);
        world.wire.before_first(|sent| sent.operation == "BatchGetItem", async move {
            assert!(harness::apply(&app, &event).await.expect("a response").is_applied());
        });
        let page = list(&world, &org, family, "?state=draft").await.data();
        assert_eq!(page.as_array().map(Vec::len), Some(1));
        assert!(stays.ends_with(page[0]["asset_id"].as_str().expect("an ID")));
        assert_eq!(list(&world, &org, family, "?state=queued").await.data()[0]["state"], "queued");
    }
}

//! `GET /v2/changes`: asset changes, in order and without gaps.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use harness::{World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{Flow, types_of};

fn id_of(path: &str) -> &str {
    path.rsplit('/').next().expect("an ID")
}

#[tokio::test]
async fn lists_the_changes_of_an_asset_in_order() {
    let (mut flow, org) = Flow::with_org().await;
    let path = flow.world.draft(&org, Family::Campaign).await;
    let edit = samples::edited_campaign();
    assert_eq!(flow.world.patch(&path).key(&org.key).json(&edit).send().await.status, 200);
    flow.world.bring_to(&org, &path, "queued").await;
    assert_eq!(flow.world.delete(&path).key(&org.key).send().await.status, 204);
    flow.record().await;
    let page = flow.page(&org, "").await;
    let changes = &page["changes"];
    let expected = ["asset.created", "asset.updated", "asset.state_changed", "asset.deleted"];
    assert_eq!(types_of(changes), expected);
    let asset = json!({ "family": "campaign", "asset_id": id_of(&path) });
    let details = [
        json!({ "version": 1, "state": "draft" }),
        json!({ "version": 2, "state": "draft" }),
        json!({ "version": 3, "state": "queued", "previous_state": "draft" }),
        json!({ "version": 3 }),
    ];
    for (change, details) in changes.as_array().expect("a list").iter().zip(details) {
        let mut data = asset.clone();
        data.as_object_mut().expect("an object").extend(details.as_object().expect("an object").clone());
        assert_eq!(change["data"], data);
        assert_eq!(change["timestamp"], "2026-11-20T09:00:30.000Z");
    }
    assert_eq!(page["has_more"], false);
}

#[tokio::test]
async fn every_cursor_continues_where_the_page_ended() {
    let (mut flow, org) = Flow::with_org().await;
    for family in [Family::Campaign, Family::Event, Family::Campaign, Family::Event, Family::Event] {
        flow.world.draft(&org, family).await;
    }
    flow.record().await;
    let all = flow.page(&org, "").await;
    let mut pages: Vec<Value> = Vec::new();
    let mut query = "?limit=2".to_owned();
    for more in [true, true, false] {
        let page = flow.page(&org, &query).await;
        assert_eq!(page["has_more"], more);
        pages.extend(page["changes"].as_array().expect("a list").clone());
        query = format!("?limit=2&cursor={}", page["cursor"].as_str().expect("a cursor"));
    }
    assert_eq!(Value::from(pages), all["changes"]);
    let end = flow.page(&org, &query).await;
    assert_eq!((&end["changes"], &end["has_more"]), (&json!([]), &json!(false)));
    flow.world.draft(&org, Family::Event).await;
    flow.record().await;
    let next = format!("?cursor={}", end["cursor"].as_str().expect("a cursor"));
    assert_eq!(types_of(&flow.page(&org, &next).await["changes"]), ["asset.created"]);
}

#[tokio::test]
async fn empty_sequence_has_a_cursor_for_the_first_change() {
    let (world, org) = World::with_org().await;
    let mut flow = Flow { records: world.records(), world };
    let page = flow.page(&org, "").await;
    assert_eq!((&page["changes"], &page["has_more"]), (&json!([]), &json!(false)));
    flow.world.draft(&org, Family::Event).await;
    flow.record().await;
    let next = format!("?cursor={}", page["cursor"].as_str().expect("a cursor"));
    assert_eq!(types_of(&flow.page(&org, &next).await["changes"]), ["asset.created"]);
}

#[tokio::test]
async fn list_contains_only_the_organizations_assets() {
    let (mut flow, org) = Flow::with_org().await;
    let other = flow.world.org("org_b").await;
    flow.world.draft(&other, Family::Campaign).await;
    flow.world.key_to_revoke(&org).await;
    flow.record().await;
    let page = flow.page(&org, "").await;
    assert_eq!(page["changes"], json!([]), "keys and other organizations' assets aren't listed");
    let of_other = flow.page(&other, "").await;
    assert_eq!(types_of(&of_other["changes"]), ["asset.created"]);
    let foreign = format!("/v2/changes?cursor={}", of_other["cursor"].as_str().expect("a cursor"));
    assert_eq!(
        flow.world.get(&foreign).key(&org.key).send().await.error(),
        (400, "VALIDATION_ERROR".to_owned())
    );
}

#[tokio::test]
async fn changes_are_kept_for_30_days() {
    let (mut flow, org) = Flow::with_org().await;
    let (start, clock) = (flow.page(&org, "").await["cursor"].clone(), flow.world.clock.clone());
    let start = format!("/v2/changes?cursor={}", start.as_str().expect("a cursor"));
    flow.world.draft(&org, Family::Campaign).await;
    flow.record().await;
    clock.advance(29 * 24 * 60 * 60 * 1000);
    flow.world.draft(&org, Family::Event).await;
    flow.record().await;
    let listed = |page: Value| -> Vec<Value> {
        let changes = page["changes"].as_array().expect("a list").iter();
        changes.map(|change| change["data"]["family"].clone()).collect()
    };
    assert_eq!(listed(flow.page(&org, "").await), ["campaign", "event"]);
    clock.advance(24 * 60 * 60 * 1000);
    let page = flow.page(&org, "").await;
    assert_eq!(listed(page.clone()), ["event"], "a list without a cursor begins with the oldest kept change");
    let expired = flow.world.get(&start).key(&org.key).send().await;
    assert_eq!(expired.error(), (410, "CURSOR_EXPIRED".to_owned()));
    // A cursor at the end of the list doesn't expire.
    clock.advance(60 * 24 * 60 * 60 * 1000);
    let end = format!("?cursor={}", page["cursor"].as_str().expect("a cursor"));
    assert_eq!(flow.page(&org, &end).await["changes"], json!([]));
    assert_eq!(flow.page(&org, "").await["changes"], json!([]));
    let expired = flow.world.get(&start).key(&org.key).send().await;
    assert_eq!(expired.error(), (410, "CURSOR_EXPIRED".to_owned()));
}

#[tokio::test]
async fn page_ends_before_a_change_that_is_not_visible_yet() {
    let (mut flow, org) = Flow::with_org().await;
    for _ in 0..3 {
        flow.world.draft(&org, Family::Event).await;
    }
    flow.record().await;
    let all = flow.page(&org, "").await["changes"].as_array().expect("a list").clone();
    let number: u64 =
        all[1]["change_id"].as_str().and_then(|id| id.rsplit('_').next()?.parse().ok()).expect("a number");
    let (engine, table) = (flow.world.engine(), "marquee-assets");
    let key = |name: &str, text: String| (name.to_owned(), AttributeValue::S(text));
    let item_key =
        HashMap::from([key("pk", format!("changes#{}", org.id)), key("sk", format!("change#{number:020}"))]);
    let hidden = engine.delete_item().table_name(table).set_key(Some(item_key));
    let hidden = hidden.return_values(ReturnValue::AllOld).send().await.expect("a response").attributes;
    let page = flow.page(&org, "").await;
    assert_eq!((&page["changes"], &page["has_more"]), (&json!([all[0]]), &json!(true)));
    engine.put_item().table_name(table).set_item(hidden).send().await.expect("a response");
    let next = format!("?cursor={}", page["cursor"].as_str().expect("a cursor"));
    assert_eq!(flow.page(&org, &next).await["changes"], json!([all[1], all[2]]));
}

#[tokio::test]
async fn list_is_free_and_requires_the_scenarios_read_scope() {
    let (flow, org) = Flow::with_org().await;
    let used = flow.world.account(&org).await.totals.used;
    flow.page(&org, "").await;
    assert_eq!(flow.world.account(&org).await.totals.used, used);
    let key = flow.world.key(&org.id, [accounting::Scope::Billing].into_iter().collect()).await;
    assert_eq!(flow.world.get("/v2/changes").key(&key).send().await.error(), (403, "FORBIDDEN".to_owned()));
    let library = samples::library(Family::Campaign);
    assert_eq!(flow.world.get(library).key(&org.key).send().await.status, 200);
}

//! Changes that come between the parts of a read: nobody sees half of an edit.

use axum::Router;
use axum::body::Body;
use harness::{Sent, TestOrg, World, samples};
use http::{Method, Request};
use measurement::Outcome;
use serde_json::{Value, json};
use shared::types::Family;
use tower::ServiceExt;

use super::large::campaign;
use super::{FAMILIES, create, list, read, split};

/// A change that another process makes.
pub(super) struct Change {
    router: Router,
    request: Request<Body>,
}

impl Change {
    pub(super) async fn new(world: &World, org: &TestOrg, method: Method, path: &str, body: &Value) -> Self {
        let (_, router) = world.another_process(world.app.random.below(u64::MAX)).await;
        let request = Request::builder().method(method).uri(path).header("x-api-key", &org.key);
        let request = request.header("content-type", "application/json").body(Body::from(body.to_string()));
        Self { router, request: request.expect("a request") }
    }

    /// Makes the change just before the first request that is `awaited`.
    pub(super) fn before(self, world: &World, awaited: impl Fn(&Sent) -> bool + Send + 'static) {
        let mut change = Some(self);
        world.wire.interleave(move |sent| {
            if !awaited(sent) {
                return None;
            }
            let Self { router, request } = change.take()?;
            Some(Box::pin(async move {
                let answer = router.oneshot(request).await.expect("routers do not fail");
                assert!(answer.status().is_success(), "{}", answer.status());
            }))
        });
    }
}

fn reads_chunks(sent: &Sent) -> bool {
    sent.operation == "BatchGetItem" && sent.body.to_string().contains("chunk#")
}

async fn large(world: &World, org: &TestOrg, body: &Value) -> String {
    let created = create(world, org, Family::Campaign, body).await.data();
    format!("/v2/scenarios/campaigns/{}", created["asset_id"].as_str().expect("an id"))
}

#[tokio::test]
async fn reads_and_lists_all_of_an_edit_that_replaces_the_parts_of_a_body() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let before = campaign(11, 1_000_000);
    for after in [campaign(12, 1_000_000), campaign(13, 2_000_000), campaign(14, 600_000), samples::campaign()] {
        for query in [None, Some(""), Some("?state=draft")] {
            let path = large(&world, &org, &before).await;
            let change = Change::new(&world, &org, Method::PATCH, &path, &after).await;
            change.before(&world, reads_chunks);
            let found = match query {
                None => read(&world, &org, &path).await.data(),
                Some(query) => list(&world, &org, Family::Campaign, query).await.data()[0].take(),
            };
            assert!(split(&found).1 == after, "{query:?} saw something else than the edit");
            assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
        }
    }
}

#[tokio::test]
async fn edits_what_another_edit_left_when_the_parts_of_a_body_are_replaced() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let (before, after) = (campaign(15, 1_000_000), campaign(16, 1_000_000));
    let path = large(&world, &org, &before).await;
    let change = Change::new(&world, &org, Method::PATCH, &path, &json!({ "spots": after["spots"] })).await;
    change.before(&world, reads_chunks);
    let edited = world.patch(&path).key(&org.key).json(&json!({ "campaign": null })).send().await;
    let mut expected = after;
    expected.as_object_mut().expect("a body").remove("campaign");
    assert!(split(&edited.data()).1 == expected, "one of the edits is lost");
}

#[tokio::test]
async fn leaves_out_what_is_deleted_while_it_is_read() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let body = campaign(17, 1_000_000);
    for query in [None, Some(""), Some("?state=draft")] {
        let path = large(&world, &org, &body).await;
        Change::new(&world, &org, Method::DELETE, &path, &json!({})).await.before(&world, reads_chunks);
        match query {
            None => assert_eq!(read(&world, &org, &path).await.error(), (404, "NOT_FOUND".to_owned())),
            Some(query) => assert_eq!(list(&world, &org, Family::Campaign, query).await.data(), json!([])),
        }
    }
}

#[tokio::test]
async fn leaves_out_of_a_state_what_moves_while_it_is_listed() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for family in FAMILIES {
        let (stays, moves) = (world.draft(&org, family).await, world.draft(&org, family).await);
        let (app, _) = world.another_process(world.app.random.below(u64::MAX)).await;
        let mut event = Some(world.event(&org, &moves, "purchased", 25));
        world.wire.interleave(move |sent| {
            if sent.operation != "BatchGetItem" {
                return None;
            }
            let (app, event) = (app.clone(), event.take()?);
            Some(Box::pin(async move {
                assert_eq!(measurement::apply(&app, &event).await.expect("the engine answers"), Outcome::Applied);
            }))
        });
        let page = list(&world, &org, family, "?state=draft").await.data();
        assert_eq!(page.as_array().map(Vec::len), Some(1));
        assert!(stays.ends_with(page[0]["asset_id"].as_str().expect("an id")));
        assert_eq!(list(&world, &org, family, "?state=queued").await.data()[0]["state"], "queued");
    }
}

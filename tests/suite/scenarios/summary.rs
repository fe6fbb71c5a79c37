//! The counts by state follow every creation, move and deletion, per organization and library.

use harness::{World, samples};
use serde_json::json;

use super::{FAMILIES, assert_metered, summary};

#[tokio::test]
async fn counts_nothing_in_an_empty_library() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let answer = world.get(&format!("{}/summary", samples::library(family))).key(&org.key).send().await;
        let zero = json!({ "draft": 0, "queued": 0, "in_flight": 0, "completed": 0, "failed": 0 });
        assert_eq!(answer.data(), json!({ "by_state": zero, "total": 0 }));
        assert_metered(&answer, "summary");
    }
}

#[tokio::test]
async fn counts_each_state_of_one_organization_and_family() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        for (state, count) in [("draft", 2), ("queued", 3), ("in_flight", 4), ("completed", 1), ("failed", 5)]
        {
            for _ in 0..count {
                let path = world.draft(&org, family).await;
                world.bring_to(&org, &path, state).await;
            }
        }
        world.draft(&other, family).await;
        let by_state = json!({ "draft": 2, "queued": 3, "in_flight": 4, "completed": 1, "failed": 5 });
        assert_eq!(summary(&world, &org, family).await, json!({ "by_state": by_state, "total": 15 }));
        assert_eq!(summary(&world, &other, family).await["total"], 1);
    }
}

#[tokio::test]
async fn follows_deletions_and_ignores_edits() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let paths = [world.draft(&org, family).await, world.draft(&org, family).await];
        world.bring_to(&org, &paths[1], "queued").await;
        for path in &paths {
            let edited = world.patch(path).key(&org.key).json(&samples::body(family)).send().await;
            assert_eq!(edited.status, 200);
        }
        assert_eq!(summary(&world, &org, family).await["by_state"]["queued"], 1);
        for (path, left) in paths.iter().zip([1, 0]) {
            assert_eq!(world.delete(path).key(&org.key).send().await.status, 204);
            assert_eq!(world.delete(path).key(&org.key).send().await.status, 404);
            assert_eq!(summary(&world, &org, family).await["total"], left);
        }
        assert_eq!(summary(&world, &org, family).await["by_state"]["queued"], 0);
    }
}

#[tokio::test]
async fn is_no_asset() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = format!("{}/summary", samples::library(family));
        for method in [http::Method::PATCH, http::Method::DELETE] {
            let answer = world.call(method, &path).key(&org.key).json(&json!({})).send().await;
            assert_eq!(answer.error(), (405, "METHOD_NOT_ALLOWED".to_owned()));
        }
    }
}

//! Counts by state: every create, transition, and delete updates the counts of its organization and library.

use harness::{World, samples};
use serde_json::json;

use super::{FAMILIES, assert_metered, summary};

#[tokio::test]
async fn empty_library_has_zero_counts() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let answer = world.get(&format!("{}/summary", samples::library(family))).key(&org.key).send().await;
        let zero = json!({ "draft": 0, "queued": 0, "in_flight": 0, "completed": 0, "failed": 0 });
        assert_eq!(answer.data(), json!({ "by_state": zero, "total": 0 }));
        assert_metered(&answer, "summary");
    }
}

#[tokio::test]
async fn counts_states_per_organization_and_library() {
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

use harness::{World, samples};
use shared::types::Family;

#[tokio::test]
async fn an_asset_lives_from_draft_to_completed() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for family in [Family::Campaign, Family::Event] {
        let path = world.draft(&org, family).await;
        let read = world.get(&path).key(&org.key).send().await;
        assert_eq!(read.data()["state"], "draft");
        let summary = world.get(&format!("{}/summary", samples::library(family))).key(&org.key).send().await;
        assert_eq!(summary.data()["total"], 1);
        world.bring_to(&org, &path, "completed").await;
        let read = world.get(&path).key(&org.key).send().await;
        assert_eq!(read.data()["state"], "completed");
    }
}

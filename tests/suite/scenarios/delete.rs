//! Deleting assets: assets that are in flight or completed can't be deleted, and deleted assets disappear
//! from all lists and counts.

use harness::World;

use super::{FAMILIES, assert_metered, list, read, summary};

#[tokio::test]
async fn deletes_draft_queued_and_failed_assets() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for state in ["draft", "queued", "failed"] {
            let path = world.draft(&org, family).await;
            world.bring_to(&org, &path, state).await;
            let deleted = world.delete(&path).key(&org.key).send().await;
            assert_eq!(deleted.status, 204, "{state}");
            assert!(deleted.body.is_empty(), "{state}");
            assert_eq!(deleted.header("content-type"), "", "{state}");
            assert_metered(&deleted, state);
            assert_eq!(read(&world, &org, &path).await.error(), (404, "NOT_FOUND".to_owned()), "{state}");
            assert_eq!(list(&world, &org, family, "").await.data(), serde_json::json!([]), "{state}");
            assert_eq!(
                list(&world, &org, family, &format!("?state={state}")).await.data(),
                serde_json::json!([])
            );
            let again = world.delete(&path).key(&org.key).send().await;
            assert_eq!(again.error(), (404, "NOT_FOUND".to_owned()), "{state}");
        }
        assert_eq!(summary(&world, &org, family).await["total"], 0);
    }
}

#[tokio::test]
async fn ignores_a_body() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let call = world.delete(&path).key(&org.key).bytes("text/plain", "now");
        assert_eq!(call.send().await.status, 204);
    }
}

//! Tiles of a suspended organization.

use harness::World;

use super::{MEMORY_MILLIS, ORIGIN, ask_tilejson, ask_world_tile, create_grant, revoke, tiles};

fn refusal() -> (u16, String) {
    (403, "ORGANIZATION_SUSPENDED".to_owned())
}

#[tokio::test]
async fn suspension_blocks_tiles_within_30_seconds_until_resumed() {
    let (world, org, other) = World::with_two_orgs().await;
    let (grant, others) =
        (create_grant(&world, &org, "places").await, create_grant(&world, &other, "places").await);
    let (path, others) = (tiles(&world, &grant).await, tiles(&world, &others).await);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
    world.administrator.suspend(&org.id).await.expect("a response");
    world.clock.advance(MEMORY_MILLIS);
    for answer in [ask_world_tile(&world, &path).await, ask_tilejson(&world, &grant).send().await] {
        assert_eq!(answer.error(), refusal(), "{}", answer.text());
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN, "the page can read the error");
    }
    assert_eq!(ask_world_tile(&world, &others).await.status, 200, "other organizations are unaffected");
    world.administrator.resume(&org.id).await.expect("a response");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
}

#[tokio::test]
async fn revoked_grant_stays_revoked_after_a_suspension() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let path = tiles(&world, &grant).await;
    revoke(&world, &org, &grant).await;
    world.administrator.suspend(&org.id).await.expect("a response");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask_world_tile(&world, &path).await.error(), (410, "GONE".to_owned()));
}

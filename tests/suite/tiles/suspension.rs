//! The tiles of an organization that is suspended.

use harness::World;

use super::{MEMORY_MILLIS, ORIGIN, ask_tilejson, ask_world_tile, mint, revoke, tiles};

fn refusal() -> (u16, String) {
    (403, "ORGANIZATION_SUSPENDED".to_owned())
}

#[tokio::test]
async fn a_suspension_takes_tiles_and_tilejson_within_thirty_seconds_and_gives_them_back() {
    let (world, org, other) = World::with_two_orgs().await;
    let (grant, others) = (mint(&world, &org, "places").await, mint(&world, &other, "places").await);
    let (path, others) = (tiles(&world, &grant).await, tiles(&world, &others).await);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
    world.operator.suspend(&org.id).await.expect("the engine answers");
    world.clock.advance(MEMORY_MILLIS);
    for answer in [ask_world_tile(&world, &path).await, ask_tilejson(&world, &grant).send().await] {
        assert_eq!(answer.error(), refusal(), "{}", answer.text());
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN, "its page can tell its reader why");
    }
    assert_eq!(ask_world_tile(&world, &others).await.status, 200, "other organizations go on");
    world.operator.resume(&org.id).await.expect("the engine answers");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
}

#[tokio::test]
async fn a_grant_that_was_revoked_stays_gone() {
    let (world, org) = World::with_org().await;
    let grant = mint(&world, &org, "places").await;
    let path = tiles(&world, &grant).await;
    revoke(&world, &org, &grant).await;
    world.operator.suspend(&org.id).await.expect("the engine answers");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask_world_tile(&world, &path).await.error(), (410, "GONE".to_owned()));
}

//! Tiles are the same as in the release, and a revocation takes effect within 30 seconds.

use dataset::tiles::{Layer, LayerPoints, TileId, Visits};
use harness::{World, sample_release};

use super::{
    DAY_MILLIS, MEMORY_MILLIS, ORIGIN, PRODUCTS, ask_world_tile, at, create_grant, create_grant_with, revoke,
    tiles,
};

/// An empty tile in the Pacific.
const EMPTY: &str = "14/400/8300";

#[tokio::test]
async fn tiles_equal_those_of_the_release() {
    let (world, org) = World::with_org().await;
    for (product, layer) in [("displays", Layer::Faces), ("places", Layer::Places)] {
        let points = LayerPoints::open(sample_release(), layer).expect("the layer's part");
        let path = tiles(&world, &create_grant(&world, &org, product).await).await;
        // The world, the eastern United States, the New York region, and New York at the deepest zoom level.
        for (z, x, y) in [(0, 0, 0), (4, 4, 6), (9, 150, 192), (14, 4_823, 6_160)] {
            let tile = TileId::new(z, x, y).expect("a tile");
            let expected = points.tile(tile, Visits::Omitted);
            let answer = world.get(&at(&path, &format!("{z}/{x}/{y}"))).header("origin", ORIGIN).send().await;
            match expected {
                Some(expected) => {
                    assert_eq!(answer.status, 200, "{product} {z}/{x}/{y}: {}", answer.text());
                    assert!(answer.body == expected.bytes, "{product} {z}/{x}/{y}");
                }
                None => assert_eq!(answer.status, 204, "{product} {z}/{x}/{y}"),
            }
        }
        assert_eq!(ask_world_tile(&world, &path).await.status, 200, "{product}");
    }
}

#[tokio::test]
async fn empty_tile_returns_204() {
    let (world, org) = World::with_org().await;
    for (product, _) in PRODUCTS {
        let path = tiles(&world, &create_grant(&world, &org, product).await).await;
        let answer = world.get(&at(&path, EMPTY)).send().await;
        assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0), "{product}");
    }
}

#[tokio::test]
async fn tile_outside_the_grid_returns_404() {
    let (world, org) = World::with_org().await;
    let path = tiles(&world, &create_grant(&world, &org, "places").await).await;
    // The last tile at the deepest zoom level exists.
    assert_eq!(world.get(&at(&path, "14/16383/16383")).send().await.status, 204);
    let missing = "15/0/0 14/16384/0 14/0/16384 0/1/0 0/0/1 1/2/0 255/0/0 256/0/0 -1/0/0 0/-1/0 0/0/-1 \
                   +0/0/0 00/0/0 1/01/0 1/0/%2B1 0.0/0/0 1e0/0/0 a/b/c %20/0/0 %FF/0/0 {z}/{x}/{y} \
                   14/99999999999999999999/0 1/4294967296/0";
    for place in missing.split(' ') {
        let answer =
            world.get(&at(&path, &place.replace(['{', '}'], "%7B"))).header("origin", ORIGIN).send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{place}: {}", answer.text());
    }
    for ending in [".pbf", "", ".mvt.mvt", ".MVT"] {
        let path = at(&path, "0/0/0").replace(".mvt", ending);
        assert_eq!(world.get(&path).send().await.error(), (404, "NOT_FOUND".to_owned()), "{ending}");
    }
}

#[tokio::test]
async fn unknown_layer_or_product_returns_404() {
    let (world, org) = World::with_org().await;
    let path = at(&tiles(&world, &create_grant(&world, &org, "places").await).await, "0/0/0");
    for there_is_not in [
        "/v2/places/tiles/faces/",
        "/v2/displays/tiles/places/",
        "/v2/places/tiles/Places/",
        "/v2/places/tiles/grants/",
        "/v2/places/tiles/%20/",
        "/v2/places/tiles/%FF/",
        "/v2/markets/tiles/places/",
        "/v2/PLACES/tiles/places/",
    ] {
        let path = path.replace("/v2/places/tiles/places/", there_is_not);
        let answer = world.get(&path).send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{there_is_not}: {}", answer.text());
    }
}

#[tokio::test]
async fn token_is_valid_for_a_day_or_until_the_grant_expires() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let path = tiles(&world, &grant).await;
    world.clock.advance(DAY_MILLIS - 1_000);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
    world.clock.advance(1_000);
    let answer = ask_world_tile(&world, &path).await;
    assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
    assert!(answer.text().contains("load the TileJSON again"), "{}", answer.text());
    let renewed = tiles(&world, &grant).await;
    assert_eq!(ask_world_tile(&world, &renewed).await.status, 200);

    let a_day = serde_json::json!({ "allowed_origins": [ORIGIN], "expires_in_days": 1 });
    let short = create_grant_with(&world, &org, "places", &a_day).await;
    world.clock.advance(DAY_MILLIS / 2);
    let path = tiles(&world, &short).await;
    world.clock.advance(DAY_MILLIS / 2 - 1_000);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
    world.clock.advance(1_000);
    assert_eq!(ask_world_tile(&world, &path).await.error(), (401, "UNAUTHORIZED".to_owned()));
}

#[tokio::test]
async fn revocation_takes_effect_within_30_seconds() {
    let (world, org) = World::with_org().await;
    let (grant, other) =
        (create_grant(&world, &org, "places").await, create_grant(&world, &org, "places").await);
    let (path, others) = (tiles(&world, &grant).await, tiles(&world, &other).await);
    assert_eq!(ask_world_tile(&world, &path).await.status, 200);
    revoke(&world, &org, &grant).await;
    world.clock.advance(MEMORY_MILLIS);
    let answer = ask_world_tile(&world, &path).await;
    assert_eq!(answer.error(), (410, "GONE".to_owned()));
    assert_eq!(answer.header("access-control-allow-origin"), ORIGIN, "the page can read the error");
    assert_eq!(ask_world_tile(&world, &others).await.status, 200, "other grants are unaffected");
    world.clock.advance(DAY_MILLIS);
    // A revoked grant still returns a 410 after its token has expired.
    assert_eq!(ask_world_tile(&world, &path).await.error(), (410, "GONE".to_owned()));
}

#[tokio::test]
async fn grant_and_account_are_read_once_per_30_seconds() {
    let (world, org) = World::with_org().await;
    let path = tiles(&world, &create_grant(&world, &org, "places").await).await;
    let of_another_map = tiles(&world, &create_grant(&world, &org, "displays").await).await;
    world.clock.advance(MEMORY_MILLIS);
    for (path, reads) in [(path, 2), (of_another_map, 1)] {
        world.wire.record();
        for place in ["0/0/0", "4/4/6", EMPTY, "4/3/6"] {
            world.get(&at(&path, place)).send().await;
        }
        let sent = world.wire.take();
        assert_eq!(sent.len(), reads, "{sent:?}");
        assert!(sent.iter().all(|sent| !sent.is_write()));
    }
}

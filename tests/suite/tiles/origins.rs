//! Only pages from a grant's own origins can read its tiles, regardless of the portal's origins.

use gateway::App;
use harness::{Answer, World, sample};
use http::Method;
use marquee::serve::Gateway;
use runtime::Random;
use serde_json::json;

use super::{
    MEMORY_MILLIS, ORIGIN, ask_tilejson, at, create_grant, create_grant_with, path_of, revoke, tiles,
};

const SECOND: &str = "http://localhost:5173";

fn allowed(answer: &Answer) -> &str {
    answer.header("access-control-allow-origin")
}

#[tokio::test]
async fn tiles_are_readable_from_allowed_origins_only() {
    let (world, org) = World::with_org().await;
    let grant =
        create_grant_with(&world, &org, "places", &json!({ "allowed_origins": [ORIGIN, SECOND] })).await;
    let tile = at(&tiles(&world, &grant).await, "0/0/0");
    let tilejson = path_of(&grant["tilejson_url"]);
    for path in [&tile, &tilejson] {
        for origin in [ORIGIN, SECOND] {
            let answer = world.get(path).header("origin", origin).send().await;
            assert_eq!((answer.status.as_u16(), allowed(&answer)), (200, origin), "{path}");
        }
        for origin in [
            "https://other.example.com",
            "https://maps.example.com.evil.example",
            "https://evil-maps.example.com",
            "https://sub.maps.example.com",
            "https://example.com",
            "http://maps.example.com",
            "https://maps.example.com:8443",
            "https://maps.example.com/",
            "https://MAPS.example.com",
            "http://localhost",
            "http://localhost:3000",
            "null",
            "*",
            "",
            "nonsense",
        ] {
            let answer = world.get(path).header("origin", origin).send().await;
            assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()), "{origin}: {}", answer.text());
            assert_eq!(allowed(&answer), "", "{origin}");
        }
        let answer = world.get(path).header("origin", ORIGIN).header("origin", SECOND).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()), "a header with two origins is refused");
        let answer = world.get(path).header_bytes("origin", b"https://\xff").send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
    }
}

#[tokio::test]
async fn requests_without_an_origin_are_accepted() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let tile = at(&tiles(&world, &grant).await, "0/0/0");
    for path in [tile, path_of(&grant["tilejson_url"])] {
        let answer = world.get(&path).header("referer", "https://other.example.com/").send().await;
        assert_eq!((answer.status.as_u16(), allowed(&answer)), (200, ""));
        assert!(answer.header("vary").contains("origin"), "caches distinguish requests by origin");
    }
}

#[tokio::test]
async fn allowed_pages_can_read_errors() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let path = tiles(&world, &grant).await;
    let shown = |path: String| world.get(&path).header("origin", ORIGIN);
    let beyond = shown(at(&path, "0/1/0")).send().await;
    assert_eq!((beyond.status.as_u16(), allowed(&beyond)), (404, ORIGIN));
    let layer = shown(at(&path, "0/0/0").replace("/tiles/places/", "/tiles/roads/")).send().await;
    assert_eq!((layer.status.as_u16(), allowed(&layer)), (404, ORIGIN));
    world.clock.advance(super::DAY_MILLIS);
    let expired = shown(at(&path, "0/0/0")).send().await;
    assert_eq!((expired.status.as_u16(), allowed(&expired)), (401, ORIGIN));
    revoke(&world, &org, &grant).await;
    world.clock.advance(MEMORY_MILLIS);
    for answer in [shown(at(&path, "0/0/0")).send().await, ask_tilejson(&world, &grant).send().await] {
        assert_eq!((answer.status.as_u16(), allowed(&answer)), (410, ORIGIN));
    }
}

#[tokio::test]
async fn portal_origins_cannot_read_tiles() {
    let portal = "https://portal.example";
    let world = World::new().await;
    let mut config = (*world.app.config).clone();
    config.portal_origins = vec![portal.to_owned()];
    let app = App::new(config, world.clock.clone(), Random::seeded(11));
    let router = Gateway::new(&app, sample()).into_router();
    let org = world.org("org_a").await;
    let grant = create_grant(&world, &org, "places").await;
    let tile = at(&tiles(&world, &grant).await, "0/0/0");
    for path in [tile, path_of(&grant["tilejson_url"])] {
        let answer = world.get(&path).header("origin", portal).send_to(router.clone()).await;
        assert_eq!((answer.status.as_u16(), allowed(&answer)), (403, ""));
        let answer = world.get(&path).header("origin", ORIGIN).send_to(router.clone()).await;
        assert_eq!((answer.status.as_u16(), allowed(&answer)), (200, ORIGIN));
        // The Lambda adapter keeps only one value per header name.
        assert_eq!(answer.headers.get_all("vary").iter().count(), 1);
        assert_eq!(answer.header("vary"), "origin, accept-encoding");
    }
    // The portal can still manage the grants.
    let list = world.call(Method::HEAD, "/v2/places/tiles/grants").key(&org.key).header("origin", portal);
    let list = list.send_to(router).await;
    assert_eq!((list.status.as_u16(), allowed(&list)), (200, portal));
}

//! The base map and the gazetteer, which are public.

use harness::{World, sample_release};
use serde_json::Value;

const TILE: &str = "/v2/basemap/tiles/8/75/96";

#[tokio::test]
async fn tile_has_the_layers_of_the_map_whether_or_not_the_client_accepts_gzip() {
    let world = World::new().await;
    for coding in ["gzip", "identity"] {
        let answer = world.get(TILE).header("accept-encoding", coding).send().await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-encoding"), if coding == "gzip" { "gzip" } else { "" });
        assert_eq!(answer.header("content-type"), "application/vnd.mapbox-vector-tile");
        assert_eq!(answer.header("cache-control"), "public, max-age=86400");
        for layer in ["boundaries", "land", "places", "urban_areas", "water"] {
            let is_there = answer.body.windows(layer.len()).any(|text| text == layer.as_bytes());
            assert!(is_there, "{layer}, {coding}");
        }
    }
}

#[tokio::test]
async fn unchanged_content_returns_304_without_a_body() {
    let world = World::new().await;
    for path in [TILE, "/v2/basemap/gazetteer/b"] {
        let tag = world.get(path).send().await.header("etag").to_owned();
        let answer = world.get(path).header("if-none-match", &tag).send().await;
        assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0), "{path}");
    }
}

#[tokio::test]
async fn tiles_and_initials_that_do_not_exist_return_404() {
    let world = World::new().await;
    let tiles = ["9/0/0", "8/256/0", "8/0/256", "08/0/0", "+8/0/0", "a/0/0", "8/75/96.mvt"];
    let tiles = tiles.map(|tile| format!("/v2/basemap/tiles/{tile}"));
    let initials =
        ["B", "br", "-", "%C3%A9", "%FF"].map(|initial| format!("/v2/basemap/gazetteer/{initial}"));
    for path in tiles.iter().chain(&initials) {
        assert_eq!(world.get(path).send().await.error(), (404, "NOT_FOUND".to_owned()), "{path}");
    }
    assert_eq!(world.get("/v2/basemap/tiles/8/128/80").send().await.status, 204, "a tile of Europe");
}

#[tokio::test]
async fn names_with_an_initial_can_be_searched_by_prefix() {
    let world = World::new().await;
    let answer = world.get("/v2/basemap/gazetteer/b").send().await;
    let names = answer.json();
    let matches =
        |name: &&Value| dataset::normalize(name["name"].as_str().expect("a name")).starts_with("brook");
    let first = names.as_array().expect("a list").iter().find(matches).expect("a match");
    let kings = dataset::Geographies::open(sample_release()).expect("geographies");
    let kings = kings.get(kings.find(&"US2020STCO36047".parse().expect("an ID")).expect("a county"));
    assert_eq!(first["kind"], "borough");
    assert_eq!(first["name"], "Brooklyn");
    assert_eq!(first["state"], "NY");
    assert_eq!(first["population"], kings.population);
}

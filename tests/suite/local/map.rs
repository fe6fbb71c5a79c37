//! The map page of the local process, and the link that opens it.

use std::collections::BTreeSet;

use harness::Answer;
use http::Method;
use serde_json::Value;

use super::{Serving, TestDir};

const POLICY: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

const LIBRARY: [&str; 3] = ["/map/maplibre-gl.mjs", "/map/maplibre-gl-worker.mjs", "/map/maplibre-gl.css"];

async fn page(serving: &Serving, host: &str, path: &str) -> Answer {
    serving.exchange(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).await
}

/// Returns the paths of the page's own files that a text names in quotation marks.
fn named_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'']).filter(|path| path.starts_with("/map/"))
}

/// Returns the paths of the two TileJSON documents that the link names, in order.
fn tilejsons(serving: &Serving) -> Vec<String> {
    let origin = &serving.credentials.search_url;
    let query = serving.map.strip_prefix(&format!("{origin}/map?")).expect("the page's address");
    let path = |pair: &str| {
        pair.strip_prefix(&format!("tilejson={origin}")).expect("a TileJSON's address").to_owned()
    };
    query.split('&').map(path).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_map_page_and_all_that_it_loads_come_with_a_strict_policy() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut paths: BTreeSet<String> = LIBRARY.map(str::to_owned).into();
    let mut unread = vec!["/map".to_owned()];
    while let Some(path) = unread.pop() {
        let file = page(&serving, serving.address(), &path).await;
        unread.extend(named_in(&file.text()).filter(|named| !paths.contains(*named)).map(str::to_owned));
        paths.insert(path);
    }
    assert!(paths.len() > LIBRARY.len() + 2, "{paths:?}");
    for path in &paths {
        let file = page(&serving, serving.address(), path).await;
        assert_eq!(file.status.as_u16(), 200, "{path}");
        assert_eq!(file.header("content-security-policy"), POLICY, "{path}");
        assert_eq!(file.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(file.header("referrer-policy"), "no-referrer", "{path}");
        let expected = match path.rsplit_once('.') {
            None => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some(_) => "text/javascript; charset=utf-8",
        };
        assert_eq!(file.header("content-type"), expected, "{path}");
        let gzip = LIBRARY.contains(&path.as_str());
        assert_eq!(file.header("content-encoding"), if gzip { "gzip" } else { "" }, "{path}");
        assert_eq!(file.body.starts_with(&[0x1f, 0x8b]), gzip, "{path}");
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_names_of_the_machine_lead_to_the_maps_own_origin() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "map.example.com"]).await;
    let origin = &serving.credentials.search_url;
    let port = origin.rsplit(':').next().expect("a port");
    for host in [format!("localhost:{port}"), format!("map.example.com:{port}"), "127.0.0.1".to_owned()] {
        for path in ["/map?tilejson=a&tilejson=b", "/map/map.js"] {
            let answer = page(&serving, &host, path).await;
            assert_eq!(
                (answer.status.as_u16(), answer.header("location")),
                (307, format!("{origin}{path}").as_str())
            );
        }
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_prints_a_map_with_grants_of_its_own_and_ends_the_last_starts() {
    let data_dir = TestDir::new();
    let mut last: Vec<String> = Vec::new();
    for _ in 0..2 {
        let serving = data_dir.serve(&[]).await;
        let origin = serving.credentials.search_url.clone();
        let key = serving.credentials.enterprise_key.clone();
        assert!(!serving.map.contains("mq_live_"), "{}", serving.map);
        let paths = tilejsons(&serving);
        assert_eq!(paths.len(), 2);
        for (path, (product, layer)) in paths.iter().zip([("displays", "faces"), ("places", "places")]) {
            let document = serving.call(Method::GET, path, ("Origin", &origin), None).await;
            assert_eq!(document.header("access-control-allow-origin"), origin);
            assert_eq!(document.json()["vector_layers"][0]["id"], layer);
            let tiles = document.json()["tiles"][0].as_str().expect("an address").to_owned();
            assert!(tiles.starts_with(&format!("{origin}/v2/{product}/tiles/{layer}/")), "{tiles}");
            let listed = serving.get(&format!("/v2/{product}/tiles/grants"), &key).await.data();
            let listed = listed.as_array().expect("a list");
            let live: Vec<&Value> = listed.iter().filter(|grant| grant["revoked_at"].is_null()).collect();
            assert_eq!(live.len(), 1, "{listed:?}");
            assert_eq!(
                (&live[0]["label"], &live[0]["allowed_origins"][0]),
                (&"local map".into(), &origin.as_str().into())
            );
        }
        for gone in &last {
            assert_eq!(serving.get(gone, "").await.status.as_u16(), 410);
        }
        last = paths;
        serving.interrupt().await;
    }
}

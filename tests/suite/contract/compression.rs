//! Response compression follows `Accept-Encoding` and doesn't change entity tags.

use harness::{TestOrg, World, samples};
use serde_json::json;
use store::Family;

const DOCUMENT: &str = "/v2/openapi.yaml";

#[tokio::test]
async fn response_is_compressed_according_to_accept_encoding() {
    let world = World::new().await;
    let cases: [(&[&str], bool); 22] = [
        (&[], false),
        (&[""], false),
        (&["identity"], false),
        (&["br"], false),
        (&["deflate, br;q=1.0"], false),
        (&["gzip"], true),
        (&["GZip"], true),
        (&["x-gzip"], true),
        (&["gzip, deflate, br, zstd"], true),
        (&["br;q=1.0, gzip;q=0.2, *;q=0"], true),
        (&["br", "gzip"], true),
        (&["*"], true),
        (&["*;q=0.1"], true),
        (&["identity, *;q=0"], false),
        (&["gzip;q=0"], false),
        (&["gzip;q=0.000, identity"], false),
        (&["gzip;q=0, *"], false),
        (&["*;q=0, gzip"], true),
        (&["gzip ; q=0.001"], true),
        (&["gzip;Q=0"], false),
        (&["gzip;q=much"], false),
        (&["gzippy"], false),
    ];
    let plain = world.get(DOCUMENT).send().await;
    for (values, compressed) in cases {
        let call =
            values.iter().fold(world.get(DOCUMENT), |call, value| call.header("accept-encoding", value));
        let answer = call.send().await;
        assert_eq!(answer.status, 200, "{values:?}");
        assert_eq!(answer.header("content-encoding") == "gzip", compressed, "{values:?}");
        assert_eq!(answer.sent_bytes * 2 < plain.sent_bytes, compressed, "{values:?}");
        assert!(answer.body == plain.body, "{values:?}");
        assert_eq!(answer.header("vary"), "accept, accept-encoding", "{values:?}");
        assert_eq!(answer.header("content-type"), plain.header("content-type"), "{values:?}");
    }
}

#[tokio::test]
async fn small_response_is_not_compressed_but_has_vary() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let calls = [
        (world.get("/v2/billing/credits").key(&org.key), 200),
        (world.get("/v2/nothing"), 404),
        (world.get("/v2/billing/credits"), 401),
        (world.post("/v2/msearch").key(&org.key).json(&json!({ "x": 1 })), 400),
        (world.delete(&path).key(&org.key), 204),
    ];
    for (call, status) in calls {
        let answer = call.header("accept-encoding", "gzip").send().await;
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("content-encoding"), "", "{status}: {} bytes", answer.sent_bytes);
        assert_eq!(answer.header("vary"), "accept, accept-encoding", "{status}");
    }
}

#[tokio::test]
async fn large_error_is_compressed() {
    let (world, org) = World::with_org().await;
    let body = json!({ "place_id": vec!["x"; 500] });
    let answer =
        world.post("/v2/measures/place/report").key(&org.key).json(&body).header("accept-encoding", "gzip");
    let answer = answer.send().await;
    assert_eq!((answer.error().0, answer.header("content-encoding")), (400, "gzip"));
    assert_eq!(answer.violations().len(), 500);
}

async fn read(world: &World, org: &TestOrg, path: &str, coding: &str) -> harness::Answer {
    world.get(path).key(&org.key).header("accept-encoding", coding).send().await
}

#[tokio::test]
async fn entity_tag_does_not_depend_on_compression() {
    let (world, org) = World::with_org().await;
    let mut body = samples::campaign();
    body["spots"] = json!(vec![body["spots"][0].clone(); 100]);
    let created = world.post(samples::library(Family::Campaign)).key(&org.key).json(&body);
    let created = created.header("accept-encoding", "gzip").send().await;
    assert_eq!(created.header("content-encoding"), "gzip");
    let id = created.data()["asset_id"].as_str().expect("an ID").to_owned();
    let path = format!("{}/{id}", samples::library(Family::Campaign));
    for coding in ["gzip", "identity"] {
        let (compressed, plain) =
            (read(&world, &org, &path, "gzip").await, read(&world, &org, &path, "identity").await);
        assert_eq!((compressed.header("content-encoding"), plain.header("content-encoding")), ("gzip", ""));
        assert_eq!(compressed.header("etag"), plain.header("etag"));
        assert!(compressed.data() == plain.data());
        let seen = read(&world, &org, &path, coding).await.header("etag").to_owned();
        let edit = || {
            let named = json!({ "campaign": { "name": format!("read as {coding}") } });
            world.patch(&path).key(&org.key).header("if-match", &seen).json(&named)
        };
        assert_eq!(edit().send().await.status, 200, "{coding}");
        assert_eq!(edit().send().await.error(), (412, "PRECONDITION_FAILED".to_owned()), "{coding}");
    }
}

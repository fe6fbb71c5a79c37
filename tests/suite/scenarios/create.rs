//! Creating assets: a new asset is returned as sent and can be read immediately.

use harness::{PUBLIC_URL, World, samples};
use serde_json::json;

use super::{FAMILIES, create, read, split};

#[tokio::test]
async fn created_draft_is_readable_immediately() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let created = create(&world, &org, family, &samples::body(family)).await;
        assert_eq!(created.status, 200);
        let (own, body) = split(&created.data());
        assert_eq!(body, samples::body(family));
        let id = own["asset_id"].as_str().expect("an ID").to_owned();
        assert_eq!(id.as_bytes()[14], b'7', "{id} must be a UUIDv7");
        let expected = json!({
            "asset_id": id,
            "org_id": "org_a",
            "state": "draft",
            "version": 1,
            "last_measured_at": null,
            "created_at": "2026-11-20T09:00:30.000Z",
            "updated_at": "2026-11-20T09:00:30.000Z",
        });
        assert_eq!(own, expected);
        assert_eq!(created.header("etag"), "\"1\"");
        let path = format!("{}/{id}", samples::library(family));
        assert_eq!(created.header("location"), format!("{PUBLIC_URL}{path}"));
        assert_eq!(read(&world, &org, &path).await.data(), created.data());
    }
}

#[tokio::test]
async fn repeated_create_has_the_location_of_the_first() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let create = || {
            let call = world.post(samples::library(family)).key(&org.key);
            call.header("idempotency-key", "k").json(&samples::body(family)).send()
        };
        let (first, second) = (create().await, create().await);
        assert_eq!(second.header("idempotency-replayed"), "true");
        assert!(!first.header("location").is_empty());
        assert_eq!(second.header("location"), first.header("location"));
    }
}

#[tokio::test]
async fn accepts_every_json_escape() {
    let (world, org) = World::with_org().await;
    let escaped = r#""\u00e9\ud83d\ude00\u0000\/\"\\\b\f\n\r\t\u002f""#;
    let body = samples::event().to_string().replace(r#""Street fair""#, escaped);
    let call = world.post("/v2/scenarios/events").key(&org.key);
    let created = call.bytes("application/json", body).send().await;
    assert_eq!(created.data()["name"], "é😀\u{0}/\"\\\u{8}\u{c}\n\r\t/");
}

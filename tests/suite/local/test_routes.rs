//! The `/v2/test/…` routes, which developers use to test their clients against `marquee serve`.

use harness::{Answer, Serving, World, samples};
use http::Method;
use marquee::serve::{Function, TEST_PREFIX};
use serde_json::{Value, json};

use super::TestDir;

const CAMPAIGNS: &str = "/v2/scenarios/campaigns";

async fn post(serving: &Serving, path: &str, body: Value) -> Answer {
    let key = serving.credentials.enterprise_key.clone();
    serving.call(Method::POST, path, ("X-API-Key", &key), Some(&body)).await
}

async fn state(serving: &Serving, path: &str) -> Value {
    serving.get(path, &serving.credentials.enterprise_key).await.data()["state"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn events_move_an_asset_through_its_states() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let asset = serving.campaign().await;
    let campaign = format!("{CAMPAIGNS}/{asset}");
    let event = |event_type: &str| json!({ "family": "campaign", "asset_id": asset, "type": event_type });
    for (event_type, expected) in [
        ("purchased", "queued"),
        ("started", "in_flight"),
        ("measured", "in_flight"),
        ("completed", "completed"),
    ] {
        let answer = post(&serving, "/v2/test/measurements", event(event_type)).await;
        assert_eq!((answer.status.as_u16(), answer.credits_used()), (200, 0), "{}", answer.text());
        assert_eq!(state(&serving, &campaign).await, expected);
    }
    let refused = post(&serving, "/v2/test/measurements", event("started")).await;
    assert_eq!(refused.error(), (409, "STATE_CONFLICT".to_owned()));
    let invalid = post(&serving, "/v2/test/measurements", json!({ "family": "campaign" })).await;
    assert_eq!(invalid.error(), (400, "VALIDATION_ERROR".to_owned()));
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moved_clock_completes_a_measurement() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let mut body = samples::estimated_campaign();
    let today = post(&serving, "/v2/test/time", json!({ "advance_seconds": 1 })).await.data();
    let today = today["now"].as_str().expect("a time")[..10].to_owned();
    body["flight"] = json!({ "start_date": today, "end_date": today });
    body["spots"].as_array_mut().expect("spots").iter_mut().for_each(|spot| spot["windows"] = Value::Null);
    let created = post(&serving, CAMPAIGNS, body).await.data();
    let asset = created["asset_id"].as_str().expect("an ID").to_owned();
    let purchase = format!("/v2/measures/campaigns/{asset}");
    let key = serving.credentials.enterprise_key.clone();
    let headers = [("X-API-Key", key.as_str()), ("Idempotency-Key", "buy-1")];
    let bought = serving.call_with(Method::POST, &purchase, &headers, None).await;
    assert_eq!(bought.status, 200, "{}", bought.text());
    // The measurement completes at 12:00 UTC on the day after the flight. Each step requires its own sweep.
    let mut completed = false;
    for _ in 0..4 {
        let moved = post(&serving, "/v2/test/time", json!({ "advance_seconds": 12 * 60 * 60 })).await;
        assert_eq!(moved.data()["measurements"]["failed"], 0, "{}", moved.text());
        completed |= state(&serving, &format!("{CAMPAIGNS}/{asset}")).await == "completed";
    }
    assert!(completed);
    let report = serving.get(&purchase, &key).await.data();
    assert_eq!(report["report"]["status"], "final", "{report}");
    for advance in [json!(0), json!(-1), json!(400 * 24 * 60 * 60 + 1)] {
        let answer = post(&serving, "/v2/test/time", json!({ "advance_seconds": advance })).await;
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()));
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn planned_calls_fail_with_or_without_effect() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let key = serving.credentials.enterprise_key.clone();
    let create = async || {
        let headers = [("X-API-Key", key.as_str()), ("Idempotency-Key", "create-1")];
        serving.call_with(Method::POST, CAMPAIGNS, &headers, Some(&samples::campaign())).await
    };
    let plan = |kind: &str, calls: u32| json!({ "kind": kind, "path": CAMPAIGNS, "calls": calls });

    let planned = post(&serving, "/v2/test/failures", plan("unavailable", 2)).await;
    assert_eq!(planned.data(), plan("unavailable", 2));
    for _ in 0..2 {
        let refused = create().await;
        assert_eq!(refused.error(), (503, "SERVICE_UNAVAILABLE".to_owned()));
        assert_eq!(refused.header("retry-after"), "2");
    }
    post(&serving, "/v2/test/failures", plan("lost", 1)).await;
    let body = samples::campaign().to_string();
    let request = format!(
        "POST {CAMPAIGNS} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nX-API-Key: {key}\r\n\
         Idempotency-Key: create-1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        serving.address(),
        body.len()
    );
    let lost = serving.exchange(&request).await;
    assert_eq!(
        (lost.status.as_u16(), lost.json()),
        (504, json!({ "message": "the response was lost, as planned" }))
    );
    let created = create().await;
    assert_eq!((created.status.as_u16(), created.credits_used()), (200, 0), "{}", created.text());
    let listed = serving.get(CAMPAIGNS, &key).await.data();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "the lost call created the campaign");

    post(&serving, "/v2/test/failures", plan("unavailable", 5)).await;
    assert_eq!(serving.get("/v2/billing/credits", &key).await.status, 200, "another path");
    post(&serving, "/v2/test/failures", plan("unavailable", 0)).await;
    assert_eq!(serving.get(CAMPAIGNS, &key).await.status, 200);
    for path in ["scenarios", "/v2/test/failures"] {
        let body = json!({ "kind": "lost", "path": path, "calls": 1 });
        let answer = post(&serving, "/v2/test/failures", body).await;
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{path}");
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn test_routes_require_a_key() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let unknown = format!("mq_live_{}", "0".repeat(64));
    let body = json!({ "advance_seconds": 60 });
    let answer = serving.call(Method::POST, "/v2/test/time", ("X-API-Key", &unknown), Some(&body)).await;
    assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
    serving.interrupt().await;
}

#[tokio::test]
async fn functions_in_the_cloud_have_no_test_routes() {
    let (world, org) = World::with_org().await;
    for path in ["measurements", "time", "failures"] {
        let path = format!("{TEST_PREFIX}{path}");
        assert_eq!(Function::of_path(&path), Function::Account);
        let answer = world.post(&path).key(&org.key).json(&json!({})).send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path}");
    }
}

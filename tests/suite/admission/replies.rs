//! Successful responses: format, provenance, and Lambda's size limit.

use accounting::Product;
use axum::body::Body;
use gateway::{ApiError, App, Code, Pagination, Reply, Routes};
use harness::{Answer, World};
use http::Request;
use provenance::{Maturity, Provenance, RecordSource};
use serde_json::{Value, json};
use tower::ServiceExt;

/// The default `source_doc` in provenance.
const METHODOLOGY: &str = "https://api.marquee.example/portal/docs/model";

fn census() -> Provenance {
    Provenance {
        source: "a census".to_owned(),
        source_doc: "https://census.example/doc".to_owned(),
        methodology_version: "2026.1".to_owned(),
        data_vintage: "2020-04-01".to_owned(),
        data_freshness: "annually".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::SyntheticOnly,
        modelled_from: Vec::new(),
        cohort_resolution: None,
        known_gaps: Vec::new(),
    }
}

async fn flat() -> Reply<Value> {
    Reply::flat(json!({ "cohorts": [1, 2], "data": 3 })).with_provenance(census())
}

async fn undocumented() -> Reply<Value> {
    Reply::new(json!(1)).with_provenance(Provenance {
        source_doc: String::new(),
        data_latency_days: Some(90),
        known_gaps: vec!["one county is missing".to_owned()],
        ..census()
    })
}

/// Returns records from 25 sources. The response lists only 20 of them.
async fn records() -> Reply<Value> {
    let source = |number| RecordSource { name: format!("source {number}"), vintage: "2026-06-30".to_owned() };
    Reply::new(json!(1)).with_provenance(census()).with_sources((1..=25).map(source).collect())
}

async fn empty() -> Reply<Value> {
    Reply::flat(json!({}))
}

async fn not_an_object() -> Reply<Value> {
    Reply::flat(json!([1]))
}

async fn of_size(characters: usize) -> Reply<Value> {
    let error = ApiError::new(Code::PayloadTooLarge, "too large");
    Reply::new(json!("\"".repeat(characters))).or_too_large(error)
}

async fn largest() -> Reply<Value> {
    // Each quotation mark is escaped twice, so it takes four bytes. The remaining bytes are for `meta`.
    of_size(1_449_800).await
}

async fn too_large() -> Reply<Value> {
    of_size(1_450_000).await
}

async fn page() -> Reply<Value> {
    Reply::page(json!([1]), Pagination { cursor: None, has_more: false, total: 1, total_matched: None })
}

async fn incompressible(bytes: usize) -> Reply<Value> {
    let mut random = fastrand::Rng::with_seed(1);
    // With 64 different characters, each byte carries six bits. Depending on the implementation, fast gzip
    // either keeps the length or reduces it by a quarter. Base64 then adds a third.
    let text: String = (0..bytes).map(|_| char::from(b'0' + random.u8(..64))).collect();
    let error = ApiError::new(Code::PayloadTooLarge, "too large");
    Reply::new(json!(text)).or_too_large(error)
}

async fn incompressible_smaller() -> Reply<Value> {
    incompressible(4_000_000).await
}

async fn incompressible_larger() -> Reply<Value> {
    incompressible(6_000_000).await
}

async fn answer(world: &World, path: &str) -> (u16, Value) {
    let answer = encoded_answer(world, path, "identity").await;
    (answer.status.as_u16(), answer.json())
}

async fn encoded_answer(world: &World, path: &str, accept_encoding: &str) -> Answer {
    // The product is free, so admission never determines the status.
    let product = Product::Openapi;
    let router = Routes::<App>::new(&world.app)
        .get("/flat", product, flat)
        .get("/undocumented", product, undocumented)
        .get("/records", product, records)
        .get("/empty", product, empty)
        .get("/not-an-object", product, not_an_object)
        .get("/page", product, page)
        .get("/largest", product, largest)
        .get("/too-large", product, too_large)
        .get("/incompressible-smaller", product, incompressible_smaller)
        .get("/incompressible-larger", product, incompressible_larger)
        .into_router(world.app.clone());
    let request = Request::get(path)
        .header("accept-encoding", accept_encoding)
        .body(Body::empty())
        .expect("valid request");
    Answer::read(router.oneshot(request).await.expect("infallible")).await
}

#[tokio::test]
async fn flat_reply_has_its_members_next_to_meta() {
    let world = World::new().await;
    let (status, body) = answer(&world, "/flat").await;
    assert_eq!(status, 200);
    assert_eq!((&body["cohorts"], &body["data"]), (&json!([1, 2]), &json!(3)));
    assert_eq!(body.as_object().expect("an object").keys().collect::<Vec<_>>(), ["cohorts", "data", "meta"]);
    let (status, body) = answer(&world, "/empty").await;
    assert_eq!((status, body.as_object().expect("an object").len()), (200, 1));
    assert_eq!(body["meta"]["product"], "openapi");
}

#[tokio::test]
async fn flat_reply_that_is_not_an_object_returns_500() {
    let world = World::new().await;
    let (status, body) = answer(&world, "/not-an-object").await;
    assert_eq!((status, &body["error"]["code"]), (500, &json!("INTERNAL_ERROR")));
}

#[tokio::test]
async fn reply_includes_provenance() {
    let world = World::new().await;
    let (_, body) = answer(&world, "/flat").await;
    let expected = json!({
        "source": "a census",
        "source_doc": "https://census.example/doc",
        "methodology_version": "2026.1",
        "data_vintage": "2020-04-01",
        "data_freshness": "annually",
        "data_maturity": "synthetic-only",
    });
    assert_eq!(body["meta"]["provenance"], expected);
    let (_, body) = answer(&world, "/undocumented").await;
    let provenance = &body["meta"]["provenance"];
    assert_eq!(provenance["source_doc"], json!(METHODOLOGY), "the default is the service's documentation");
    assert_eq!(provenance["data_latency_days"], 90);
    assert_eq!(provenance["known_gaps"], json!(["one county is missing"]));
}

#[tokio::test]
async fn reply_lists_twenty_sources_and_the_total() {
    let world = World::new().await;
    let (_, body) = answer(&world, "/records").await;
    let provenance = &body["meta"]["provenance"];
    let listed = provenance["sources"].as_array().expect("a list");
    assert_eq!((listed.len(), &provenance["sources_total"]), (20, &json!(25)));
    assert_eq!(listed[19], json!({"source": "source 20", "data_vintage": "2026-06-30"}));
}

#[tokio::test]
async fn provenance_defaults_to_the_organizations_own_records() {
    let world = World::new().await;
    let (_, body) = answer(&world, "/page").await;
    assert_eq!((&body["data"], &body["pagination"]["total"]), (&json!([1]), &json!(1)));
    let expected = json!({
        "source": "the organization's own records",
        "source_doc": METHODOLOGY,
        "methodology_version": "0.4.0",
        "data_freshness": "on-demand",
        "data_latency_days": 0,
        "data_maturity": "production",
    });
    assert_eq!(body["meta"]["provenance"], expected);
}

#[tokio::test]
async fn oversized_reply_returns_the_handlers_error() {
    let world = World::new().await;
    assert_eq!(answer(&world, "/largest").await.0, 200);
    let (status, refused) = answer(&world, "/too-large").await;
    assert_eq!((status, &refused["error"]["message"]), (413, &json!("too large")));
}

#[tokio::test]
async fn compressed_reply_is_measured_in_base64() {
    let world = World::new().await;
    let cases = [
        ("/too-large", 200),
        ("/largest", 200),
        ("/incompressible-smaller", 200),
        ("/incompressible-larger", 413),
    ];
    for (path, status) in cases {
        let answer = encoded_answer(&world, path, "gzip").await;
        assert_eq!(answer.status, status, "{path}");
        if status == 200 {
            assert_eq!(answer.header("content-encoding"), "gzip", "{path}");
            assert!(answer.sent_bytes.div_ceil(3) * 4 < 6_000_000, "{path}: {} bytes", answer.sent_bytes);
        } else {
            assert_eq!(answer.json()["error"]["message"], "too large", "{path}");
        }
    }
}

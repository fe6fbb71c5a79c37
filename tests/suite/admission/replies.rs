use axum::body::Body;
use dataset::{Maturity, Provenance};
use harness::World;
use http::Request;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use shared::App;
use shared::http::{ApiError, Code, Pagination, Reply, Routes};
use shared::types::Product;
use tower::ServiceExt;

fn census() -> Provenance {
    Provenance {
        source: "a census".to_owned(),
        source_doc: "https://census.example/doc".to_owned(),
        methodology_version: "2026.1".to_owned(),
        data_vintage: "2020-04-01".to_owned(),
        data_freshness: "annually".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::SyntheticOnly,
    }
}

async fn flat() -> Reply<Value> {
    Reply::flat(json!({ "cohorts": [1, 2], "data": 3 })).with_provenance(census())
}

async fn undocumented() -> Reply<Value> {
    Reply::new(json!(1)).with_provenance(Provenance {
        source_doc: String::new(),
        data_latency_days: Some(90),
        ..census()
    })
}

async fn empty() -> Reply<Value> {
    Reply::flat(json!({}))
}

async fn no_object() -> Reply<Value> {
    Reply::flat(json!([1]))
}

async fn of_size(characters: usize) -> Reply<Value> {
    let error = ApiError::new(Code::PayloadTooLarge, "too large");
    Reply::new(json!("\"".repeat(characters))).or_too_large(error)
}

async fn largest() -> Reply<Value> {
    // A quotation mark is escaped twice over, which makes four bytes of it.
    of_size(1_449_990).await
}

async fn too_large() -> Reply<Value> {
    of_size(1_450_000).await
}

async fn page() -> Reply<Value> {
    Reply::page(json!([1]), Pagination { cursor: None, has_more: false, total: 1 })
}

async fn answer(world: &World, path: &str) -> (u16, Value) {
    // Nobody is charged for it, so that the status is the handler's.
    let product = Product::Openapi;
    let router = Routes::<App>::new(&world.app)
        .get("/flat", product, flat)
        .get("/undocumented", product, undocumented)
        .get("/empty", product, empty)
        .get("/no-object", product, no_object)
        .get("/page", product, page)
        .get("/largest", product, largest)
        .get("/too-large", product, too_large)
        .into_router(world.app.clone());
    let request = Request::get(path).body(Body::empty()).expect("a request");
    let response = router.oneshot(request).await.expect("routers do not fail");
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{path}: {error}: {body:?}")))
}

#[tokio::test]
async fn a_flat_answer_has_its_members_beside_meta() {
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
async fn a_flat_answer_that_is_no_object_is_our_fault_and_not_broken_json() {
    let world = World::new().await;
    let (status, body) = answer(&world, "/no-object").await;
    assert_eq!((status, &body["error"]["code"]), (500, &json!("INTERNAL_ERROR")));
}

#[tokio::test]
async fn an_answer_says_where_its_figures_come_from() {
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
    assert_eq!(provenance["source_doc"], json!(world.app.config.docs_url), "the service's own documentation");
    assert_eq!(provenance["data_latency_days"], 90);
}

#[tokio::test]
async fn an_answer_that_says_nothing_is_the_organizations_own_record() {
    let world = World::new().await;
    let (_, body) = answer(&world, "/page").await;
    assert_eq!((&body["data"], &body["pagination"]["total"]), (&json!([1]), &json!(1)));
    let expected = json!({
        "source": "the organization's own records",
        "source_doc": world.app.config.docs_url,
        "methodology_version": "0.4.0",
        "data_freshness": "on-demand",
        "data_latency_days": 0,
        "data_maturity": "production",
    });
    assert_eq!(body["meta"]["provenance"], expected);
}

#[tokio::test]
async fn what_would_not_fit_into_a_response_of_lambda_is_answered_as_its_handler_says() {
    let world = World::new().await;
    assert_eq!(answer(&world, "/largest").await.0, 200);
    let (status, refused) = answer(&world, "/too-large").await;
    assert_eq!((status, &refused["error"]["message"]), (413, &json!("too large")));
}

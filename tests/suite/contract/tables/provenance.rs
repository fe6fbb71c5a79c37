//! Provenance of files: headers contain it, so that modelled data stays labelled.

use accounting::Product;
use gateway::{Reply, Routes, Table, Terms};
use harness::{Answer, Contract, World};
use provenance::{Maturity, Provenance, RecordSource};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{A_MINUTE, CSV, GEO_JSON, JSON, calls};

static TABLE: Table = Table { name: "rows", rows: "rows", total: None, columns: || vec!["a"], feature: None };

/// The file headers that the portal's pages may read, in addition to the headers that every response has.
const FILE_HEADERS: [&str; 5] =
    ["content-disposition", "link", "x-data-maturity", "x-provenance", "x-total-count"];

#[tokio::test]
async fn file_has_the_provenance_of_its_json_in_headers() {
    let (world, org) = World::with_org().await;
    for call in calls(&world, &org).await {
        world.clock.advance(A_MINUTE);
        let name = call.operation.name();
        let json = call.answer(&world, &org, JSON).await;
        let provenance = json.json()["meta"]["provenance"].take();
        assert!(FILE_HEADERS.iter().all(|header| json.header(header).is_empty()), "{name}");
        let map = call.table(&world).feature.map(|_| GEO_JSON);
        for accept in [CSV].into_iter().chain(map) {
            let file = call.answer(&world, &org, accept).await;
            let parsed: Value =
                serde_json::from_str(file.header("x-provenance")).expect("the header is JSON in ASCII");
            assert_eq!(parsed, provenance, "{name}");
            assert!(Contract::get().accepts("Provenance", &parsed), "{name}");
            assert_eq!(file.header("x-data-maturity"), provenance["data_maturity"], "{name}");
            assert!(!file.header("x-request-id").is_empty(), "{name}");
        }
    }
}

#[tokio::test]
async fn modelled_data_is_labelled_and_lists_its_gaps() {
    let (world, org) = World::with_org().await;
    let search = world.post("/v2/msearch").key(&org.key).json(&json!({ "filter": { "state": "DC" } }));
    let file = search.header("accept", CSV).send().await;
    assert_eq!(file.header("x-data-maturity"), "synthetic-only");
    let parsed: Value = serde_json::from_str(file.header("x-provenance")).expect("JSON");
    assert!(parsed["known_gaps"][0].as_str().is_some_and(|gap| gap.contains("brand coverage")), "{parsed}");
}

/// Each row is labelled, because programs store, sort, and split files without their headers.
#[tokio::test]
async fn rows_state_the_provenance() {
    let world = World::new().await;
    let long = Provenance { source: format!("a; {}; c", "ü".repeat(80)), ..provenance(0) };
    for (about, expected) in [
        (provenance(0), "research-preview,2026-06-30,Zählung 中 😀 \u{7f}"),
        (Provenance { source: "=1; 2".to_owned(), ..provenance(0) }, "research-preview,2026-06-30,'=1; 2"),
        (Provenance { data_vintage: String::new(), ..long }, "research-preview,,a; …"),
        (
            Provenance { source: "ü".repeat(81), ..provenance(0) },
            &format!("research-preview,2026-06-30,{}; …", "ü".repeat(80)),
        ),
    ] {
        let file = file_of(&world, json!([{ "a": 1 }, { "a": 2 }]), about, Vec::new()).await;
        let lines = format!("a,maturity,data_vintage,source\r\n1,{expected}\r\n2,{expected}\r\n");
        assert_eq!(file.text(), lines);
    }
}

async fn file_of(world: &World, rows: Value, provenance: Provenance, sources: Vec<RecordSource>) -> Answer {
    let reply = Reply::flat(json!({ "rows": rows })).with_provenance(provenance).with_sources(sources);
    let answered = async move || reply;
    let terms = Terms::of(Product::Health).with_table(&TABLE);
    let router = Routes::new(&world.app).get("/rows", terms, answered).into_router(());
    let request = http::Request::get("/rows").header("accept", CSV).body(axum::body::Body::empty());
    Answer::read(router.oneshot(request.expect("valid request")).await.expect("infallible")).await
}

fn sources(number: usize, letters: usize) -> Vec<RecordSource> {
    let name = |number| format!("{number} {}", "ü".repeat(letters));
    (0..number).map(|number| RecordSource { name: name(number), vintage: "2026-06-30".to_owned() }).collect()
}

fn provenance(gaps: usize) -> Provenance {
    Provenance {
        source: "Zählung 中 😀 \u{7f}".to_owned(),
        source_doc: String::new(),
        methodology_version: "1.0".to_owned(),
        data_vintage: "2026-06-30".to_owned(),
        data_freshness: "static".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::ResearchPreview,
        modelled_from: Vec::new(),
        cohort_resolution: None,
        known_gaps: vec!["one county is missing".to_owned(); gaps],
    }
}

#[tokio::test]
async fn oversized_provenance_lists_the_members_it_leaves_out() {
    let world = World::new().await;
    for (gaps, sources, left_out) in [
        (1, sources(2, 10), json!(null)),
        (1, sources(25, 100), json!(["sources"])),
        (500, sources(25, 100), json!(["sources", "known_gaps"])),
    ] {
        let file = file_of(&world, json!([]), provenance(gaps), sources).await;
        let header = file.header("x-provenance");
        assert!(header.is_ascii() && header.len() <= 4_096, "{} bytes", header.len());
        let parsed: Value = serde_json::from_str(header).expect("JSON");
        assert_eq!(parsed["source"], "Zählung 中 😀 \u{7f}");
        assert_eq!(parsed["left_out"], left_out);
        let lacks = |member: &str| parsed.get(member).is_none();
        let left_out: Vec<_> = left_out.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(lacks("sources"), left_out.contains(&"sources"));
        assert_eq!(lacks("known_gaps"), left_out.contains(&"known_gaps"));
        assert!(parsed["sources_total"].is_number(), "the number of sources is always included");
    }
}

#[tokio::test]
async fn oversized_source_leaves_only_the_maturity_header() {
    let world = World::new().await;
    let long = Provenance { source: "x".repeat(5_000), ..provenance(0) };
    let file = file_of(&world, json!([]), long, Vec::new()).await;
    assert_eq!((file.header("x-data-maturity"), file.header("x-provenance")), ("research-preview", ""));
}

#[tokio::test]
async fn portal_pages_may_read_the_headers_of_files() {
    let portal = "https://portal.example";
    let options =
        harness::WorldOptions { portal_origins: vec![portal.to_owned()], ..harness::WorldOptions::default() };
    let world = World::with(options).await;
    let org = world.org("org_a").await;
    // HEAD returns the same headers as GET. openapi.yaml doesn't document CORS headers, so the response isn't
    // checked.
    let head = world.call(http::Method::HEAD, "/v2/markets").key(&org.key).header("origin", portal);
    let answer = head.header("accept", CSV).send().await;
    let exposed = answer.header("access-control-expose-headers");
    for name in FILE_HEADERS {
        assert!(!answer.header(name).is_empty() && exposed.contains(name), "{name}: {exposed}");
    }
    assert_eq!(answer.headers.get_all("vary").iter().count(), 1);
}

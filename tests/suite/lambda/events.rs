use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::State;
use harness::{Answer, Contract, TestOrg, World, sample, samples};
use lambda_http::request::from_str;
use marquee::serve::{Function, Gateway};
use serde_json::Value;
use shared::App;
use shared::http::{Reply, Routes};
use shared::types::{Family, Product, SessionId};
use tower::ServiceExt;

use super::template::Template;

/// What each event file is answered with.
const EXPECTED: [(&str, u16); 30] = [
    ("campaigns/create.json", 200),
    ("campaigns/delete.json", 204),
    ("campaigns/edit.json", 200),
    ("campaigns/list.json", 200),
    ("campaigns/read.json", 200),
    ("campaigns/summary.json", 200),
    ("events/create.json", 200),
    ("events/delete.json", 204),
    ("events/edit.json", 200),
    ("events/list.json", 200),
    ("events/read.json", 200),
    ("events/summary.json", 200),
    ("places/profile.json", 200),
    ("places/report.json", 200),
    ("places/search.json", 200),
    ("places/search-gateway.json", 200),
    ("audiences/cohorts.json", 200),
    ("audiences/markets.json", 200),
    ("audiences/population.json", 200),
    ("inventory/search.json", 200),
    ("tiles/list.json", 200),
    ("tiles/mint.json", 200),
    ("tiles/read.json", 200),
    ("tiles/revoke.json", 204),
    // No grant has signed its token.
    ("tiles/tile.json", 401),
    ("tiles/tilejson.json", 200),
    ("account/credits.json", 200),
    ("account/health.json", 200),
    ("account/openapi.json", 200),
    ("account/unknown-path.json", 404),
];

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../events")
}

/// Reads an event file, with a real key, organization and asset in its placeholders.
pub(super) fn filled_in(file: &str, org: &TestOrg, asset: &str) -> String {
    fs::read_to_string(folder().join(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
        .replace(&format!("mq_live_{}", "0".repeat(64)), &org.key)
        .replace("org_0000000000000000", org.id.as_str())
        .replace("01990000-0000-7000-8000-000000000000", asset)
        .replace(&format!("tg_{}", "0".repeat(32)), asset)
        .replace("100000000000", &samples::place().to_string())
        .replace("55555555-5555-5555-8555-555555555555", &samples::segment("age_18_34"))
}

/// Creates a draft in the library that an event file is about, or a tile grant for one about tiles, and returns its id.
pub(super) async fn asset_for(world: &World, org: &TestOrg, file: &str) -> String {
    if file.starts_with("tiles/") {
        let body = serde_json::json!({ "allowed_origins": ["https://maps.example.com"] });
        let minted = world.post("/v2/places/tiles/grants").key(&org.key).json(&body).send().await.data();
        return minted["grant_id"].as_str().expect("an id").to_owned();
    }
    let family = if file.starts_with("events/") { Family::Event } else { Family::Campaign };
    let path = world.draft(org, family).await;
    path.trim_start_matches(samples::library(family)).trim_start_matches('/').to_owned()
}

async fn answer(router: Router, event: &str) -> Answer {
    let request = from_str(event).expect("an API Gateway event");
    let request = request.map(axum::body::Body::new);
    let response = router.oneshot(request).await.expect("routers do not fail");
    Answer::read(response).await
}

#[test]
fn every_event_file_of_the_gateway_has_an_expectation() {
    let mut files = BTreeSet::new();
    for group in ["campaigns", "events", "places", "audiences", "inventory", "tiles", "account"] {
        for file in fs::read_dir(folder().join(group)).expect("a folder of events") {
            let name = file.expect("a file").file_name();
            files.insert(format!("{group}/{}", name.to_string_lossy()));
        }
    }
    let expected = EXPECTED.map(|(file, _)| file.to_owned()).into();
    assert_eq!(files, expected);
}

#[tokio::test]
async fn the_function_that_the_template_names_answers_each_event() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let (template, gateway) = (Template::read(), Gateway::new(&world.app, sample()));
    for (file, status) in EXPECTED {
        let asset = asset_for(&world, &org, file).await;
        let text = filled_in(file, &org, &asset);
        let event: Value = serde_json::from_str(&text).expect("JSON");
        let path = event["rawPath"].as_str().expect("a path");

        let (route, binary) = template.route_of(path);
        let route = route.map_or("$default".to_owned(), |route| format!("ANY {route}"));
        assert_eq!(event["routeKey"], route, "{file}");
        assert!(file.starts_with(&format!("{binary}/")), "{file} in {binary}");
        let function = match binary {
            "campaigns" => Function::Campaigns,
            "events" => Function::Events,
            "places" => Function::Places,
            "audiences" => Function::Audiences,
            "inventory" => Function::Inventory,
            "tiles" => Function::Tiles,
            _ => Function::Account,
        };

        let answer = answer(gateway.function(function), &text).await;
        assert_eq!(answer.status.as_u16(), status, "{file}: {}", answer.text());
        let request = from_str(&text).expect("an event");
        assert_eq!(request.uri().path(), path, "{file}");
        Contract::get().check(request.method(), path, &answer);
    }
}

#[tokio::test]
async fn the_address_that_the_gateway_saw_is_the_clients_and_a_forwarded_one_is_not() {
    async fn found(State(_): State<App>) -> Reply<&'static str> {
        Reply::new("found")
    }
    let world = World::new().await;
    let org = world.org("org_a").await;
    let router =
        Routes::new(&world.app).get("/v2/health", Product::PlaceSearch, found).into_router(world.app.clone());
    let mut event: Value = serde_json::from_str(&filled_in("account/health.json", &org, "")).expect("JSON");
    let seen = "198.51.100.77";
    event["requestContext"]["http"]["sourceIp"] = seen.into();
    event["headers"]["x-forwarded-for"] = "203.0.113.5".into();

    world.wire.record();
    let answer = answer(router, &event.to_string()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let session = SessionId::of_address(seen.parse().expect("an address"));
    let partition = format!("session#{}", session.as_str());
    let sent = world.wire.take();
    let opened = sent.iter().find(|sent| sent.operation == "PutItem");
    let opened = opened.expect("a session is opened");
    assert_eq!(opened.body["Item"]["pk"]["S"], partition);
}

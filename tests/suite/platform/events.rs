//! Every operation has a sample gateway event generated from openapi.yaml, and the function that the template
//! assigns to the operation handles the event.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use accounting::{AuthRequirement, Product, SessionId};
use axum::Router;
use axum::extract::State;
use gateway::{App, Reply, Routes};
use harness::{
    Answer, Contract, FUNCTIONS, OPERATIONS, Operation, TestOrg, World, binary_of, function_of, sample,
    samples,
};
use lambda_http::request::from_str;
use marquee::serve::Gateway;
use serde_json::{Value, json};
use store::Family;
use tower::ServiceExt;

use super::template::{Route, Template};

/// A path without a route, and the expected status.
const UNKNOWN_PATH: (&str, u16) = ("account/unknown-path.json", 404);

/// Returns the expected status for an operation's event. The tile event's token has an invalid signature.
fn status_of(operation: &Operation) -> u16 {
    if operation.product == Product::Tile { 401 } else { operation.success() }
}

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../events")
}

/// Reads an event file, and replaces its placeholders with a valid key, token, organization, and asset.
pub(super) fn filled_in(file: &str, org: &TestOrg, asset: &str) -> String {
    fs::read_to_string(folder().join(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
        .replace(&format!("mq_live_{}", "0".repeat(64)), &org.key)
        .replace("eyJhbGciOiJFUzI1NiJ9.e30.AA", &org.owner_token)
        .replace("eyJhbGciOiJFUzI1NiJ9.e30.AQ", &org.newcomer_token)
        .replace("eyJhbGciOiJFUzI1NiJ9.e30.Ag", &org.invitee_token)
        .replace(&format!("inv_{}", "0".repeat(16)), asset)
        .replace(&format!("links/{}", "0".repeat(16)), &format!("links/{}", samples::client_link_id()))
        .replace(&format!("members/{}", "0".repeat(16)), &format!("members/{asset}"))
        .replace(&format!("wh_{}/deliveries/msg_{}_0", "0".repeat(16), "0".repeat(15)), asset)
        .replace(&format!("webhooks/wh_{}", "0".repeat(16)), &format!("webhooks/{asset}"))
        .replace("org_0000000000000000", org.id.as_str())
        .replace("01990000-0000-7000-8000-000000000000", asset)
        .replace(&format!("tg_{}", "0".repeat(32)), asset)
        .replace("keys/00000000", &format!("keys/{asset}"))
        .replace("100000000000", &samples::place().to_string())
}

/// Adds the owner whose token is in an event, and creates the resource that the event requires, such as a
/// tile grant, a key, or a draft. Returns the resource's ID.
pub(super) async fn asset_for(world: &World, org: &TestOrg, file: &str) -> String {
    if file.starts_with("tiles/") {
        let grant = world.post("/v2/places/tiles/grants").key(&org.key).json(&samples::tile_grant());
        return grant.send().await.data()["grant_id"].as_str().expect("an ID").to_owned();
    }
    world.owner_token(org).await;
    let of_members = OPERATIONS
        .iter()
        .find(|operation| operation.event == file && operation.path.starts_with("/v2/account/"));
    if let Some(operation) = of_members {
        let path = operation.path_for(world, org, &world.router()).await;
        if let Some((_, webhook)) = path.split_once("/webhooks/") {
            let actions = ["/secret", "/test", "/deliveries", "/redeliver"];
            let action = actions.into_iter().find(|action| webhook.ends_with(action)).unwrap_or_default();
            return webhook.trim_end_matches(action).to_owned();
        }
        return path.rsplit('/').next().expect("a path").to_owned();
    }
    if file.starts_with("estimates/") {
        let family = if file.ends_with("-event.json") || file.ends_with("event-measurement.json") {
            Family::Event
        } else {
            Family::Campaign
        };
        return world.estimated_draft(org, family).await;
    }
    let family = if file.starts_with("events/") { Family::Event } else { Family::Campaign };
    let path = world.draft(org, family).await;
    let asset = path.trim_start_matches(samples::library(family)).trim_start_matches('/').to_owned();
    if file.contains("client-") {
        return world.share(org, &asset).await.asset_id.to_string();
    }
    asset
}

async fn answer(router: Router, event: &str) -> Answer {
    let request = from_str(event).expect("an API Gateway event");
    let request = request.map(axum::body::Body::new);
    let response = router.oneshot(request).await.expect("infallible");
    Answer::read(response).await
}

/// Creates the gateway event for a call of an operation. The body is the operation's example.
fn event_of(operation: &Operation) -> Value {
    const HOSTS: [&str; 2] =
        ["a1b2c3d4e5.execute-api.us-east-1.amazonaws.com", "f6g7h8i9j0.execute-api.us-east-1.amazonaws.com"];
    let (template, path) = (Template::read(), operation.path_of_unknown_ids());
    let route = template.route_of(&path);
    let ([host, other], variable) = match route.api {
        "SearchApi" => ([HOSTS[1], HOSTS[0]], "PortalOrigin"),
        _ => (HOSTS, "SearchUrl"),
    };
    let key = route_key(&route);
    let body = Contract::get().request_example(operation.id).map(Value::to_string);
    let mut headers = json!({
        "accept": "*/*",
        "content-length": body.as_ref().map_or(0, String::len).to_string(),
        "host": host,
        "user-agent": "marquee-integration/1.4",
        "x-forwarded-for": "203.0.113.21",
        "x-forwarded-port": "443",
        "x-forwarded-proto": "https",
    });
    if let Some((name, value)) = placeholder(operation) {
        headers[name] = json!(value);
    }
    if body.is_some() {
        headers["content-type"] = json!("application/json");
    }
    if operation.product == Product::ClientView {
        headers["x-client-link"] = json!(samples::client_link_token());
    }
    if operation.id.starts_with("buy_") {
        headers["idempotency-key"] = json!(operation.id);
    }
    let query = if operation.product == Product::Tile { "token=eyJhbGciOiJIUzI1NiJ9.e30.AAAA" } else { "" };
    let mut event = json!({
        "version": "2.0",
        "routeKey": key,
        "rawPath": path,
        "rawQueryString": query,
        "headers": headers,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": host.split('.').next(),
            "domainName": host,
            "domainPrefix": host.split('.').next(),
            "http": {
                "method": operation.method.as_str(),
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "203.0.113.21",
                "userAgent": "marquee-integration/1.4",
            },
            "requestId": "aBcDeFgH01oAMEVwQ=",
            "routeKey": key,
            "stage": "$default",
            "time": "11/Mar/2026:09:01:00 +0000",
            "timeEpoch": 1_773_219_660_000_i64,
        },
        "isBase64Encoded": false,
        "stageVariables": { "OidcAudience": "1example23456789", variable: format!("https://{other}") },
    });
    if let Some(body) = body {
        event["body"] = json!(body);
    }
    event
}

/// Returns the credential header in an operation's event, and the placeholder for its value.
fn placeholder(operation: &Operation) -> Option<(&'static str, String)> {
    match operation.auth {
        AuthRequirement::Open | AuthRequirement::Public => None,
        AuthRequirement::Person | AuthRequirement::Member => {
            let signature = match operation.id {
                "sign_up" => "AQ",
                "accept_invitation" => "Ag",
                _ => "AA",
            };
            Some(("authorization", format!("Bearer eyJhbGciOiJFUzI1NiJ9.e30.{signature}")))
        }
        _ => Some((operation.key_header(), format!("mq_live_{}", "0".repeat(64)))),
    }
}

fn route_key(route: &Route<'_>) -> String {
    route.path.map_or("$default".to_owned(), |path| format!("ANY {path}"))
}

#[test]
fn every_operation_has_exactly_one_event_file() {
    let expected = OPERATIONS.iter().map(|operation| operation.event.as_str()).chain([UNKNOWN_PATH.0]);
    let is_recorded = std::env::var_os("RECORD").is_some();
    for operation in OPERATIONS.iter() {
        let (path, event) = (folder().join(&operation.event), event_of(operation));
        if is_recorded {
            fs::write(&path, format!("{event:#}\n")).expect("written");
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(text, format!("{event:#}\n"), "{}: RECORD=1 updates the file", operation.event);
    }
    let mut files = BTreeSet::new();
    for (binary, _) in FUNCTIONS {
        for file in fs::read_dir(folder().join(binary)).expect("a folder of events") {
            let name = file.expect("a file").file_name();
            files.insert(format!("{binary}/{}", name.to_string_lossy()));
        }
    }
    assert_eq!(files, expected.map(str::to_owned).collect());
}

#[test]
fn one_event_per_function_is_listed_with_its_answer() {
    let listed: Value = serde_json::from_str(include_str!("../../../events/one-of-each.json")).expect("JSON");
    let listed = listed.as_object().expect("an object");
    let template = Template::read();
    let functions: BTreeSet<_> = template.functions().into_iter().map(|(binary, _)| binary).collect();
    assert_eq!(listed.keys().map(String::as_str).collect::<BTreeSet<_>>(), functions);
    for (binary, one) in listed {
        let file = format!("{binary}/{}", one["event"].as_str().expect("a file"));
        assert!(folder().join(&file).is_file(), "{file}");
        let operation = OPERATIONS.iter().find(|operation| operation.event == file);
        // The tests in `mcp`, `portal`, `queues`, and `runtime` check the answers to events that don't belong
        // to an operation.
        let answer = match (binary.as_str(), operation) {
            ("measurement", _) => json!({ "outcome": "applied" }),
            ("mcp" | "portal", _) => json!({ "statusCode": 200 }),
            ("sweep", _) => json!({}),
            ("changes" | "webhooks", _) => Value::Null,
            (_, operation) => json!({ "statusCode": status_of(operation.expect("an operation")) }),
        };
        assert_eq!(one["answer"], answer, "{file}");
    }
}

#[tokio::test]
async fn template_functions_answer_their_events() {
    let (world, org) = World::with_org().await;
    for operation in OPERATIONS.iter() {
        let event = assert_answered(&world, &org, (&operation.event, status_of(operation))).await;
        let path = event["rawPath"].as_str().expect("a path");
        let method = &event["requestContext"]["http"]["method"];
        let is_own = operation.method == method.as_str().expect("a method") && operation.is_at(path);
        assert!(is_own, "{}: {method} {path} must belong to {}", operation.event, operation.name());
        assert!(operation.event.starts_with(&format!("{}/", binary_of(operation.function))));
    }
    assert_answered(&world, &org, UNKNOWN_PATH).await;
}

/// Checks that the answer to an event file has the expected status and matches the contract. Returns the
/// event.
async fn assert_answered(world: &World, org: &TestOrg, (file, status): (&str, u16)) -> Value {
    let asset = asset_for(world, org, file).await;
    let text = filled_in(file, org, &asset);
    let event: Value = serde_json::from_str(&text).expect("JSON");
    let path = event["rawPath"].as_str().expect("a path");

    let template = Template::read();
    let route = template.route_of(path);
    let binary = route.binary;
    assert_eq!(event["routeKey"], route_key(&route), "{file}");
    assert!(file.starts_with(&format!("{binary}/")), "{file} in {binary}");

    let router = Gateway::new(&world.app, sample()).function(function_of(binary));
    let answer = answer(router, &text).await;
    assert_eq!(answer.status.as_u16(), status, "{file}: {}", answer.text());
    let request = from_str(&text).expect("an event");
    assert_eq!(request.uri().path(), path, "{file}");
    Contract::get().check(request.method(), path, &answer);
    event
}

#[tokio::test]
async fn client_address_comes_from_the_gateway_not_from_a_forwarded_header() {
    async fn found(State(_): State<App>) -> Reply<&'static str> {
        Reply::new("found")
    }
    let (world, org) = World::with_org().await;
    let router =
        Routes::new(&world.app).get("/v2/health", Product::PlaceSearch, found).into_router(world.app.clone());
    let mut event: Value =
        serde_json::from_str(&filled_in("account/read-health.json", &org, "")).expect("JSON");
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
    let opened = opened.expect("the call opens a session");
    assert_eq!(opened.body["Item"]["pk"]["S"], partition);
}

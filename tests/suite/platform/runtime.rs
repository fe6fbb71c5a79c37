//! The binaries as deployed: they handle Lambda events and log one JSON line per request.

use std::io::Read;

use accounting::{Product, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use gateway::Issuer;
use harness::runtime_api::{FunctionProcess, Report, binary};
use harness::{OPERATIONS, TestOrg, World, sample_release};
use serde_json::{Value, json};
use store::Family;

use super::events::{asset_for, filled_in, folder};

/// Starts a function with the world's database and the template's environment variables.
async fn start(world: &World, name: &str) -> FunctionProcess {
    start_with(world, name, &[]).await
}

/// Starts a function with some of the template's environment variables replaced.
pub(super) async fn start_with(world: &World, name: &str, changed: &[(&str, &str)]) -> FunctionProcess {
    let binary = binary(name);
    let release = sample_release().path().display().to_string();
    let variables = [
        ("RELEASE", release.as_str()),
        ("S3_ENDPOINT", ""),
        ("OIDC_ISSUER", ""),
        ("OIDC_AUDIENCE", ""),
        ("OIDC_JWKS_URL", ""),
        ("DOCS_URL", "https://docs.example.com/errors"),
        ("PUBLIC_URL", ""),
        ("PORTAL_URL", ""),
        ("PORTAL_ORIGINS", ""),
        ("HANDLER_DEADLINE_SECONDS", "15"),
        ("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH", "true"),
        ("AWS_LAMBDA_LOG_LEVEL", "INFO"),
    ];
    // The last value of a repeated variable applies.
    let variables = [&world.engine_variables()[..], &variables, changed].concat();
    FunctionProcess::start(binary, &variables).await
}

pub(super) fn answered(report: Report) -> Value {
    match report {
        Report::Answered(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Returns the body of an answer as API Gateway forwards it, decompressed if necessary.
fn body_of(answer: &Value) -> Value {
    let text = answer["body"].as_str().expect("a string");
    let is_compressed = answer["headers"]["content-encoding"] == "gzip";
    assert_eq!(answer["isBase64Encoded"], is_compressed, "{answer}");
    let mut body = Vec::new();
    if is_compressed {
        let compressed = STANDARD.decode(text).expect("base64");
        GzDecoder::new(&compressed[..]).read_to_end(&mut body).expect("gzip");
    } else {
        body.extend_from_slice(text.as_bytes());
    }
    serde_json::from_slice(&body).expect("JSON")
}

/// Returns the log lines for an event. Checks that every line is a JSON object without secrets.
pub(super) fn lines_of(lines: &[String], event: &str, org: &TestOrg) -> Vec<Value> {
    assert!(!lines.is_empty());
    let mut found = Vec::new();
    for line in lines {
        assert!(!line.contains(&org.key), "the log must not contain a key: {line}");
        let line: Value =
            serde_json::from_str(line).unwrap_or_else(|_| panic!("a log line must be JSON: {line}"));
        if line["event"] == event {
            found.push(line);
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn binaries_answer_gateway_events_and_log_one_line() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let cases = [
        ("campaigns", "campaigns/create-campaign.json", "POST", Product::ScenarioCampaignCrud),
        ("events", "events/read-event.json", "GET", Product::ScenarioEventCrud),
        ("places", "places/report-places.json", "POST", Product::PlaceReport),
        ("audiences", "audiences/read-population-at-home.json", "POST", Product::PopulationAtHome),
        ("estimates", "estimates/estimate-campaign.json", "POST", Product::CampaignEstimate),
        ("inventory", "inventory/search-inventory.json", "POST", Product::InventorySearch),
        ("inventory", "inventory/look-up-displays.json", "POST", Product::DisplayLookup),
        ("tiles", "tiles/read-tile-grant.json", "GET", Product::TileGrants),
        ("account", "account/read-credits.json", "GET", Product::BillingCredits),
    ];
    for (function, file, method, product) in cases {
        let (product, credits) = (product.name(), product.credits());
        let asset = asset_for(&world, &org, file).await;
        let mut process = start(&world, function).await;
        let answer = answered(process.invoke(&filled_in(file, &org, &asset)).await);
        assert_eq!(answer["statusCode"], 200, "{function}: {answer}");
        let body = body_of(&answer);
        assert_eq!(body["meta"]["product"], product, "{function}");

        let lines = process.stop().await;
        let requests = lines_of(&lines, "request", &org);
        let [line] = requests.as_slice() else {
            panic!("{function}: a request must log one line: {lines:?}")
        };
        assert_eq!(line["level"], "INFO");
        // Lambda treats a line without a timestamp as INFO, regardless of its level.
        let time = line["timestamp"].as_str().and_then(Timestamp::parse);
        assert!(time.is_some(), "{function}: {line}");
        let expected = [
            ("request_id", body["meta"]["request_id"].clone()),
            ("method", json!(method)),
            ("org", json!("org_a")),
            ("product", json!(product)),
            ("status", json!(200)),
            ("credits", json!(credits)),
        ];
        for (name, value) in expected {
            assert_eq!(line[name], value, "{function}: {name} in {line}");
        }
        assert!(line["ms"].is_u64(), "{function}: {line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn account_binary_logs_no_tokens_or_email_addresses() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let Issuer { issuer, audience, jwks_url } = world.issuer.issuer();
    let variables = [
        ("OIDC_ISSUER", issuer.as_str()),
        ("OIDC_AUDIENCE", audience.as_deref().expect("an audience")),
        ("OIDC_JWKS_URL", jwks_url),
        ("SELF_SIGN_UP", "on"),
    ];
    let mut process = start_with(&world, "account", &variables).await;
    let mut answered_events = 0;
    for operation in OPERATIONS.iter().filter(|operation| operation.path.starts_with("/v2/account")) {
        let asset = asset_for(&world, &org, &operation.event).await;
        let answer = answered(process.invoke(&filled_in(&operation.event, &org, &asset)).await);
        assert_eq!(answer["statusCode"], operation.success(), "{}: {answer}", operation.event);
        answered_events += 1;
    }
    assert_eq!(answered_events, 21);
    let lines = process.stop().await;
    for line in &lines {
        let secrets = [&org.owner_token, &org.newcomer_token, &org.invitee_token];
        assert!(
            !secrets.into_iter().any(|token| line.contains(token)),
            "the log must not contain a token: {line}"
        );
        assert!(!line.contains("@example.com"), "the log must not contain an email address: {line}");
    }
    assert_eq!(lines.iter().filter(|line| line.contains("\"event\":\"request\"")).count(), answered_events);
}

#[tokio::test(flavor = "multi_thread")]
async fn trace_level_does_not_enable_library_logs() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    for (function, file) in
        [("campaigns", "campaigns/create-campaign.json"), ("tiles", "tiles/create-tile-grant.json")]
    {
        let mut process = start_with(&world, function, &[("AWS_LAMBDA_LOG_LEVEL", "TRACE")]).await;
        let answer = answered(process.invoke(&filled_in(file, &org, "")).await);
        assert_eq!(answer["statusCode"], 200, "{function}: {answer}");
        let lines = process.stop().await;
        assert_eq!(lines_of(&lines, "request", &org).len(), 1, "{lines:?}");
        let others: Vec<_> = lines.iter().filter(|line| !line.contains("\"level\":\"INFO\"")).collect();
        assert!(others.is_empty(), "{function}: {others:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_compressed_on_request_and_base64_encoded() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let mut process = start(&world, "inventory").await;
    let mut event: Value =
        serde_json::from_str(&filled_in("inventory/search-inventory.json", &org, "")).expect("JSON");
    event["body"] = json!("{}");
    event["headers"]["accept-encoding"] = json!("gzip");
    let compressed = answered(process.invoke(&event.to_string()).await);
    event["headers"].as_object_mut().expect("headers").remove("accept-encoding");
    let plain = answered(process.invoke(&event.to_string()).await);
    assert_eq!((&compressed["statusCode"], &plain["statusCode"]), (&json!(200), &json!(200)));
    assert_eq!((&compressed["isBase64Encoded"], &plain["isBase64Encoded"]), (&json!(true), &json!(false)));
    assert_eq!(body_of(&compressed)["results"], body_of(&plain)["results"]);
    let lengths = [&compressed, &plain].map(|answer| answer["body"].as_str().expect("a string").len());
    assert!(lengths[0] * 3 < lengths[1], "{lengths:?}");
    for answer in [&compressed, &plain] {
        assert_eq!(answer["headers"]["vary"], "origin, accept, accept-encoding");
        assert_eq!(answer["headers"]["content-type"], "application/json");
    }
    process.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn uncompressed_files_are_sent_as_text() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let mut process = start(&world, "inventory").await;
    let mut event: Value =
        serde_json::from_str(&filled_in("inventory/search-inventory.json", &org, "")).expect("JSON");
    event["body"] = json!(json!({ "fieldSet": ["id", "media_name", "location.geometry"] }).to_string());
    for (accept, begins) in [
        (
            "text/csv",
            "spot_id,media_name,location.geometry.type,location.geometry.coordinates,maturity,data_vintage,source\r\n",
        ),
        ("application/geo+json", "{\"type\":\"FeatureCollection\",\"features\":[{"),
    ] {
        event["headers"]["accept"] = json!(accept);
        let answer = answered(process.invoke(&event.to_string()).await);
        assert_eq!(
            (&answer["statusCode"], &answer["isBase64Encoded"]),
            (&json!(200), &json!(false)),
            "{accept}"
        );
        assert!(answer["body"].as_str().expect("a string").starts_with(begins), "{answer}");
        assert!(answer["headers"]["x-total-count"].is_string(), "{answer}");
    }
    process.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn binaries_answer_invalid_events_with_the_error_envelope() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let cases = [
        (
            "campaigns",
            "campaigns/create-campaign.json",
            "body",
            json!("{\"spots\":"),
            400,
            "VALIDATION_ERROR",
        ),
        (
            "events",
            "events/read-event.json",
            "rawPath",
            json!("/v2/scenarios/events/\u{fffd}/%zz"),
            404,
            "NOT_FOUND",
        ),
        (
            "account",
            "account/read-credits.json",
            "headers",
            json!({ "x-api-key": "nonsense" }),
            401,
            "UNAUTHORIZED",
        ),
    ];
    for (function, file, member, value, status, code) in cases {
        let asset = asset_for(&world, &org, file).await;
        let mut event: Value = serde_json::from_str(&filled_in(file, &org, &asset)).expect("JSON");
        event[member] = value;
        let mut process = start(&world, function).await;
        let answer = answered(process.invoke(&event.to_string()).await);
        assert_eq!(answer["statusCode"], status, "{function}: {answer}");
        let body: Value = serde_json::from_str(answer["body"].as_str().expect("a string")).expect("JSON");
        assert_eq!(body["error"]["code"], code, "{function}");
        assert_eq!(
            body["error"]["docs_url"].as_str().map(|url| url.split('#').next()),
            Some(Some("https://docs.example.com/errors"))
        );
        // The process still handles events.
        let next = answered(process.invoke(&filled_in(file, &org, &asset)).await);
        assert_eq!(next["statusCode"], 200, "{function}: {next}");
        let lines = process.stop().await;
        assert_eq!(lines_of(&lines, "request", &org).len(), 2, "{function}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn measurement_binary_handles_invocations_and_batches() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let asset = asset_for(&world, &org, "measurement/purchased.json").await;
    let mut process = start(&world, "measurement").await;
    for (file, expected) in [
        ("measurement/purchased.json", "applied"),
        ("measurement/purchased.json", "already_applied"),
        ("measurement/started.json", "applied"),
        ("measurement/measured.json", "applied"),
        ("measurement/completed.json", "applied"),
    ] {
        let answer = answered(process.invoke(&filled_in(file, &org, &asset)).await);
        assert_eq!(answer["outcome"], expected, "{file}");
    }
    let late = answered(process.invoke(&filled_in("measurement/failed.json", &org, &asset)).await);
    assert_eq!(late["outcome"], "refused");

    let files = std::fs::read_dir(folder().join("measurement")).expect("a folder").count();
    assert_eq!(files, 6, "the test sends every file of events/measurement");
    let other = asset_for(&world, &org, "measurement/queue.json").await;
    let batch = filled_in("measurement/queue.json", &org, &other);
    let answer = answered(process.invoke(&batch).await);
    assert_eq!(answer, json!({ "batchItemFailures": [] }));

    let nonsense = answered(process.invoke("{\"event_id\":7}").await);
    assert_eq!(nonsense["outcome"], "refused");
    let lines = process.stop().await;
    let applied = lines_of(&lines, "measurement", &org);
    assert_eq!(applied.len(), 7, "{lines:?}");
    for line in &applied {
        assert_eq!(line["org"], "org_a", "{line}");
        assert!(
            line["event_id"].is_string() && line["asset_id"].is_string() && line["outcome"].is_string(),
            "{line}"
        );
    }
    assert_eq!(lines_of(&lines, "measurement_refused", &org).len(), 1, "{lines:?}");
    let family =
        world.get(&format!("/v2/scenarios/{}s/{other}", Family::Campaign)).key(&org.key).send().await;
    assert_eq!(family.data()["state"], "in_flight");
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_database_returns_503_and_logs_the_cause() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let binary = binary("campaigns");
    // The listener is closed, so its port refuses connections.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let release = sample_release().path().display().to_string();
    let variables = [
        ("TABLE_PREFIX", "marquee-"),
        ("DYNAMODB_ENDPOINT", endpoint.as_str()),
        ("RELEASE", release.as_str()),
    ];
    let mut process = FunctionProcess::start(binary, &variables).await;
    let answer = answered(process.invoke(&filled_in("campaigns/list-campaigns.json", &org, "")).await);
    assert_eq!(answer["statusCode"], 503, "{answer}");
    let lines = process.stop().await;
    let errors = lines_of(&lines, "store_error", &org);
    assert!(errors.iter().any(|line| line["level"] == "ERROR" && line["error"].is_string()), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn measurement_binary_refuses_to_start_with_invalid_purchase_names() {
    let binary = binary("measurement");
    let process = FunctionProcess::start(binary, &[("PURCHASE_NAMES", "reach,Lift")]).await;
    let (status, lines) = process.ended().await;
    assert!(!status.success(), "{lines:?}");
    let parsed = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let refused: Vec<_> = parsed.filter(|line| line["event"] == "config_refused").collect();
    let error = "PURCHASE_NAMES is invalid: `Lift` must be 1 to 32 lowercase letters, digits, or `_`";
    assert_eq!(refused.len(), 1, "{lines:?}");
    assert_eq!((&refused[0]["level"], &refused[0]["error"]), (&json!("ERROR"), &json!(error)));
}

//! The functions' binaries with valid, missing, and damaged releases.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use dataset::{Folder, MANIFEST, Part};
use harness::runtime_api::{FunctionProcess, Report, binary};
use harness::{World, sample_release};
use serde_json::{Value, json};
use tokio::process::Command;

use super::{BUCKET, Scratch, packed_object, published};

/// Functions that open a release, each with one of the parts that it opens.
const FUNCTIONS: [(&str, Part); 13] = [
    ("campaigns", Part::Geographies),
    ("campaigns", Part::KnownIds),
    ("events", Part::Geographies),
    ("events", Part::KnownIds),
    ("places", Part::Visits),
    ("audiences", Part::Population),
    ("audiences", Part::SpotCounts),
    ("estimates", Part::Exposures),
    ("inventory", Part::Geographies),
    ("inventory", Part::Inventory),
    ("tiles", Part::DisplayTiles),
    ("tiles", Part::PlaceTiles),
    ("tiles", Part::BaseMap),
];

/// Starts a function without a Runtime API and returns its output. The function exits after trying to open
/// its release.
pub(super) async fn failure(function: &str, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(binary(function));
    command.env_clear().env("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9").env("AWS_REGION", "us-east-1");
    for (name, value) in
        [("FUNCTION_NAME", function), ("FUNCTION_VERSION", "1"), ("FUNCTION_MEMORY_SIZE", "512")]
    {
        command.env(format!("AWS_LAMBDA_{name}"), value);
    }
    command
        .env("AWS_ACCESS_KEY_ID", "local")
        .env("AWS_SECRET_ACCESS_KEY", "local")
        .env("TABLE_PREFIX", "marquee-");
    command.env("DYNAMODB_ENDPOINT", "http://127.0.0.1:9").envs(variables.iter().copied());
    command.stdin(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(Duration::from_secs(60), command.output())
        .await
        .expect("the function exits within 60 seconds");
    let ended = ended.expect("the program runs");
    let text = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
    assert_eq!(ended.status.code(), Some(1), "{function}: {text}");
    assert!(!text.contains("panicked"), "{function}: {text}");
    text
}

/// Returns the logged reason why a function couldn't open its release.
pub(super) fn refusal_reason(text: &str) -> String {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut lines = lines.filter(|line| line["event"] == "release_refused");
    let line = lines.next().unwrap_or_else(|| panic!("no release_refused line in: {text}"));
    assert_eq!(line["level"], "ERROR", "{line}");
    line["error"].as_str().expect("a string").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_without_a_usable_release_log_the_reason() {
    let scratch = Scratch::new();
    let nowhere = scratch.path("nowhere").display().to_string();
    for (function, part) in FUNCTIONS {
        let unset = "RELEASE is not set: no release has been published for this stack; publish one with \
                     `make deploy`, or, outside AWS, set RELEASE to a release's folder or to `s3://bucket/name`";
        assert_eq!(refusal_reason(&failure(function, &[]).await), unset, "{function}");
        assert_eq!(refusal_reason(&failure(function, &[("RELEASE", "")]).await), unset, "{function}");
        let missing = refusal_reason(&failure(function, &[("RELEASE", &nowhere)]).await);
        assert!(missing.contains(&format!("{nowhere}/{MANIFEST}: cannot be read")), "{function}: {missing}");

        let whole = fs::read(sample_release().file(part)).expect("a part");
        let mut altered = whole.clone();
        altered[whole.len() / 2] ^= 1;
        let cases = [
            ("truncated", &whole[..whole.len() / 2], "has "),
            ("altered", &altered, "does not match the manifest: its SHA-256 differs"),
        ];
        for (what, bytes, says) in cases {
            let spoiled = linked(&scratch.path(&format!("{what}-{function}-{}", part.file())));
            fs::remove_file(spoiled.file(part)).expect("a link");
            fs::write(spoiled.file(part), bytes).expect("written");
            let path = spoiled.path().display().to_string();
            let said = refusal_reason(&failure(function, &[("RELEASE", &path)]).await);
            let expected = format!("the release at {path} cannot be used: {}: {says}", part.file());
            assert!(said.starts_with(&expected), "{function}, {what}: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_with_a_release_missing_from_its_bucket_log_the_reason() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release("spring")).await;
    let endpoint = server.connection().endpoint.expect("an address");
    let cache = scratch.path("cache").display().to_string();
    let failure = async |release: &str| {
        let variables = [("RELEASE", release), ("S3_ENDPOINT", &endpoint), ("RELEASE_CACHE", &cache)];
        refusal_reason(&failure("places", &variables).await)
    };
    let said = failure("s3://releases/autumn").await;
    assert_eq!(said, "the release cannot be fetched: s3://releases/autumn/manifest.json: does not exist");
    let said = failure("s3://releases").await;
    assert!(said.starts_with("RELEASE must be a folder, or `s3://` followed by a bucket"), "{said}");
    fs::write(packed_object(&server, &name, Part::Places), "spoiled").expect("written");
    let said = failure(&format!("s3://{BUCKET}/{name}")).await;
    assert!(said.contains(&format!("s3://{BUCKET}/{name}")) && said.contains("places.bin"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_with_invalid_files_and_valid_checksums_log_the_reason() {
    let scratch = Scratch::new();
    let path = scratch.release("spring").path().display().to_string();
    for (function, _) in FUNCTIONS {
        let said = failure(function, &[("RELEASE", &path)]).await;
        let first = match function {
            "tiles" => Part::DisplayTiles,
            _ => Part::Geographies,
        };
        assert!(
            said.contains(first.file()) && said.contains("is truncated or is not a release file"),
            "{said}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_without_a_release_answer_503_and_keep_running() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let before = world.account(&org).await;
    for (function, file) in [
        ("campaigns", "campaigns/create-campaign.json"),
        ("events", "events/list-events.json"),
        ("places", "places/search-places.json"),
        ("audiences", "audiences/list-markets.json"),
        ("estimates", "estimates/estimate-campaign.json"),
        ("inventory", "inventory/look-up-displays.json"),
        ("tiles", "tiles/list-tile-grants.json"),
    ] {
        let variables = [&world.engine_variables()[..], &[("RELEASE", "")]].concat();
        let mut process = FunctionProcess::start(binary(function), &variables).await;
        let event = read_event(file);
        for _ in 0..2 {
            let Report::Answered(answer) = process.invoke(&event).await else { panic!("no answer") };
            assert_eq!(answer["statusCode"], 503, "{function}: {answer}");
            let headers = &answer["headers"];
            assert_eq!((&headers["retry-after"], &headers["x-credits-used"]), (&json!("5"), &json!("0")));
            let body: Value = serde_json::from_str(answer["body"].as_str().expect("a string")).expect("JSON");
            assert_eq!(body["error"]["code"], "RELEASE_NOT_READY", "{function}");
        }
        let lines = process.stop().await;
        assert!(refusal_reason(&lines.join("\n")).starts_with("RELEASE is not set"), "{lines:?}");
        let requests = lines.iter().filter(|line| line.contains("\"code\":\"RELEASE_NOT_READY\"")).count();
        assert_eq!(requests, 2, "{lines:?}");
    }
    assert_eq!(world.account(&org).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn function_answers_from_a_release_in_a_bucket() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, sample_release()).await;
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let place = dataset::Measures::open(sample_release()).expect("records").ids().next().expect("a record");
    let mut event: Value = serde_json::from_str(&read_event("places/report-places.json")).expect("JSON");
    event["headers"]["x-api-key"] = org.key.as_str().into();
    event["body"] = format!("{{\"place_id\":[{place}]}}").into();
    let endpoint = server.connection().endpoint.expect("an address");
    let (release, cache) = (format!("s3://{BUCKET}/{name}"), scratch.path("cache").display().to_string());
    let variables = [("RELEASE", release.as_str()), ("RELEASE_CACHE", &cache), ("S3_ENDPOINT", &endpoint)];
    let variables = [&world.engine_variables()[..], &variables].concat();
    let mut process = FunctionProcess::start(binary("places"), &variables).await;
    let Report::Answered(answer) = process.invoke(&event.to_string()).await else { panic!("no answer") };
    assert_eq!(answer["statusCode"], 200, "{answer}");
    let body: Value = serde_json::from_str(answer["body"].as_str().expect("a string")).expect("JSON");
    assert_eq!(body["places"][0]["place_id"], place.raw());
    let lines = process.stop().await;
    assert!(lines.iter().any(|line| line.contains("release_opened") && line.contains(&name)), "{lines:?}");
}

/// Creates a copy of the sample release in a new folder by hard-linking its files.
fn linked(path: &Path) -> Folder {
    fs::create_dir(path).expect("a new folder");
    for file in Part::ALL.map(Part::file).into_iter().chain([MANIFEST]) {
        fs::hard_link(sample_release().path().join(file), path.join(file)).expect("a hard link");
    }
    Folder::open(path).expect("a release")
}

pub(super) fn read_event(name: &str) -> String {
    fs::read_to_string(harness::root().join("events").join(name)).expect("an event")
}

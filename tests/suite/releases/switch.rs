//! Two processes that use different releases, as happens while a stack switches to a new release.

use dataset::Folder;
use dataset::inventory::{FieldSet, Inventory};
use harness::runtime_api::{FunctionProcess, Report, binary};
use harness::{World, sample_release};
use serde_json::{Value, json};

use super::functions::read_event;
use super::{BUCKET, Scratch, published};

/// The number of calls to each process, in turn.
const ROUNDS: usize = 5;

/// A function process with its own release, and the search results that it must return.
struct Served {
    process: FunctionProcess,
    expected: Value,
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_with_different_releases_answer_from_their_own() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let made = |spots: usize, seed: u64| {
        let out = scratch.path(&format!("seed-{seed}"));
        builder::synthesize(sample_release(), spots, seed, &out, &|_, _, _| {}).expect("a release")
    };
    let (older, newer) = (made(300, 1), made(500, 2));
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let endpoint = server.connection().endpoint.expect("an address");
    // Both processes share a cache, as they would on one machine.
    let cache = scratch.path("cache").display().to_string();
    let mut served = Vec::new();
    for release in [&older, &newer] {
        let location = format!("s3://{BUCKET}/{}", published(&bucket, release).await);
        let variables =
            [("RELEASE", location.as_str()), ("RELEASE_CACHE", &cache), ("S3_ENDPOINT", &endpoint)];
        let variables = [&world.engine_variables()[..], &variables].concat();
        let process = FunctionProcess::start(binary("inventory"), &variables).await;
        served.push(Served { process, expected: json!(records(release)) });
    }
    assert_ne!(served[0].expected, served[1].expected);
    let event = event(&org.key);
    for round in 0..ROUNDS {
        if round == 2 {
            // The process keeps using its open files after they are deleted.
            std::fs::remove_dir_all(scratch.path("cache").join(&older.manifest().name))
                .expect("the cached files");
        }
        for Served { process, expected } in &mut served {
            let Report::Answered(answer) = process.invoke(&event).await else { panic!("no answer") };
            assert_eq!(answer["statusCode"], 200, "{answer}");
            let mut body: Value =
                serde_json::from_str(answer["body"].as_str().expect("a string")).expect("JSON");
            // Records don't contain the maturity, which the service derives from the release.
            for result in body["results"].as_array_mut().expect("results") {
                result.as_object_mut().expect("an object").remove("maturity");
            }
            assert_eq!(&body["results"], expected, "round {round}");
        }
    }
    for (Served { process, .. }, release) in served.into_iter().zip([&older, &newer]) {
        let (name, lines) = (&release.manifest().name, process.stop().await);
        let opened: Vec<_> = lines.iter().filter(|line| line.contains("release_opened")).collect();
        assert!(opened.len() == 1 && opened[0].contains(name), "{name}: {opened:?}");
    }
}

/// Returns a release's measured records by ascending ID, read without the service.
fn records(release: &Folder) -> Vec<Value> {
    let inventory = Inventory::open(release).expect("an inventory");
    let records = inventory.indexes().map(|index| inventory.record(index, FieldSet::ALL));
    let measured = records.filter(|record| record.has_measures());
    measured.map(|record| serde_json::to_value(record).expect("JSON")).collect()
}

/// Returns an event for a search that matches all spots.
fn event(key: &str) -> String {
    let mut event: Value =
        serde_json::from_str(&read_event("inventory/search-inventory.json")).expect("JSON");
    event["headers"]["apikey"] = key.into();
    // Without compression, the answer's body isn't in base64.
    event["headers"]["accept-encoding"] = "identity".into();
    event["body"] = json!({ "pagination": { "page_size": 1_000 } }).to_string().into();
    event.to_string()
}

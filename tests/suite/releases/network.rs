//! Opening releases over a slow or unreliable network.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dataset::{Folder, Part};
use harness::runtime_api::{FunctionProcess, Report, binary};
use harness::{LimitedBucketServer, Network, World, sample_release};
use release_store::{BucketFailure, ReleaseConfig, ReleaseUnavailable, open};

use super::functions::{failure, read_event, refusal_reason};
use super::{BUCKET, Scratch, assert_same_files, names_in, noise, published};

const NETWORK: Network =
    Network { bytes_per_second: 50_000_000, first_byte: Duration::from_millis(1), breaks_after: None };

/// The length of a part that is fetched in several ranges, in bytes.
const BYTES: usize = 5_000_000;

/// Publishes a release with one part and configures a process that fetches it through the given network.
async fn limited_release(
    scratch: &Scratch,
    network: Network,
) -> (LimitedBucketServer, Folder, ReleaseConfig) {
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release_of("spring", &BTreeMap::from([(Part::Places, noise(BYTES))]));
    let mut config = scratch.config(&server, &published(&bucket, &release).await);
    let limited = LimitedBucketServer::start(&scratch.path("server"), network);
    config.buckets = limited.connection();
    (limited, release, config)
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_reads_share_the_bandwidth() {
    let scratch = Scratch::new();
    let (server, release, config) = limited_release(&scratch, NETWORK).await;
    let started = Instant::now();
    let opened = open(&config, &[Part::Places]).await.expect("a release");
    let taken = started.elapsed();
    assert_same_files(&release, &opened, &[Part::Places]);
    let sent = server.take_sent();
    assert!(sent > BYTES as u64, "{sent}");
    let least = Duration::from_secs_f64(BYTES as f64 / NETWORK.bytes_per_second as f64);
    // The simulated network may be a few milliseconds early.
    assert!(taken > least * 9 / 10, "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn release_is_complete_despite_repeated_disconnects() {
    let scratch = Scratch::new();
    let breaking = Network { breaks_after: Some(700_000), ..NETWORK };
    let (_server, release, config) = limited_release(&scratch, breaking).await;
    let opened = open(&config, &[Part::Places]).await.expect("a release");
    assert_same_files(&release, &opened, &[Part::Places]);
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_network_is_reported_and_no_partial_files_remain() {
    let scratch = Scratch::new();
    let trickling = Network { bytes_per_second: 20_000, ..NETWORK };
    let (_server, release, mut config) = limited_release(&scratch, trickling).await;
    config.buckets.attempt_timeout = Duration::from_millis(200);
    let error = open(&config, &[Part::Places]).await.expect_err("a network that is too slow is refused");
    let ReleaseUnavailable::Bucket(error) = &error else { panic!("{error}") };
    assert!(error.key.contains(Part::Places.file()), "{error}");
    assert!(matches!(error.failure, BucketFailure::Unavailable(_)), "{error}");
    assert_eq!(names_in(&config.cache), [format!("{}.lock", release.manifest().name)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn function_survives_disconnects_and_reports_a_dead_network() {
    let scratch = Scratch::new();
    let (_server, bucket) = scratch.bucket().await;
    let release = format!("s3://{BUCKET}/{}", published(&bucket, sample_release()).await);
    let cache = scratch.path("cache").display().to_string();
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let variables = |server: &LimitedBucketServer| {
        let endpoint = server.endpoint().to_owned();
        [("RELEASE", release.clone()), ("RELEASE_CACHE", cache.clone()), ("S3_ENDPOINT", endpoint)]
    };

    let nothing =
        LimitedBucketServer::start(&scratch.path("server"), Network { breaks_after: Some(0), ..NETWORK });
    let refused = variables(&nothing);
    let refused = refused.each_ref().map(|(name, value)| (*name, value.as_str()));
    let said = refusal_reason(&failure("inventory", &refused).await);
    assert!(said.starts_with(&format!("the release cannot be fetched: {release}/")), "{said}");
    assert!(said.contains("the bucket is unavailable"), "{said}");

    let breaking = LimitedBucketServer::start(
        &scratch.path("server"),
        Network { breaks_after: Some(400_000), ..NETWORK },
    );
    let found = variables(&breaking);
    let found = found.each_ref().map(|(name, value)| (*name, value.as_str()));
    let found = [&world.engine_variables()[..], &found].concat();
    let mut process = FunctionProcess::start(binary("inventory"), &found).await;
    let event = read_event("inventory/search-inventory.json")
        .replace(&format!("mq_live_{}", "0".repeat(64)), &org.key);
    let Report::Answered(answer) = process.invoke(&event).await else { panic!("no answer") };
    assert_eq!(answer["statusCode"], 200, "{answer}");
}

//! The time a cold start spends fetching and verifying a large release, set against Lambda's limit.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use dataset::Folder;
use harness::{BucketServer, Logs, synthesized_release};
use inventory::Release;
use release_store::Bucket;
use release_store::{ReleaseConfig, ReleaseLocation, open, publish};

use crate::quantiles::quantile;

const SPOTS: usize = 1_000_000;

const ROUNDS: usize = 7;

/// What Lambda gives a function until its first call.
const LIMIT: Duration = Duration::from_secs(10);

/// What a function's network may bring, in megabytes a second.
const NETWORKS: [u64; 3] = [50, 75, 150];

/// How long the two steps of a start took.
struct Opened {
    fetch: Duration,
    verify: Duration,
}

/// Prints how long a large inventory takes from a bucket into a process that can use it, and what that would
/// be in the cloud.
pub(crate) async fn print() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-releases");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).expect("a folder");
    measure(&scratch, &synthesized_release(SPOTS)).await;
    fs::remove_dir_all(&scratch).expect("our own folder");
}

async fn measure(scratch: &Path, release: &Folder) {
    let server = BucketServer::start(&scratch.join("server")).await;
    server.create_bucket("releases");
    let bucket = Bucket::connect(&server.connection(), "releases");
    publish(&bucket, release, &|_, _, _| ()).await.expect("published");
    let name = release.manifest().name.clone();
    let location = ReleaseLocation::Bucket { bucket: "releases".to_owned(), name };
    let cache = scratch.join("cache");
    let config = ReleaseConfig { cache, buckets: server.connection(), ..ReleaseConfig::at(location) };
    let (mut fetches, mut verifications) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let Opened { fetch, verify } = opened_anew(&config).await;
        fetches.push(fetch);
        verifications.push(verify);
    }
    // As often again without a server beside it.
    let mut sums: Vec<_> = (0..ROUNDS).map(|_| verified(release)).collect();
    let bytes = Release::PARTS.iter().map(|part| release.manifest().files[part].bytes).sum();
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    println!(
        "\n== the start on a release of {SPOTS} spots, from a bucket on this machine, with {processors} processors"
    );
    let rows = [
        ("fetched, without TLS", &mut fetches),
        ("verified", &mut verifications),
        ("SHA-256 alone", &mut sums),
    ];
    for (what, times) in rows {
        let (p50, worst) = (quantile(times, 0.5), quantile(times, 1.0));
        println!(
            "{what:<22} {:>7.1} MB in p50 {p50:>8.1?}, at most {worst:>8.1?}: {:>6.0} MB/s",
            bytes as f64 / 1e6,
            rate(bytes, p50)
        );
    }
    print_networks(bytes, quantile(&mut sums, 0.5));
}

/// Opens a release of which nothing is there yet.
async fn opened_anew(config: &ReleaseConfig) -> Opened {
    let _ = fs::remove_dir_all(&config.cache);
    let logs = Logs::capture();
    open(config, &Release::PARTS).await.expect("a release");
    let lines = logs.of("release_opened");
    let time = |field: &str| Duration::from_millis(lines[0]["fields"][field].as_u64().expect("milliseconds"));
    Opened { fetch: time("fetch_ms"), verify: time("verify_ms") }
}

fn verified(release: &Folder) -> Duration {
    let started = Instant::now();
    release.verify(&Release::PARTS).expect("a whole release");
    started.elapsed()
}

/// Prints what a start would take where the network is what holds it up, on a processor like this one.
fn print_networks(bytes: u64, verify: Duration) {
    let per_byte = verify.as_secs_f64() / bytes as f64;
    println!(
        "{:<12} {:>10} {:>10} {:>10} {:>22}",
        "network", "fetched", "verified", "in all", "most in 10 s"
    );
    for megabytes in NETWORKS {
        let network = megabytes as f64 * 1e6;
        let fetch = Duration::from_secs_f64(bytes as f64 / network);
        let most = LIMIT.as_secs_f64() / (1.0 / network + per_byte);
        println!(
            "{megabytes:>7} MB/s {fetch:>10.1?} {verify:>10.1?} {:>10.1?} {:>10.0} MB {:>4.1} x it",
            fetch + verify,
            most / 1e6,
            most / bytes as f64
        );
    }
}

fn rate(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

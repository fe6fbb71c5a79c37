//! Measures cold starts of each function with releases in a bucket, over networks of different speeds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use dataset::Folder;
use harness::runtime_api::build_benchmarked_functions;
use harness::{BucketServer, LimitedBucketServer, Network, World, megabytes, sample_release};
use release_store::{Bucket, publish};

use crate::cold_start::{ColdStart, Start};
use crate::first_call;

const BUCKET: &str = "releases";

/// In megabytes per second.
const NETWORKS: [u64; 3] = [50, 75, 150];

/// The network for comparing releases of different sizes, in megabytes per second.
const USUAL_NETWORK: u64 = 75;

/// S3's typical time to first byte.
const FIRST_BYTE: Duration = Duration::from_millis(20);

const FUNCTIONS: [&str; 6] = ["inventory", "tiles", "places", "audiences", "estimates", "campaigns"];

/// The functions whose files grow with the inventory.
const GROWING: [&str; 3] = ["inventory", "tiles", "campaigns"];

const SPOTS: usize = 1_000_000;

/// The number of spots and the number of starts per function.
pub(crate) const SIZES: [(usize, usize); 4] =
    [(10_000, ROUNDS), (100_000, ROUNDS), (SPOTS, ROUNDS), (4_000_000, 2)];

const ROUNDS: usize = 3;

pub(crate) struct Bench {
    scratch: PathBuf,
    world: World,
    binaries: BTreeMap<String, PathBuf>,
    /// The location of the sample release.
    sample: String,
    /// The locations of the other releases, by number of spots.
    by_spots: BTreeMap<usize, String>,
}

/// Prints the time from each function's cold start to its first response.
pub(crate) async fn print(bench: Bench) {
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    println!(
        "\n== cold start to first answer, from a local bucket that answers after {FIRST_BYTE:?}, without TLS, \
         with {processors} processors; the fastest of {ROUNDS}, and the total time of the slowest"
    );
    println!(
        "targets at 75 MB/s: a million spots in 1.2 s (inventory) and 0.6 s (tiles), the sample in 0.4 s"
    );
    bench.print_networks("the sample", &bench.sample, &FUNCTIONS).await;
    // Omits the functions whose files are the same as in the sample release.
    let million = &bench.by_spots[&SPOTS];
    let of_million = bench.print_networks(&format!("{SPOTS} spots"), million, &GROWING).await;
    bench.print_sizes(&of_million).await;
    fs::remove_dir_all(&bench.scratch).expect("the folder is writable");
}

impl Bench {
    /// Builds the functions and publishes the sample release and the received releases to the bucket.
    pub(crate) async fn prepare(releases: Receiver<(usize, Folder)>) -> Self {
        let start = Instant::now();
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-releases");
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch).expect("a folder");
        let binaries = build_benchmarked_functions(&FUNCTIONS);
        let server = BucketServer::start(&buckets(&scratch)).await;
        server.create_bucket(BUCKET);
        let bucket = Bucket::connect(&server.connection(), BUCKET);
        let sample = published(&bucket, sample_release()).await;
        let mut by_spots = BTreeMap::new();
        for (spots, release) in releases {
            println!("{spots} spots built after {:.1?}", start.elapsed());
            if SIZES.iter().any(|(size, _)| *size == spots) {
                by_spots.insert(spots, published(&bucket, &release).await);
            }
        }
        Self { scratch, world: World::on_system_clock().await, binaries, sample, by_spots }
    }

    /// Prints the cold starts of the given functions over each network and returns those over the usual
    /// network.
    async fn print_networks(
        &self,
        what: &str,
        release: &str,
        functions: &[&'static str],
    ) -> BTreeMap<&'static str, Vec<ColdStart>> {
        print_header(what);
        let mut usual = BTreeMap::new();
        for megabytes in NETWORKS {
            for &function in functions {
                let starts = self.starts((function, megabytes, ROUNDS), release).await;
                print_row((function, megabytes), &starts);
                if megabytes == USUAL_NETWORK {
                    usual.insert(function, starts);
                }
            }
        }
        usual
    }

    /// For each inventory size, prints the cold starts of the functions whose files grow with the inventory.
    async fn print_sizes(&self, of_million: &BTreeMap<&'static str, Vec<ColdStart>>) {
        for (spots, rounds) in SIZES {
            print_header(&format!("{spots} spots"));
            for function in GROWING {
                if spots == SPOTS {
                    print_row((function, USUAL_NETWORK), &of_million[function]);
                } else {
                    let starts = self.starts((function, USUAL_NETWORK, rounds), &self.by_spots[&spots]).await;
                    print_row((function, USUAL_NETWORK), &starts);
                }
            }
        }
    }

    /// Starts a function repeatedly over a network. Returns the measurements, fastest first.
    async fn starts(
        &self,
        (function, megabytes, rounds): (&str, u64, usize),
        release: &str,
    ) -> Vec<ColdStart> {
        let network =
            Network { bytes_per_second: megabytes * 1_000_000, first_byte: FIRST_BYTE, breaks_after: None };
        let server = LimitedBucketServer::start(&buckets(&self.scratch), network);
        // Each series of starts has its own organization, because a key can make only 20 inventory searches
        // per minute.
        let (_, digest) = release.rsplit_once('-').expect("a release name");
        let org = self.world.org(&format!("org_{function}_{megabytes}_{digest}")).await;
        let event = first_call::event(&self.world, &org, function).await;
        let start = Start {
            world: &self.world,
            binary: &self.binaries[function],
            event: &event,
            server: &server,
            release: release.to_owned(),
            cache: self.scratch.join("cache"),
        };
        let mut starts = Vec::new();
        for _ in 0..rounds {
            starts.push(start.measure().await);
        }
        starts.sort_by_key(ColdStart::in_all);
        starts
    }
}

/// Publishes a release to the bucket and returns its location.
async fn published(bucket: &Bucket, release: &Folder) -> String {
    let started = Instant::now();
    let published = publish(bucket, release, &|_, _, _| ()).await.expect("published");
    println!("{} published in {:.1?}", published.location, started.elapsed());
    published.location.to_string()
}

fn buckets(scratch: &Path) -> PathBuf {
    scratch.join("buckets")
}

fn print_header(what: &str) {
    println!(
        "{what:<14} {:>9} {:>10} {:>10} | {:>8} {:>8} {:>8} {:>8} {:>8} | {:>8} {:>8} {:>10} {:>9} {:>9}",
        "network",
        "sent",
        "files",
        "on wire",
        "fetched",
        "verified",
        "opened",
        "answered",
        "in all",
        "at most",
        "processor",
        "touched",
        "peak"
    );
}

/// Prints the details of the fastest start, and the total time of the slowest. `starts` must be sorted.
fn print_row((function, network): (&str, u64), starts: &[ColdStart]) {
    let [fastest, .., slowest] = starts else { panic!("at least two starts") };
    let ColdStart { sent, files, fetched, verified, opened, answered, processor, touched, peak } = *fastest;
    let on_wire = Duration::from_secs_f64(sent as f64 / (network * 1_000_000) as f64);
    println!(
        "{function:<14} {network:>4} MB/s {:>7.1} MB {:>7.1} MB | {:>6.3} s {:>6.3} s {:>6.3} s {:>6.3} s {:>6.3} s | \
         {:>6.3} s {:>6.3} s {:>8.2} s {:>6.1} MB {:>6.1} MB",
        megabytes(sent),
        megabytes(files),
        on_wire.as_secs_f64(),
        fetched.as_secs_f64(),
        verified.as_secs_f64(),
        opened.as_secs_f64(),
        answered.as_secs_f64(),
        fastest.in_all().as_secs_f64(),
        slowest.in_all().as_secs_f64(),
        processor.as_secs_f64(),
        megabytes(touched),
        megabytes(peak),
    );
}

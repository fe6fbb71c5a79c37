//! Soak test: a long run of calls while the database loses, rejects, and delays requests and clocks jump.
//! After every few thousand calls, an audit accounts for every credit and every asset. The process's memory
//! must not grow.
//!
//! `make soak CALLS=1000000 SEED=7` runs the test.
//!
//! See `docs/decisions/0058-random-tests.md`.

#![allow(clippy::print_stdout, reason = "the test prints a table")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::traffic::{ATTEMPT_TIMEOUT, Audited, Process, Traffic};
use harness::{Logs, World, WorldOptions, megabytes, process_memory};

/// The number of services that run in parallel, each with its own database, processes, and clocks. While one
/// waits for lost or delayed requests, the others use the processors.
const WORLDS: u64 = 4;
const PROCESSES: u64 = 3;

/// The number of rounds before each audit. Each audit is followed by new organizations.
const ROUNDS: u64 = 24;

/// The warm-up consists of the first tenth of the calls. During the warm-up, caches fill and memory may grow.
const WARM_UP: usize = 10;

/// The minimum duration of the warm-up. The database keeps the tokens of transactions for ten minutes.
const WARM_UP_TIME: Duration = Duration::from_secs(660);

/// The maximum memory growth after the warm-up, in bytes. It allows for memory that the allocator retains.
const MAX_GROWTH: u64 = 48_000_000;

/// The approximate number of progress messages in a run.
const PROGRESS_MESSAGES: usize = 20;

/// The progress of the run, and the results of the audits so far.
struct Soak {
    target_calls: usize,
    calls: AtomicUsize,
    began: Instant,
    sums: Mutex<Sums>,
}

#[derive(Default)]
struct Sums {
    audits: usize,
    organizations: usize,
    assets: usize,
    doubts: usize,
    granted: u64,
    left: u64,
    used: u64,
    expired: u64,
    faults: usize,
    messages: usize,
    /// The memory after the warm-up, in bytes, or `None` during the warm-up.
    warm_bytes: Option<u64>,
}

fn main() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    // Does nothing when `cargo` runs all benchmarks, because the variables aren't set.
    let (Some(calls), Some(seed)) = (number("SOAK_CALLS"), number("SOAK_SEED")) else {
        return;
    };
    println!("soak with seed {seed}: {WORLDS} services of {PROCESSES} processes");
    let (calls_so_far, began, sums) = (AtomicUsize::new(0), Instant::now(), Mutex::default());
    let soak = Arc::new(Soak { target_calls: calls as usize, calls: calls_so_far, began, sums });
    let threads: Vec<_> = (0..WORLDS)
        .map(|world| {
            let soak = soak.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("the runtime starts").block_on(soak_world(&soak, world, seed));
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("the service passes all audits");
    }
    soak.end();
}

/// Prints the logged errors when the thread panics.
struct ErrorsOf<'a>(&'a Logs);

impl Drop for ErrorsOf<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let lines = self.0.lines();
            let errors = lines.iter().filter(|line| line.contains(r#""level":"ERROR""#));
            errors.for_each(|line| println!("{line}"));
        }
    }
}

/// Runs traffic on one service until all services combined reach the target number of calls.
async fn soak_world(soak: &Soak, number: u64, seed: u64) {
    let logs = Logs::capture();
    let _errors = ErrorsOf(&logs);
    let folder = data_dir(number);
    let options = WorldOptions {
        seed: seed.wrapping_mul(WORLDS) + number,
        attempt_timeout: ATTEMPT_TIMEOUT,
        data_dir: Some(folder.clone()),
        ..WorldOptions::default()
    };
    let world = Arc::new(World::with(options).await);
    let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(WORLDS) + number);
    let mut audits = 0;
    while soak.calls.load(Ordering::Relaxed) < soak.target_calls {
        // New processes replace the old ones, as in AWS. A long-lived process would cache up to 2,000
        // organizations.
        let mut processes = Vec::new();
        for _ in 0..PROCESSES {
            // Every process needs a different seed.
            processes.push(Process::another(&world, rng.u64(..)).await);
        }
        let suffix = format!("_{number}_{audits}");
        let mut traffic = Traffic::begin(&world, &processes, &suffix, rng.u64(0..1 << 40)).await;
        for _ in 0..ROUNDS {
            // The round's number determines its faults.
            traffic.round(rng.u64(0..1 << 40)).await;
        }
        let faults = traffic.faults();
        let audited = traffic.end(&logs).await;
        logs.clear();
        soak.enter(&audited, faults);
        audits += 1;
    }
    drop(world);
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Returns the path of the data folder. If possible, it's in a memory file system, whose files don't count as
/// the process's memory.
fn data_dir(number: u64) -> PathBuf {
    let name = format!("marquee-soak-{}-{number}", std::process::id());
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.join(name) } else { Path::new(env!("CARGO_TARGET_TMPDIR")).join(name) }
}

impl Soak {
    fn enter(&self, audited: &Audited, faults: usize) {
        let calls = self.calls.fetch_add(audited.calls(), Ordering::Relaxed) + audited.calls();
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.audits += 1;
        sums.organizations += audited.accounts.len();
        sums.assets += audited.assets;
        sums.doubts += audited.doubts.all();
        sums.faults += faults;
        for account in &audited.accounts {
            sums.granted += account.totals.granted;
            sums.left += account.left;
            sums.used += account.totals.used;
            sums.expired += account.totals.expired;
        }
        if calls >= self.target_calls / WARM_UP && self.began.elapsed() >= WARM_UP_TIME {
            sums.warm_bytes.get_or_insert_with(|| process_memory("self", "VmRSS"));
        }
        if calls * PROGRESS_MESSAGES / self.target_calls > sums.messages {
            sums.messages = calls * PROGRESS_MESSAGES / self.target_calls;
            let seconds = self.began.elapsed().as_secs();
            println!("{calls} calls in {seconds} s, {:.1} MB", megabytes(process_memory("self", "VmRSS")));
        }
    }

    fn end(&self) {
        let (calls, seconds) = (self.calls.load(Ordering::Relaxed), self.began.elapsed().as_secs_f64());
        let sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        let Sums { granted, left, used, expired, warm_bytes, .. } = *sums;
        let bytes = process_memory("self", "VmRSS");
        let rows = [
            ("calls", calls.to_string()),
            ("calls per second", format!("{:.0}", calls as f64 / seconds)),
            ("faults on the wire", sums.faults.to_string()),
            ("organizations, audits", format!("{}, {}", sums.organizations, sums.audits)),
            ("assets compared completely", sums.assets.to_string()),
            ("charges and refunds in doubt, logged", sums.doubts.to_string()),
            ("memory after warm-up", warm_bytes.map_or("run too short".to_owned(), format_megabytes)),
            ("memory at the end", format_megabytes(bytes)),
            ("granted = left + used + expired", format!("{granted} = {left} + {used} + {expired}")),
        ];
        println!();
        for (what, figure) in rows {
            println!("{what:<40} {figure}");
        }
        assert_eq!(granted, left + used + expired);
        let is_bounded = warm_bytes.is_none_or(|warm| bytes <= warm + MAX_GROWTH);
        assert!(is_bounded, "memory grew from {warm_bytes:?} to {bytes} bytes");
    }
}

fn format_megabytes(bytes: u64) -> String {
    format!("{:.1} MB", megabytes(bytes))
}

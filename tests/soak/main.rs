//! A soak: calls without end while the database loses, refuses and delays what it is sent and clocks jump.
//! Every credit and every asset is accounted for after each few thousand calls, and the process must not grow.
//!
//! `make soak CALLS=1000000 SEED=7` runs one.
//!
//! Decided in `docs/decisions/0058-random-tests.md`.

#![allow(clippy::print_stdout, reason = "the table is for a reader")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::traffic::{ATTEMPT_TIMEOUT, Audited, Process, Traffic};
use harness::{Logs, World, WorldOptions, megabytes, process_memory};

/// The services that are soaked side by side, each with a database, processes and clocks of its own. While one
/// waits for what was lost or delayed, the others have the processors.
const WORLDS: u64 = 4;
const PROCESSES: u64 = 3;

/// The rounds before an audit, after which new organizations call.
const ROUNDS: u64 = 24;

/// In which part of the calls the process may still grow, as its caches fill: the first tenth.
const WARM_UP: usize = 10;

/// And for how long: the engine remembers the tokens of transactions for ten minutes.
const WARM_UP_TIME: Duration = Duration::from_secs(660);

/// How far the process may grow afterwards, in bytes: what an allocator keeps of one audit and not of another.
const MOST_GROWTH: u64 = 48_000_000;

/// How often the progress is told.
const TOLD: usize = 20;

/// What all audits found so far.
struct Soak {
    asked: usize,
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
    told: usize,
    /// Once the process has warmed up; `None` in a run that ends before.
    warm_bytes: Option<u64>,
}

fn main() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    // What runs every benchmark has nothing to ask of it.
    let (Some(calls), Some(seed)) = (number("SOAK_CALLS"), number("SOAK_SEED")) else {
        return;
    };
    println!("soak of seed {seed}: {WORLDS} services of {PROCESSES} processes");
    let (calls_so_far, began, sums) = (AtomicUsize::new(0), Instant::now(), Mutex::default());
    let soak = Arc::new(Soak { asked: calls as usize, calls: calls_so_far, began, sums });
    let threads: Vec<_> = (0..WORLDS)
        .map(|world| {
            let soak = soak.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(soak_world(&soak, world, seed));
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("nothing is wrong");
    }
    soak.end();
}

/// Tells what the log says of what is wrong.
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

/// Plays traffic on a service until there are enough calls.
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
    while soak.calls.load(Ordering::Relaxed) < soak.asked {
        // Processes end, as those in the cloud do: one that lives on keeps up to 2,000 organizations in
        // memory.
        let mut processes = Vec::new();
        for _ in 0..PROCESSES {
            // No two processes may have the same randomness.
            processes.push(Process::another(&world, rng.u64(..)).await);
        }
        let suffix = format!("_{number}_{audits}");
        let mut traffic = Traffic::begin(&world, &processes, &suffix, rng.u64(0..1 << 40)).await;
        for _ in 0..ROUNDS {
            // The weather of a round follows from its number.
            traffic.round(rng.u64(0..1 << 40)).await;
        }
        let faults = traffic.faults();
        let audited = traffic.end(&logs).await;
        logs.clear();
        soak.enter(&audited, faults);
        audits += 1;
    }
    drop(world);
    std::fs::remove_dir_all(folder).expect("our own folder");
}

/// Names a folder in memory that is none of the process's, where there is such: what grows there are the data.
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
        if calls >= self.asked / WARM_UP && self.began.elapsed() >= WARM_UP_TIME {
            sums.warm_bytes.get_or_insert_with(|| process_memory("self", "VmRSS"));
        }
        if calls * TOLD / self.asked > sums.told {
            sums.told = calls * TOLD / self.asked;
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
            ("calls a second", format!("{:.0}", calls as f64 / seconds)),
            ("faults on the wire", sums.faults.to_string()),
            ("organizations, audits", format!("{}, {}", sums.organizations, sums.audits)),
            ("assets compared whole", sums.assets.to_string()),
            ("charges and refunds in doubt, logged", sums.doubts.to_string()),
            ("memory once warm", warm_bytes.map_or("too short to tell".to_owned(), of_megabytes)),
            ("memory at the end", of_megabytes(bytes)),
            ("granted = left + used + expired", format!("{granted} = {left} + {used} + {expired}")),
        ];
        println!();
        for (what, figure) in rows {
            println!("{what:<40} {figure}");
        }
        assert_eq!(granted, left + used + expired);
        let is_bounded = warm_bytes.is_none_or(|warm| bytes <= warm + MOST_GROWTH);
        assert!(is_bounded, "the process grows: {warm_bytes:?} to {bytes} bytes");
    }
}

fn of_megabytes(bytes: u64) -> String {
    format!("{:.1} MB", megabytes(bytes))
}

//! Kill storms. Many clients send mixed traffic to `marquee serve`, which is killed at random moments and
//! restarted on the same data. Then all stored data is compared with the clients' records.
//!
//! `make kill-storm KILLS=200 SEED=7` runs a storm.
//!
//! See `docs/decisions/0058-random-tests.md`.

#![allow(clippy::print_stdout, reason = "the table is for a reader")]

mod books;
mod client;
mod findings;
mod organization;
mod service;
mod staff;
mod storm;
mod tally;

use storm::Storm;

/// The number of organizations with one client, and the number with several clients.
const SOLOS: u64 = 6;
const CROWDS: u64 = 3;
const CLIENTS_PER_CROWD: u64 = 3;

fn main() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    // Does nothing when `cargo` runs all benchmarks, because the variables aren't set.
    let (Some(kills), Some(seed)) = (number("STORM_KILLS"), number("STORM_SEED")) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (mut storm, mut running) = Storm::begin(seed).await;
        for kill in 1..=kills {
            (storm, running) = storm.kill(running, kill).await;
        }
        storm.end(running).await;
    });
}

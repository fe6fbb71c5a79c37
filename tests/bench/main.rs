//! Benchmarks of releases, searches, tiles, complete calls, admission, and database operations.
//!
//! An argument selects one benchmark. Two benchmarks run only when selected: `sizes`, which measures the
//! deployed functions, and the sweeps, which run with `estimates`. Benchmarks print figures for people to
//! read, and make few assertions.

#![allow(clippy::print_stdout, reason = "the numbers are for a reader")]

mod answers;
mod by_index;
mod cold_start;
mod distant_database;
mod estimates;
mod first_call;
mod inventory;
mod inventory_sizes;
mod metered_get;
#[path = "../../shared/dataset/tests/inventory/oracle.rs"]
#[allow(dead_code, reason = "the tests of `dataset` ask more of it")]
mod oracle;
mod overload;
mod processes;
mod releases;
mod searches;
mod sweeps;
mod tiles;
mod times;

use std::sync::mpsc;

use harness::{costs, synthesized_release};

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    // This benchmark needs neither an optimized program nor a release, so it has its own Makefile target.
    if std::env::args().any(|argument| argument == "overload") {
        runtime.block_on(overload::print());
        return;
    }
    // `cargo test` also runs benchmarks, but without `--bench`. They do nothing in that case.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    if std::env::args().any(|argument| argument == "distant-database") {
        distant_database::print();
        return;
    }
    if std::env::args().any(|argument| argument == "estimates") {
        estimates::print();
        sweeps::print();
        return;
    }
    if std::env::args().any(|argument| argument == "by-index") {
        by_index::print();
        return;
    }
    // Only this benchmark needs these binaries, which take minutes to link.
    if std::env::args().any(|argument| argument == "sizes") {
        runtime.block_on(processes::print());
        return;
    }
    println!("building releases, and publishing each while the next one is built");
    let (made, releases) = mpsc::channel();
    let published = releases::SIZES.map(|(spots, _)| spots);
    let numbers = [&published[..], &[inventory_sizes::MAX_SPOTS]].concat();
    let bench = std::thread::scope(|scope| {
        scope.spawn(move || {
            for spots in numbers {
                if made.send((spots, synthesized_release(spots))).is_err() {
                    return;
                }
            }
        });
        runtime.block_on(releases::Bench::prepare(releases))
    });
    runtime.block_on(releases::print(bench));
    searches::print();
    let queries = inventory::print();
    inventory_sizes::print(&queries);
    tiles::print();
    answers::print();
    estimates::print();
    by_index::print();
    metered_get::print();
    distant_database::print();
    runtime.block_on(overload::print());
    println!("\n== database operations of each call, in a warm process");
    println!("{}", costs::table(&runtime.block_on(costs::count_all())));
}

//! Releases, searches, tiles, answers, the price of admission, and database operations; and, asked for by
//! `sizes`, the functions as they are deployed: numbers to read, none of them a test.

#![allow(clippy::print_stdout, reason = "the numbers are for a reader")]

mod answers;
mod cold_start;
mod distant_database;
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
mod tiles;
mod times;

use std::sync::mpsc;

use harness::{costs, synthesized_release};

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    // What needs no optimized program and no releases has a target of its own (Makefile).
    if std::env::args().any(|argument| argument == "overload") {
        runtime.block_on(overload::print());
        return;
    }
    // `cargo test` builds and runs benchmarks too: there they have nothing to say.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    if std::env::args().any(|argument| argument == "distant-database") {
        distant_database::print();
        return;
    }
    // They are linked for minutes, which the other numbers do not need.
    if std::env::args().any(|argument| argument == "sizes") {
        runtime.block_on(processes::print());
        return;
    }
    println!("making releases, and publishing each while the next is made");
    let (made, releases) = mpsc::channel();
    let published = releases::SIZES.map(|(spots, _)| spots);
    let numbers = [&published[..], &[inventory_sizes::MOST_SPOTS]].concat();
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
    metered_get::print();
    distant_database::print();
    runtime.block_on(overload::print());
    println!("\n== database operations of each call, in a warm process");
    println!("{}", costs::table(&runtime.block_on(costs::count_all())));
}

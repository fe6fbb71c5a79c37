//! Releases, searches, tiles, answers, the price of admission, and database operations; and, asked for by
//! `sizes`, the functions as they are deployed: numbers to read, none of them a test.

#![allow(clippy::print_stdout, reason = "the numbers are for a reader")]

mod answers;
mod cold_start;
mod first_call;
mod inventory;
mod inventory_sizes;
mod metered_get;
mod processes;
mod releases;
mod searches;
mod tiles;

use harness::costs;

fn main() {
    // `cargo test` builds and runs benchmarks too: there they have nothing to say.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    // They are linked for minutes, which the other numbers do not need.
    if std::env::args().any(|argument| argument == "sizes") {
        runtime.block_on(processes::print());
        return;
    }
    // The largest release takes about as long as all others and their publication.
    println!("making releases, side by side");
    let bench = std::thread::scope(|scope| {
        scope.spawn(inventory_sizes::make_largest);
        runtime.block_on(releases::Bench::prepare())
    });
    runtime.block_on(releases::print(bench));
    searches::print();
    let queries = inventory::print();
    inventory_sizes::print(&queries);
    tiles::print();
    answers::print();
    metered_get::print();
    println!("\n== database operations of each call, in a warm process");
    println!("{}", costs::table(&runtime.block_on(costs::count_all())));
}

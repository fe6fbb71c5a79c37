//! Compares the search time, file size, opening time, and memory of two inventories, one ten times as large
//! as the other.

use std::time::{Duration, Instant};

use dataset::Part;
use dataset::inventory::{Inventory, InventoryQuery};
use harness::{megabytes, process_memory, quantile, synthesized_release};

use crate::inventory::page;
use crate::times::of_rounds;

/// The size of the largest inventory in all benchmarks.
pub(crate) const MAX_SPOTS: usize = 10_000_000;

const SIZES: [usize; 2] = [1_000_000, MAX_SPOTS];

/// Enough for a median. With more rounds, scanning the largest inventory would take minutes.
const ROUNDS: usize = 21;

/// Prints a row for each inventory size.
pub(crate) fn print(queries: &[(String, InventoryQuery)]) {
    println!("\n== the same searches in other inventory sizes, {ROUNDS} rounds each");
    println!(
        "{:>9} {:>12} {:>12} {:<44} {:>9} {:>9} {:>9} {:>11}",
        "spots", "median kind", "slowest", "which", "MB", "opened", "MB then", "MB searched"
    );
    for spots in SIZES {
        print_size(spots, queries);
    }
}

fn print_size(spots: usize, queries: &[(String, InventoryQuery)]) {
    let release = synthesized_release(spots);
    let (resident, mapped) = (process_memory("self", "VmRSS"), process_memory("self", "RssFile"));
    let start = Instant::now();
    let inventory = Inventory::open(&release).expect("the inventory of the release");
    let (opened, with_it) = (start.elapsed(), process_memory("self", "VmRSS"));
    let median = |query: &InventoryQuery| of_rounds(ROUNDS, || page(&inventory, query))[0];
    let medians: Vec<(Duration, &str)> =
        queries.iter().map(|(name, query)| (median(query), name.as_str())).collect();
    let (slowest, which) = medians.iter().max().expect("a kind of search");
    let typical = quantile(&mut medians.iter().map(|(median, _)| *median).collect::<Vec<_>>(), 0.5);
    let bytes = release.manifest().file(Part::Inventory).expect("the inventory of the release").bytes;
    println!(
        "{spots:>9} {typical:>12.1?} {slowest:>12.1?} {which:<44} {:>9.1} {opened:>9.1?} {:>9.1} {:>11.1}",
        megabytes(bytes),
        megabytes(with_it.saturating_sub(resident)),
        megabytes(process_memory("self", "RssFile").saturating_sub(mapped)),
    );
}

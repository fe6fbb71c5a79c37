//! Load: calls come to the optimized `marquee serve` as calls come from customers, at their own times and not
//! when the one before is answered; how long each waits for its answer is counted from when it came.
//!
//! `make load SECONDS_EACH=10 ORGANIZATIONS=600 SEED=7` runs one.
//!
//! Decided in `docs/decisions/0058-random-tests.md`.

#![allow(clippy::print_stdout, reason = "the tables are for a reader")]

mod calls;
mod customers;
mod generator;

use std::path::Path;
use std::time::Duration;

use harness::runtime_api::build_benchmarked_functions;
use harness::{Serving, megabytes, process_memory, serve_command};
use marquee::engine::DataFolder;

use crate::calls::{ACCEPTED, Call, REFUSED};
use crate::customers::Customers;
use crate::generator::{Arrivals, Generator, Heard};

/// The parts of what the service bears at which it is measured, in hundredths.
const PARTS: [u32; 3] = [50, 80, 95];

fn main() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let asked = (number("LOAD_SECONDS"), number("LOAD_ORGANIZATIONS"), number("LOAD_SEED"));
    // What runs every benchmark has nothing to ask of it.
    let (Some(seconds), Some(organizations), Some(seed)) = asked else {
        return;
    };
    // One thread, so that most of the processors are the service's.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure(Duration::from_secs(seconds), organizations, seed));
}

async fn measure(each: Duration, organizations: u64, seed: u64) {
    let program = build_benchmarked_functions(&["marquee"]).remove("marquee").expect("the binary `marquee`");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("load-{}", std::process::id()));
    let serving = Serving::started(serve_command(&program, &folder), &DataFolder::new(&folder)).await;
    let memory = || megabytes(process_memory(serving.process.id().expect("it runs"), "VmRSS"));
    let customers = Customers::join(&serving, organizations).await;
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    println!("load of seed {seed}: {organizations} organizations, {processors} processors, {each:?} each");
    let before = memory();
    let mut generator = Generator::new(serving.address(), seed);
    for (title, calls) in [("calls that are accepted", &ACCEPTED), ("calls that are refused", &REFUSED)] {
        println!("\n{title}");
        println!(
            "{:<36} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "call", "of most", "a second", "p50", "p99", "p99.9", "most"
        );
        for call in calls {
            print_call(call, &customers, &mut generator, each).await;
        }
    }
    println!("\nmemory before and after: {before:.1}, {:.1} MB", memory());
    serving.kill().await;
    std::fs::remove_dir_all(folder).expect("our own folder");
}

/// Finds out how many calls of a kind a second are borne, and prints how long they take at parts of that.
async fn print_call(call: &Call, customers: &Customers, generator: &mut Generator, each: Duration) {
    let most = generator.run(call, customers, Arrivals::AsAnswered { during: each }).await;
    let borne = most.a_second();
    print_row(call, 100, most);
    for part in PARTS {
        let a_second = borne * f64::from(part) / 100.0;
        let heard = generator.run(call, customers, Arrivals::ByChance { a_second, during: each }).await;
        print_row(call, part, heard);
    }
}

fn print_row(call: &Call, part: u32, mut heard: Heard) {
    let a_second = heard.a_second();
    let [p50, p99, p999, most] = [0.5, 0.99, 0.999, 1.0].map(|share| heard.quantile(share));
    println!(
        "{:<36} {part:>5} % {a_second:>9.0} {p50:>9.2?} {p99:>9.2?} {p999:>9.2?} {most:>9.2?}",
        call.name
    );
}

//! A load test of the optimized `marquee serve`. As with real customers, calls arrive at random times and
//! don't wait for earlier responses. A call's latency is measured from its arrival.
//!
//! `make load SECONDS_EACH=10 ORGANIZATIONS=600 SEED=7` runs the test.
//!
//! See `docs/decisions/0058-random-tests.md`.

#![allow(clippy::print_stdout, reason = "the test prints tables")]

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
use crate::generator::{Arrivals, Generator, Measurements};

/// The loads to measure, as percentages of the maximum throughput.
const LOAD_PERCENTAGES: [u32; 3] = [50, 80, 95];

fn main() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let parameters = (number("LOAD_SECONDS"), number("LOAD_ORGANIZATIONS"), number("LOAD_SEED"));
    // Does nothing when `cargo` runs all benchmarks, because the variables aren't set.
    let (Some(seconds), Some(organizations), Some(seed)) = parameters else {
        return;
    };
    // A single thread leaves most of the cores to the service.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("the runtime starts");
    runtime.block_on(measure(Duration::from_secs(seconds), organizations, seed));
}

async fn measure(each: Duration, organizations: u64, seed: u64) {
    let program =
        build_benchmarked_functions(&["marquee"]).remove("marquee").expect("the `marquee` binary is built");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("load-{}", std::process::id()));
    let serving = Serving::started(serve_command(&program, &folder), &DataFolder::new(&folder)).await;
    let memory = || megabytes(process_memory(serving.process.id().expect("the process is running"), "VmRSS"));
    let customers = Customers::join(&serving, organizations).await;
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    println!("load with seed {seed}: {organizations} organizations, {processors} processors, {each:?} each");
    let before = memory();
    let mut generator = Generator::new(serving.address(), seed);
    for (title, calls) in [("accepted calls", &ACCEPTED), ("rejected calls", &REFUSED)] {
        println!("\n{title}");
        println!(
            "{:<36} {:>7} {:>10} {:>9} {:>9} {:>9} {:>9}",
            "call", "load", "per second", "p50", "p99", "p99.9", "max"
        );
        for call in calls {
            print_call(call, &customers, &mut generator, each).await;
        }
    }
    println!("\nmemory before and after: {before:.1}, {:.1} MB", memory());
    serving.kill().await;
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Measures a call's maximum throughput and prints its latencies at percentages of the maximum.
async fn print_call(call: &Call, customers: &Customers, generator: &mut Generator, each: Duration) {
    let fastest = generator.run(call, customers, Arrivals::ClosedLoop { during: each }).await;
    let throughput = fastest.a_second();
    print_row(call, 100, fastest);
    for percent in LOAD_PERCENTAGES {
        let a_second = throughput * f64::from(percent) / 100.0;
        let heard = generator.run(call, customers, Arrivals::Poisson { a_second, during: each }).await;
        print_row(call, percent, heard);
    }
}

fn print_row(call: &Call, percent: u32, mut heard: Measurements) {
    let per_second = heard.a_second();
    let [p50, p99, p999, max] = [0.5, 0.99, 0.999, 1.0].map(|share| heard.quantile(share));
    println!(
        "{:<36} {percent:>5} % {per_second:>10.0} {p50:>9.2?} {p99:>9.2?} {p999:>9.2?} {max:>9.2?}",
        call.name
    );
}

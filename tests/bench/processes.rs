//! Measures the size, startup time, and initial memory of the released functions.

use std::time::Duration;

use harness::runtime_api::{FunctionProcess, build_released_functions};
use harness::{megabytes, sample_release};

const STARTS: usize = 25;

/// Prints each function's size, the time from its start to its first poll, and its memory at the first poll.
pub(crate) async fn print() {
    let binaries = build_released_functions();
    let release = sample_release().path().display().to_string();
    println!("\n== release binaries (targets: 6 MB, 3 ms, 10 MB; 50 MB with a release), verified at startup");
    println!(
        "{:<12} {:>12} {:>22} {:>14} {:>14}",
        "function", "size", "start to first poll", "VmRSS", "VmHWM"
    );
    for (function, binary) in &binaries {
        let size = std::fs::metadata(binary).expect("a file").len();
        let (mut polls, mut resident, mut highest) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..STARTS {
            // Without a custom endpoint, the functions load the TLS roots, as they do in AWS.
            let variables = [("TABLE_PREFIX", "marquee-"), ("RELEASE", release.as_str())];
            let mut process = FunctionProcess::start(binary, &variables).await;
            polls.push(process.first_poll().await);
            resident.push(process.memory("VmRSS"));
            highest.push(process.memory("VmHWM"));
            process.stop().await;
        }
        let poll = median(polls);
        println!(
            "{function:<12} {:>9.2} MB {:>19.2} ms {:>11.2} MB {:>11.2} MB",
            megabytes(size),
            milliseconds(poll),
            megabytes(median(resident)),
            megabytes(median(highest)),
        );
    }
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

//! Measures how long closures take on one core.

use std::hint::black_box;
use std::time::{Duration, Instant};

use accounting::Timestamp;
use harness::quantile;
use marquee::engine::Engine;
use runtime::Clock;
use store::Connection;
use tokio::runtime::{Builder, Handle};

/// Runs a closure once and returns its duration and its result.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = black_box(work());
    (start.elapsed(), done)
}

/// Runs a closure repeatedly and returns the median and the 99th percentile of its durations.
pub(crate) fn of_rounds<T>(rounds: usize, work: impl Fn() -> T) -> [Duration; 2] {
    let mut times: Vec<Duration> = (0..rounds).map(|_| timed(&work).0).collect();
    [0.5, 0.99].map(|share| quantile(&mut times, share))
}

/// Runs a closure on one core, and a database engine for it on the other cores. The closure receives a handle
/// to the other cores' runtime.
pub(crate) fn beside_an_engine(work: impl AsyncFnOnce(Connection, Clock, &Handle)) {
    let others = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let clock = Clock::fixed(Timestamp::parse("2026-11-20T09:00:30Z").expect("a timestamp"));
    let engine = others.block_on(Engine::in_memory(clock.clone())).expect("an engine");
    let one = Builder::new_current_thread().enable_all().build().expect("a runtime");
    one.block_on(work(engine.connection(), clock, others.handle()));
    others.block_on(engine.stop());
}

//! How long work takes, on one core.

use std::hint::black_box;
use std::time::{Duration, Instant};

use accounting::Timestamp;
use harness::quantile;
use marquee::engine::Engine;
use runtime::Clock;
use store::Connection;
use tokio::runtime::{Builder, Handle};

/// Does work once, and returns how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = black_box(work());
    (start.elapsed(), done)
}

/// Does work again and again, and returns its median and its 99th percentile.
pub(crate) fn of_rounds<T>(rounds: usize, work: impl Fn() -> T) -> [Duration; 2] {
    let mut times: Vec<Duration> = (0..rounds).map(|_| timed(&work).0).collect();
    [0.5, 0.99].map(|share| quantile(&mut times, share))
}

/// Runs the code of functions on one core, and a database engine on the others, whose handle is handed over.
pub(crate) fn beside_an_engine(work: impl AsyncFnOnce(Connection, Clock, &Handle)) {
    let others = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let clock = Clock::fixed(Timestamp::parse("2026-11-20T09:00:30Z").expect("a moment"));
    let engine = others.block_on(Engine::in_memory(clock.clone())).expect("an engine");
    let one = Builder::new_current_thread().enable_all().build().expect("a runtime");
    one.block_on(work(engine.connection(), clock, others.handle()));
    others.block_on(engine.stop());
}

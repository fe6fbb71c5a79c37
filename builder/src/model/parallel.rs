//! Computes results in parallel and returns them in order.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// Returns the number of threads that can run in parallel, or 1 if it's unknown.
pub(crate) fn threads() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Calls `work` for `0..count`, divided equally among the threads, and returns the results in order.
pub(crate) fn map<T: Send>(
    count: usize,
    threads: NonZero<usize>,
    work: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    let part = count.div_ceil(threads.get()).max(1);
    thread::scope(|scope| {
        let run = |start: usize| {
            scope.spawn(move || (start..count.min(start + part)).map(work).collect::<Vec<T>>())
        };
        let parts: Vec<_> = (0..count).step_by(part).map(run).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

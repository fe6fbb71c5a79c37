//! Work on several threads, with results in order.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dataset::Progress;

/// How many numbers a thread takes at a time.
const BLOCK: usize = 256;

/// Returns how many threads the machine runs at once.
pub(super) fn threads() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Works through `0..count` on several threads; the results are in order, whatever thread each came from.
pub(super) fn map<T: Send>(
    count: usize,
    threads: NonZero<usize>,
    done: &(dyn Fn(usize) + Sync),
    work: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    let (next, finished, blocks) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let run = || loop {
        let start = next.fetch_add(BLOCK, Ordering::Relaxed);
        if start >= count {
            break;
        }
        let block: Vec<T> = (start..count.min(start + BLOCK)).map(work).collect();
        let length = block.len();
        blocks.lock().expect("no thread panics while it holds the lock").push((start, block));
        done(finished.fetch_add(length, Ordering::Relaxed) + length);
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(run);
        }
        run();
    });
    let mut blocks = blocks.into_inner().expect("no thread panics while it holds the lock");
    blocks.sort_unstable_by_key(|(start, _)| *start);
    blocks.into_iter().flat_map(|(_, block)| block).collect()
}

/// Says how far one stage of the work is.
pub(super) fn stage<'a>(
    progress: Progress<'a>,
    what: &'a str,
    before: usize,
    all: usize,
) -> impl Fn(usize) + Sync + 'a {
    move |done| progress(what, (before + done) as u64, all as u64)
}
